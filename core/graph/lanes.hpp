#pragma once
// Direction and distance of an arc as one small number: the lanes of a row of weights.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "corpus/tree.hpp"

namespace laconic::graph {

using corpus::Node;

inline constexpr std::size_t distance_steps = 7;
inline constexpr std::size_t lanes = 2 * distance_steps;

// The steps of DISTANCE (features/tree_steps.hpp), from 0 on.
inline constexpr std::array<std::uint8_t, 17> step_of_distance{0, 0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6};
constexpr std::size_t distance_step(std::size_t distance) noexcept {
    return step_of_distance[std::min(distance, step_of_distance.size() - 1)];
}

// The root stands before the first word.
constexpr std::size_t lane_of(Node head, Node modifier) noexcept {
    const Node distance = modifier < head ? head - modifier : modifier - head;
    return (modifier < head ? 0 : distance_steps) + distance_step(static_cast<std::size_t>(distance));
}

}  // namespace laconic::graph
