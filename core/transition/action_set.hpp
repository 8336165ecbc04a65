#pragma once
// The actions of a transition parser, numbered as labels of its classifier, and which of them are possible when.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/labels.hpp"
#include "transition/system.hpp"

namespace laconic::transition {

using learn::Label;

// When the label of an arc is decided.
enum class Labels : std::uint8_t {
    joint,  // with the move: an action for each move and label
    after,  // by a second classifier, right after the move (nilsson2010)
    none,   // not here
};

// An action is a move or, where labels are decided with the move, a move and a relation.
class ActionSet {
public:
    struct Meaning {
        Move move;
        Relation relation;  // no_relation if the action does not say
    };

    // `relations` are the labels that arcs to the left, to the right and from the root may get, each ascending and none
    // empty. `root_relation` goes to words that a system leaves without a head, `spare` to those that must not be
    // roots.
    ActionSet(std::shared_ptr<const TransitionSystem> system, Labels labels,
              std::array<std::vector<Relation>, arc_kinds> relations, Relation root_relation, Relation spare);

    [[nodiscard]] const TransitionSystem& system() const noexcept { return *system_; }
    [[nodiscard]] Labels labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t size() const noexcept { return meanings_.size(); }
    [[nodiscard]] Meaning operator[](Label label) const noexcept { return meanings_[label]; }
    // Actions for a set of moves; `rooted` says that a right arc would come from the root.
    [[nodiscard]] std::span<const Label> candidates(Moves valid, bool rooted) const noexcept {
        return candidates_[valid * 2 + (rooted ? 1 : 0)];
    }
    // Actions for one move.
    [[nodiscard]] std::span<const Label> of(Move move, bool rooted) const noexcept {
        return candidates(only(move), rooted);
    }
    [[nodiscard]] std::span<const Relation> relations(ArcKind kind) const noexcept {
        return relations_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] Relation root_relation() const noexcept {
        return labels_ == Labels::none ? no_relation : root_relation_;
    }
    [[nodiscard]] Relation spare() const noexcept { return labels_ == Labels::none ? no_relation : spare_; }

private:
    std::shared_ptr<const TransitionSystem> system_;
    Labels labels_;
    std::array<std::vector<Relation>, arc_kinds> relations_;
    Relation root_relation_, spare_;
    std::vector<Meaning> meanings_;
    std::vector<std::vector<Label>> candidates_;
};

}  // namespace laconic::transition
