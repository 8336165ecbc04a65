#pragma once
// Direction and distance of an arc as one small number: the lanes of a row of weights.

#include <cstddef>

#include "corpus/tree.hpp"

namespace laconic::graph {

using corpus::Node;

inline constexpr std::size_t distance_steps = 7;
inline constexpr std::size_t lanes = 2 * distance_steps;

// The steps of DISTANCE (features/tree_steps.hpp), from 0 on.
constexpr std::size_t distance_step(std::size_t distance) noexcept {
    return distance <= 4 ? distance - 1 : distance <= 7 ? 4 : distance <= 15 ? 5 : 6;
}

// The root stands before the first word.
constexpr std::size_t lane_of(Node head, Node modifier) noexcept {
    return modifier < head ? distance_step(static_cast<std::size_t>(head - modifier))
                           : distance_steps + distance_step(static_cast<std::size_t>(modifier - head));
}

}  // namespace laconic::graph
