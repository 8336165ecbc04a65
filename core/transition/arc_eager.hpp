#pragma once
// Arc-eager (Nivre 2003): arcs between the top of the stack and the next word, right arcs as soon as they are seen.

#include <array>

#include "transition/system.hpp"

namespace laconic::transition {

struct ArcEager {
    static constexpr Move shift = 0, left = 1, right = 2, reduce = 3;
    static constexpr std::array<std::string_view, 4> names{"shift", "left", "right", "reduce"};
    static constexpr bool dynamic = true;
    static constexpr bool makes_roots = false;

    bool single_root = false;

    [[nodiscard]] bool done(const State& state) const noexcept { return state.queue_size() == 0; }
    // LEFT needs a top without a head, REDUCE one with a head, RIGHT any. Words that never get a head are the roots. If
    // there may be only one, the last word is shifted on an empty stack or gets a head where one word lacks it.
    [[nodiscard]] Moves valid(const State& state) const noexcept {
        const bool stack = state.stack_size() > 0;
        const bool headless = stack && state.head(state.stack(0)) == none;
        const bool last = single_root && state.queue_size() == 1;
        return only_if(!last || !stack, shift) | only_if(headless, left) |
               only_if(stack && (!last || state.headless() == 1), right) | only_if(stack && !headless, reduce);
    }
    // LEFT: the next word is the head of the top. RIGHT: the top is the head of the next word.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept {
        if (move == left) return {state.queue(0), state.stack(0)};
        if (move == right) return {state.stack(0), state.queue(0)};
        return {};
    }
    // SHIFT and RIGHT move the next word to the stack, LEFT and REDUCE take the top off it.
    void apply(State& state, Move move, Relation relation) const {
        const Arc made = arc(state, move);
        if (made.exists()) state.attach(made, relation);
        if (move == shift || move == right)
            state.shift();
        else
            state.pop();
        state.remember(move);
    }
    void finish(State& state, Relation root_relation, Relation spare) const {
        attach_rest(state, single_root, root_relation, spare);
    }
};

static_assert(System<ArcEager>);

}  // namespace laconic::transition
