#pragma once
// Screening of candidate templates without training: how much one step in them would lower the loss of decisions that
// did not make the step.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/column_decisions.hpp"

namespace laconic::search {

// What a model gets wrong on some decisions. The scores should come from a model that did not see them.
class Screening {
public:
    // `scores` has those of the chosen decisions, label after label. Labels that a decision has no doubt about are
    // left out, and at most `most` are kept.
    Screening(const DecisionAtoms& decisions, std::span<const std::uint32_t> chosen, std::span<const float> scores);

    // The fall of the log loss per decision by one Newton step in each of the templates, each taken after the one
    // before, fitted on one half of the decisions and measured on the other, both ways averaged: a template that only
    // remembers gains nothing. In the quadratic approximation of the loss at the given scores, label by label: with G
    // the sum of the residuals r of a feature and H that of p (1 - p), the step is s = G / (H + ridge), and a decision
    // gains r s - p (1 - p) s^2 / 2. Cost: templates * decisions.
    [[nodiscard]] double gain(const Plan& plan, const AtomColumns& columns, double ridge) const;

    // How many decisions there are in all: columns have as many atoms.
    [[nodiscard]] std::size_t decisions() const noexcept { return all_; }

    static constexpr std::size_t most = 6;

private:
    struct Entry {
        std::uint32_t salt;  // of the label
        float residual, curvature;
    };

    [[nodiscard]] static std::size_t half(std::size_t index) noexcept { return index / 64 % 2; }

    std::size_t all_, size_;
    std::vector<std::uint32_t> decisions_;  // those with entries
    std::vector<std::uint8_t> halves_;
    std::vector<std::uint32_t> begins_;
    std::vector<Entry> entries_;
};

}  // namespace laconic::search
