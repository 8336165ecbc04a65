#pragma once
// Arc-standard with SWAP (Nivre 2009): any tree, because words can be put into another order.

#include "transition/arc_standard.hpp"

namespace laconic::transition {

class Swap final : public ArcStandard {
public:
    static constexpr Move swap = 3;
    static constexpr std::array<MoveFacts, 4> moves{
        {{"shift"}, {"left", MoveArc::left}, {"right", MoveArc::right}, {"swap"}}};
    static constexpr SystemFacts known{.name = "swap", .moves = moves, .makes_roots = true, .reorders = true};
    // Swaps that a sentence may use: beyond them SWAP is not possible any more, and what is left costs two moves a
    // word.
    static constexpr std::size_t swaps_per_word = 8, free_swaps = 500;

    using ArcStandard::ArcStandard;

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    // SWAP needs two words on the stack that stand in the order of the sentence.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        const bool budget = state.spent() < free_swaps + swaps_per_word * static_cast<std::size_t>(state.words());
        const bool ordered = state.stack_size() > 1 && state.stack(1) < state.stack(0);
        return ArcStandard::valid(state) | only_if(ordered && budget, swap);
    }
    // SWAP puts the word below the top back into the queue.
    void apply(State& state, Move move, Relation relation) const override {
        if (move != swap) return ArcStandard::apply(state, move, relation);
        const Node top = state.pop();
        state.put_back(state.pop());
        state.push(top);
        state.spend();
        state.remember(move);
    }
    // Static: SWAP wherever two words stand against the projective order of the tree. Rebuilds every tree that its
    // budget allows.
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const override {
        const Move move = wanted_move(state, gold);
        const bool crossed = move == shift && has(valid(state), swap) &&
                             gold.projective_rank(state.stack(0)) < gold.projective_rank(state.stack(1));
        return costs_but(crossed ? swap : move);
    }
};

}  // namespace laconic::transition
