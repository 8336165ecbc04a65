#pragma once
// Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011): left arcs as in arc-eager, right arcs as in arc-standard.

#include <array>

#include "transition/system.hpp"

namespace laconic::transition {

struct ArcHybrid {
    static constexpr Move shift = 0, left = 1, right = 2;
    static constexpr std::array<std::string_view, 3> names{"shift", "left", "right"};
    static constexpr bool dynamic = true;
    static constexpr bool makes_roots = true;

    bool single_root = false;

    [[nodiscard]] bool done(const State& state) const noexcept {
        return state.stack_size() == 0 && state.queue_size() == 0;
    }
    // SHIFT needs a word in the queue, LEFT one there and one on the stack, RIGHT one on the stack. The root lies under
    // the stack: RIGHT on the lowest word makes it a root, and with a single root that is the last move.
    [[nodiscard]] Moves valid(const State& state) const noexcept {
        const bool stack = state.stack_size() > 0;
        const bool queue = state.queue_size() > 0;
        const bool under = state.stack_size() > 1 || !single_root || !queue;
        return only_if(queue, shift) | only_if(stack && queue, left) | only_if(stack && under, right);
    }
    // LEFT: the next word is the head of the top. RIGHT: the word below is the head of the top.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept {
        if (move == left) return {state.queue(0), state.stack(0)};
        if (move == right) return {state.stack_size() > 1 ? state.stack(1) : root, state.stack(0)};
        return {};
    }
    // SHIFT moves the next word to the stack; the arcs take their dependent off it.
    void apply(State& state, Move move, Relation relation) const {
        const Arc made = arc(state, move);
        if (made.exists()) {
            state.attach(made, relation);
            state.pop();
        } else {
            state.shift();
        }
        state.remember(move);
    }
    void finish(State&, Relation, Relation) const noexcept {}  // every word has its head
};

static_assert(System<ArcHybrid>);

}  // namespace laconic::transition
