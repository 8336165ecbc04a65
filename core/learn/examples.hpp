#pragma once
// Decisions to learn from, their features already looked up, so that an epoch only reads arrays.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corpus/access.hpp"
#include "learn/feature_reader.hpp"
#include "learn/labels.hpp"

namespace laconic::learn {

// Filled by add(), made ready by finish(): only then is it known which features are frequent enough.
class Examples {
public:
    Examples(std::size_t templates, std::size_t labels) : templates_(templates), sets(labels) {}
    Examples(std::size_t templates, LabelSets known) : templates_(templates), sets(std::move(known)) {}

    // One decision: its context, and the numbers (in `sets`) of its gold labels and its candidates.
    template <Context C>
    void add(const Plan& plan, C& context, std::uint32_t gold, std::uint32_t candidates) {
        reader_.read(plan, context, templates_, index);
        reader_.count(index);
        keys_.insert(keys_.end(), reader_.keys().begin(), reader_.keys().end());
        ends_.insert(ends_.end(), reader_.ends().begin(), reader_.ends().end());
        begins_.push_back(keys_.size());
        gold_.push_back(gold);
        candidates_.push_back(candidates);
    }
    void finish(std::uint32_t cutoff);
    // The same for decisions to be scored, not learned from: features that `known` lacks are left out.
    void finish(FeatureIndex known);

    // Some of the decisions, seen through some of the templates, in the given order; nothing is looked up again. The
    // features are numbered anew, by `order` alone: two sets that share an index still do. Needs finish() before.
    // Cost: what is copied, and one pass over the index.
    [[nodiscard]] Examples select(std::span<const std::uint32_t> order, std::span<const std::uint32_t> chosen) const;
    // Other gold labels: one number of a set for each decision.
    void relabel(std::vector<std::uint32_t> gold) { gold_ = std::move(gold); }
    [[nodiscard]] bool finished() const noexcept { return finished_; }

    [[nodiscard]] std::size_t size() const noexcept { return gold_.size(); }
    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] FeatureRun run(std::size_t example) const noexcept {
        return {std::span(features_).subspan(begins_[example], begins_[example + 1] - begins_[example]),
                std::span(ends_).subspan(example * templates_, templates_)};
    }
    [[nodiscard]] std::span<const Label> gold(std::size_t example) const noexcept { return sets[gold_[example]]; }
    [[nodiscard]] std::span<const Label> candidates(std::size_t example) const noexcept {
        return sets[candidates_[example]];
    }

private:
    void look_up();

    std::size_t templates_;
    bool finished_ = false;
    FeatureReader reader_;
    std::vector<std::uint64_t> keys_;
    std::vector<Feature> features_;
    std::vector<std::uint32_t> ends_;
    std::vector<std::size_t> begins_{0};
    std::vector<std::uint32_t> gold_, candidates_;

public:
    LabelSets sets;
    FeatureIndex index;
    mutable corpus::Access access{"set of examples"};  // readers and writer at the moment
};

}  // namespace laconic::learn
