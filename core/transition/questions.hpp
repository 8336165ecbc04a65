#pragma once
// The labels of a scorer that answers both questions of a step from one sum: which move, and which relation its arc
// gets.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "transition/classes.hpp"

namespace laconic::transition {

// First the classes of moves, then for each kind of arc all relations.
class Questions {
public:
    Questions(const Classes& classes, std::size_t relations) : classes_(classes.size()), relations_(relations) {
        for (std::size_t kind = 0; kind < arc_kinds; ++kind)
            for (const Relation relation : classes.relations(static_cast<ArcKind>(kind)))
                by_kind_[kind].push_back(label(static_cast<ArcKind>(kind), relation));
    }

    [[nodiscard]] std::size_t size() const noexcept { return classes_ + arc_kinds * relations_; }
    [[nodiscard]] std::span<const Label> relations(ArcKind kind) const noexcept {
        return by_kind_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] Label label(ArcKind kind, Relation relation) const noexcept {
        return static_cast<Label>(classes_ + static_cast<std::size_t>(kind) * relations_ + relation);
    }
    [[nodiscard]] Relation relation(Label label) const noexcept {
        return static_cast<Relation>((label - classes_) % relations_);
    }

private:
    std::size_t classes_, relations_;
    std::array<std::vector<Label>, arc_kinds> by_kind_;
};

}  // namespace laconic::transition
