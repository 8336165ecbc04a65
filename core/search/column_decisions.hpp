#pragma once
// Decisions seen through columns of atoms: the slots of a plan read the columns that they are given.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/decision_atoms.hpp"

namespace laconic::search {

using features::Atom;
using features::Plan;
using learn::DecisionAtoms;
using learn::Label;
using learn::visit_keys;

using AtomColumns = std::vector<std::span<const Atom>>;  // one for each slot of a plan, one atom for each decision

// A context over one decision after another.
class ColumnContext {
public:
    explicit ColumnContext(const AtomColumns& columns) noexcept : columns_(columns.data()) {}

    void look_at(std::size_t decision) noexcept { decision_ = decision; }
    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept { return columns_[slot][decision_]; }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) const noexcept {
        return columns_[slot].subspan(decision_, 1);
    }

private:
    const std::span<const Atom>* columns_;
    std::size_t decision_ = 0;
};
static_assert(learn::Context<ColumnContext>);

// The probabilities of the candidates of a decision by their scores, and those that the gold labels have among
// themselves. The loss is the negative logarithm of all that is gold.
class Softmax {
public:
    explicit Softmax(std::size_t labels) : shares_(labels), gold_(labels) {}

    // Cost: the candidates.
    double operator()(std::span<const float> scores, std::span<const Label> gold, std::span<const Label> candidates) {
        float highest = scores[gold.front()];
        for (const Label y : candidates) highest = std::max(highest, scores[y]);
        float all = 0, right = 0;
        for (const Label y : candidates) all += shares_[y] = std::exp(scores[y] - highest), gold_[y] = 0;
        for (const Label y : gold) right += gold_[y] = std::exp(scores[y] - highest);
        for (const Label y : candidates) shares_[y] /= all;
        right = std::max(right, std::numeric_limits<float>::min());
        for (const Label y : gold) gold_[y] /= right;
        return static_cast<double>(std::log(all) - std::log(right));
    }
    [[nodiscard]] float share(Label y) const noexcept { return shares_[y]; }
    // The negative gradient of the loss in the score of a candidate.
    [[nodiscard]] float residual(Label y) const noexcept { return gold_[y] - shares_[y]; }

private:
    std::vector<float> shares_, gold_;
};

}  // namespace laconic::search
