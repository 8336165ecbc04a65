#pragma once
// The labels of a classifier that decides both moves and the relations of their arcs.

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "transition/relation_sets.hpp"

namespace laconic::transition {

// First the actions, then for each kind of arc all relations.
class JointLabels {
public:
    JointLabels(const ActionSet& actions, std::size_t relations, const RelationSets& sets)
        : actions_(actions.size()), relations_(relations) {
        if (actions.labels() != Labels::after || size() > learn::max_labels) return;
        for (std::size_t kind = 0; kind < arc_kinds; ++kind)
            for (std::size_t set = 0; set < sets.size(); ++set) {
                std::vector<Label> labels;
                for (const Relation relation : sets[set]) labels.push_back(label(static_cast<ArcKind>(kind), relation));
                by_kind_[kind].emplace_back(std::move(labels));
            }
    }

    [[nodiscard]] std::size_t size() const noexcept { return actions_ + arc_kinds * relations_; }
    [[nodiscard]] learn::Candidates relations(const RelationChoice& choice) const noexcept {
        return by_kind_[static_cast<std::size_t>(kind_of(choice.arc))][choice.set].candidates();
    }
    [[nodiscard]] Label label(ArcKind kind, Relation relation) const noexcept {
        return static_cast<Label>(actions_ + static_cast<std::size_t>(kind) * relations_ + relation);
    }
    [[nodiscard]] Relation relation(Label label) const noexcept {
        return static_cast<Relation>((label - actions_) % relations_);
    }

private:
    std::size_t actions_, relations_;
    std::array<std::vector<learn::BlockedLabels>, arc_kinds> by_kind_;  // by set
};

}  // namespace laconic::transition
