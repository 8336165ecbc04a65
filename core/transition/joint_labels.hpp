#pragma once
// The labels of a classifier that decides both moves and the relations of their arcs.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "transition/action_set.hpp"

namespace laconic::transition {

// First the actions, then for each kind of arc all relations.
class JointLabels {
public:
    JointLabels(const ActionSet& actions, std::size_t relations) : actions_(actions.size()), relations_(relations) {
        for (std::size_t kind = 0; kind < arc_kinds; ++kind)
            for (const Relation relation : actions.relations(static_cast<ArcKind>(kind)))
                by_kind_[kind].push_back(label(static_cast<ArcKind>(kind), relation));
    }

    [[nodiscard]] std::size_t size() const noexcept { return actions_ + arc_kinds * relations_; }
    [[nodiscard]] std::span<const Label> relations(ArcKind kind) const noexcept {
        return by_kind_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] Label label(ArcKind kind, Relation relation) const noexcept {
        return static_cast<Label>(actions_ + static_cast<std::size_t>(kind) * relations_ + relation);
    }
    [[nodiscard]] Relation relation(Label label) const noexcept {
        return static_cast<Relation>((label - actions_) % relations_);
    }

private:
    std::size_t actions_, relations_;
    std::array<std::vector<Label>, arc_kinds> by_kind_;
};

}  // namespace laconic::transition
