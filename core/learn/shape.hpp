#pragma once
// How a plan becomes a network of hidden rows: which templates share their word vectors, and where decisions may end.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/plan.hpp"

namespace laconic::learn {

// A template that reads one attribute of a word's form (not out of a dictionary) is *factored*: its features are
// vectors shared by all positions (their keys must be too, see features.compile_plan), and neighbouring ones at the
// same node share one matrix. All other templates have rows of their own.
struct Shape {
    static constexpr std::int32_t direct = -1;

    Shape(const features::Plan& plan, std::vector<std::uint32_t> exits);

    std::vector<std::int32_t> groups;  // of each template: which matrix its vectors are multiplied with, or direct
    std::size_t matrices = 0;
    std::vector<std::uint32_t> exits;    // depths, ascending, the last one all templates; none divides a group
    std::vector<std::uint32_t> exit_of;  // of each template: the first exit behind it
    // Where a word's own form leads a group: how many templates the row of a known form stands for, since the form
    // determines all of their features. Otherwise 1.
    std::vector<std::uint32_t> merged;
};

}  // namespace laconic::learn
