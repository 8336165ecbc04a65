#pragma once
// Decisions to learn from as columns of atoms, one for each slot of a plan: what any templates over these slots would
// see, before a template set is chosen.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "corpus/access.hpp"
#include "learn/key.hpp"
#include "learn/labels.hpp"

namespace laconic::learn {

// Filled like Examples. Memory: four bytes for each decision and slot.
class DecisionAtoms {
public:
    DecisionAtoms(std::size_t slots, LabelSets known) : sets(std::move(known)), columns_(slots) {}

    // One decision: its context, and the numbers (in `sets`) of its gold labels and its candidates. Throws ConfigError
    // for a slot that stands for a set: a column holds one atom a decision.
    template <Context C>
    void add(const Plan& plan, C& context, std::uint32_t gold, std::uint32_t candidates) {
        for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
            if (plan.slots()[slot].many)
                throw ConfigError("a column of decisions holds one value a decision: CHILDREN and BETWEEN have many");
            columns_[slot].push_back(context.atom(static_cast<std::uint16_t>(slot)));
        }
        gold_.push_back(gold);
        candidates_.push_back(candidates);
    }

    [[nodiscard]] std::size_t size() const noexcept { return gold_.size(); }
    [[nodiscard]] std::size_t slots() const noexcept { return columns_.size(); }
    [[nodiscard]] const std::vector<Atom>& column(std::size_t slot) const noexcept { return columns_[slot]; }
    [[nodiscard]] std::span<const Label> gold(std::size_t decision) const noexcept { return sets[gold_[decision]]; }
    [[nodiscard]] std::span<const Label> candidates(std::size_t decision) const noexcept {
        return sets[candidates_[decision]];
    }

    LabelSets sets;
    mutable corpus::Access access{"set of decisions"};  // readers and writer at the moment

private:
    std::vector<std::vector<Atom>> columns_;
    std::vector<std::uint32_t> gold_, candidates_;
};

}  // namespace laconic::learn
