#pragma once
// The inner loops: rows of int8 weights added to int16 sums, saturating; the best two of the sums; output layers of
// hidden units; scores of labels by their vectors. Chosen at run time, equal to the last bit everywhere.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/labels.hpp"

namespace laconic::learn {

// Sets `sums` to `from` and `count` rows of `lanes` bytes. `lanes` is 4, 8, 16 or a multiple of 32; `from` may be
// `sums`.
using AddRows = void (*)(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, const std::int16_t* from,
                         std::int16_t* sums);

// Adds rows and sums of rows that were made before to `to`, `lanes` each, a multiple of 32.
using AddRowsAndSums = void (*)(const std::int8_t* const* rows, std::size_t count, const std::int16_t* const* sums,
                                std::size_t sum_count, std::size_t lanes, std::int16_t* to);

// Of some labels: the product of a vector with the label's, `lanes` each, a multiple of 32; summed as dot() does it.
using ScoreLabels = void (*)(const float* vector, const float* of_labels, std::size_t lanes,
                             const std::uint16_t* labels, std::size_t count, float* scores);

// Of the lanes whose bits are set in `lanes`: the first of the highest, and by how much it leads the second.
struct Top {
    std::uint32_t lane;
    std::int32_t margin;
};
// `width` is 4, 8, 16, 32 or 64; at least two bits are set, none beyond the width.
using TopTwo = Top (*)(const std::int16_t* sums, std::size_t width, std::uint64_t lanes);
inline constexpr std::size_t max_top_lanes = 64;

// An output layer of hidden units: it reads the squares of positive sums, shifted and cut to 12 bits. Few bits there
// leave many to the weights, whose sizes differ more: those of a move are a fiftieth of those of a rare label. The
// weights of a label are a row of `units`, a multiple of 32; they are there a second time pair of units by pair of
// units, each with the two weights of all labels, `padded` of them, a multiple of 16.
inline constexpr std::int16_t active_limit = 4095;
struct OutputLayer {
    std::size_t units, padded;
    std::uint32_t shift;
    const std::int16_t* rows;
    const std::int16_t* pairs;
    const std::int32_t* offsets;  // of the labels, padded
};
// The best of some labels, two at least, and by how much it leads the second; the first wins a tie. The score of each
// candidate y is in scores[y] behind this, what is in the others is not said; there is room for `padded`. `active` is
// room for as many numbers as there are units.
using LeadLabels = Top (*)(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* active,
                           const Candidates& candidates, std::int32_t* scores);

[[nodiscard]] AddRows add_rows() noexcept;
[[nodiscard]] TopTwo top_two() noexcept;
[[nodiscard]] AddRowsAndSums add_rows_and_sums() noexcept;
[[nodiscard]] ScoreLabels score_labels() noexcept;
[[nodiscard]] LeadLabels lead_labels() noexcept;
// The instruction sets that this machine has, the best last.
[[nodiscard]] std::vector<std::string> instruction_sets();
// One of them, or "auto" for the best; returns the one now in use. Throws std::invalid_argument where this machine
// lacks it.
std::string use_instruction_set(const std::string& name);
[[nodiscard]] std::string instruction_set() noexcept;
// For kernels that are compiled twice elsewhere: whether the one for AVX2 is to be used.
[[nodiscard]] bool uses_avx2() noexcept;

}  // namespace laconic::learn
