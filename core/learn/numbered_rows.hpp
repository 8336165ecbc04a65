#pragma once
// Rows of int8 weights that are given by their numbers, added to int16 sums: a kernel as those of kernels.hpp.

#include <cstddef>
#include <cstdint>

namespace laconic::learn {

// Sets `sums` to `from` and `count` rows of `lanes` bytes, a multiple of 32. Rows lie `stride` bytes apart from `base`
// on; `from` may be `sums`.
using AddNumberedRows = void (*)(const std::int8_t* base, std::size_t stride, const std::uint32_t* numbers,
                                 std::size_t count, std::size_t lanes, const std::int16_t* from, std::int16_t* sums);

[[nodiscard]] AddNumberedRows add_numbered_rows() noexcept;

}  // namespace laconic::learn
