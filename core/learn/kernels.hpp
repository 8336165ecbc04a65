#pragma once
// The inner loop: rows of int8 weights added to int16 sums, saturating. Chosen at run time, equal to the last bit
// everywhere.

#include <cstddef>
#include <cstdint>
#include <string>

namespace laconic::learn {

// Adds `count` rows of `lanes` bytes to `sums`. `lanes` is 4, 8, 16 or a multiple of 32.
using AddRows = void (*)(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, std::int16_t* sums);

[[nodiscard]] AddRows add_rows() noexcept;
// "portable", "avx2" or "auto"; returns the one now in use. Throws std::invalid_argument where this machine lacks it.
std::string use_instruction_set(const std::string& name);
[[nodiscard]] std::string instruction_set() noexcept;

}  // namespace laconic::learn
