#pragma once
// Arc-standard with SWAP (Nivre 2009): any tree, because words can be put into another order.

#include <array>

#include "transition/arc_standard.hpp"

namespace laconic::transition {

struct Swap {
    static constexpr Move shift = 0, left = 1, right = 2, swap = 3;
    static constexpr std::array<std::string_view, 4> names{"shift", "left", "right", "swap"};
    static constexpr bool dynamic = false;
    static constexpr bool makes_roots = true;
    // Swaps that a sentence may use: beyond them SWAP is not possible any more, and what is left costs two moves a
    // word.
    static constexpr std::size_t swaps_per_word = 8, free_swaps = 500;

    bool single_root = false;

    [[nodiscard]] bool done(const State& state) const noexcept { return base().done(state); }
    // SWAP needs two words on the stack that stand in the order of the sentence.
    [[nodiscard]] Moves valid(const State& state) const noexcept {
        const bool budget = state.spent() < free_swaps + swaps_per_word * static_cast<std::size_t>(state.words());
        const bool ordered = state.stack_size() > 1 && state.stack(1) < state.stack(0);
        return base().valid(state) | only_if(ordered && budget, swap);
    }
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept {
        return move == swap ? Arc{} : base().arc(state, move);
    }
    // SWAP puts the word below the top back into the queue.
    void apply(State& state, Move move, Relation relation) const {
        if (move != swap) return base().apply(state, move, relation);
        const Node top = state.pop();
        state.put_back(state.pop());
        state.push(top);
        state.spend();
        state.remember(move);
    }
    void finish(State&, Relation, Relation) const noexcept {}  // every word has its head

private:
    [[nodiscard]] ArcStandard base() const noexcept { return {single_root}; }
};

static_assert(System<Swap>);

}  // namespace laconic::transition
