#pragma once
// What oracles share.

#include <algorithm>
#include <array>
#include <cstdint>

#include "transition/gold.hpp"
#include "transition/system.hpp"

namespace laconic::transition {

// A static oracle knows one good move: it costs nothing, all others cost 1.
constexpr Costs costs_but(Move good) noexcept {
    Costs costs;
    costs.fill(1);
    costs[good] = 0;
    return costs;
}

// The valid moves of the lowest cost. It is zero but where a single root rules out what the arcs would allow.
constexpr Moves cheapest(const Costs& costs, Moves valid) noexcept {
    std::uint32_t least = ~std::uint32_t{0};
    for (Move move = 0; move < max_moves; ++move)
        if (has(valid, move)) least = std::min(least, costs[move]);
    Moves best = 0;
    for (Move move = 0; move < max_moves; ++move)
        if (has(valid, move) && costs[move] == least) best |= only(move);
    return best;
}

// Children in the gold tree that still wait in the queue.
inline std::uint32_t children_in_queue(const State& state, const Gold& gold, Node node) noexcept {
    std::uint32_t count = 0;
    for (const Node child : gold.children(node)) count += state.in_queue(child);
    return count;
}

// Children in the gold tree that lie on the stack without a head.
inline std::uint32_t children_on_stack(const State& state, const Gold& gold, Node node) noexcept {
    std::uint32_t count = 0;
    for (const Node child : gold.children(node)) count += state.on_stack(child) && state.head(child) == none;
    return count;
}

}  // namespace laconic::transition
