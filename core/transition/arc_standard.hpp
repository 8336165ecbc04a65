#pragma once
// Arc-standard (Nivre 2004): arcs between the two topmost words, each word attached once it has all its children.

#include "transition/oracle.hpp"

namespace laconic::transition {

class ArcStandard : public RootUnderStack {
public:
    static constexpr Move shift = 0, left = 1, right = 2;
    static constexpr std::array<MoveFacts, 3> moves{{{"shift"}, {"left", MoveArc::left}, {"right", MoveArc::right}}};
    static constexpr SystemFacts known{.name = "arc-standard", .moves = moves, .projective = true, .makes_roots = true};

    using RootUnderStack::RootUnderStack;

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    // SHIFT needs a word in the queue, LEFT two words on the stack, RIGHT one: the root lies under the stack. With a
    // single root, making the lowest word a root is the last move.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        const std::size_t size = state.stack_size();
        const bool queue = state.queue_size() > 0;
        const bool under = size > 1 || (size == 1 && (!single_root() || !queue));
        return only_if(queue, shift) | only_if(size > 1, left) | only_if(under, right);
    }
    // LEFT: the top is the head of the word below it. RIGHT: the word below is the head of the top.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept final {
        if (move == left) return {state.stack(0), state.stack(1)};
        if (move == right) return {below_top(state), state.stack(0)};
        return {};
    }
    void apply(State& state, Move move, Relation relation) const override {
        step(state, move, arc(state, move), relation);
    }
    // Static: an arc as soon as its dependent has all its children. Rebuilds every projective tree.
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const override {
        return costs_but(wanted_move(state, gold));
    }

protected:
    // The arc that the gold tree wants between the two topmost words; SHIFT if there is none.
    [[nodiscard]] Move wanted_move(const State& state, const Gold& gold) const noexcept {
        const Moves possible = valid(state);
        for (const Move move : {left, right}) {
            const Arc made = arc(state, move);
            if (has(possible, move) && gold.has(made) &&
                state.valency(made.dependent) == gold.children(made.dependent).size())
                return move;
        }
        return shift;
    }
};

}  // namespace laconic::transition
