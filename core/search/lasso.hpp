#pragma once
// A multinomial logistic model whose templates enter one by one: group lasso by block coordinate descent.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/examples.hpp"

namespace laconic::search {

using learn::Examples;
using learn::Feature;
using learn::Label;

// Minimises mean loss + strength * sum over templates of cost * |weights of the template|. Each step moves the weights
// of one template to the minimum of a quadratic bound of the loss, diagonal because a template has one feature per
// decision (or, for sets, at most `several`), plus the penalty, which is exact. All sums have a fixed order.
class GroupLasso {
public:
    // Keeps a reference to the examples. Costs: one per template.
    GroupLasso(const Examples& examples, std::vector<double> costs);

    // Length of the gradient of the mean loss for each template, divided by its cost: a template without weight stays
    // so as long as this is at most the strength. Cost: one row of labels per feature of each example.
    [[nodiscard]] std::vector<double> pulls() const;
    // One step for each of the templates. Returns the largest relative change: the length of the change of a template's
    // weights by their length before or after, whichever is greater.
    double sweep(std::span<const std::uint32_t> templates, double strength);

    [[nodiscard]] std::size_t templates() const noexcept { return members_.size(); }
    [[nodiscard]] std::vector<double> norms() const;  // of the weights of each template
    [[nodiscard]] double loss() const;                // mean, without the penalty
    [[nodiscard]] const std::vector<double>& weights() const noexcept { return weights_; }
    void set_weights(std::vector<double> weights);  // and the scores that follow from them

private:
    double step(std::uint32_t template_index, double strength);
    void compute_errors(std::size_t example);  // of its candidates, from its scores
    // Calls visit(example, feature) for each occurrence of a feature of a template.
    template <class Visit>
    void each(std::uint32_t template_index, Visit&& visit) const {
        for (std::size_t i = 0; i < examples_.size(); ++i)
            for (const Feature feature : examples_.run(i)[template_index]) visit(i, feature);
    }

    const Examples& examples_;
    std::size_t labels_;
    std::vector<double> costs_;
    std::vector<double> curvatures_;             // of the bound, per feature
    std::vector<std::vector<Feature>> members_;  // features of each template
    std::vector<double> weights_, scores_;
    std::vector<double> errors_;  // probability minus gold share, per example and label
    std::vector<double> gradient_;
};

}  // namespace laconic::search
