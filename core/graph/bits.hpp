#pragma once
// Sets of small numbers as bits of 64-bit words.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace laconic::graph {

using Bits = std::span<std::uint64_t>;
using ConstBits = std::span<const std::uint64_t>;
inline constexpr std::size_t bits_per_word = 64;

[[nodiscard]] constexpr std::size_t words_for(std::size_t numbers) noexcept {
    return (numbers + bits_per_word - 1) / bits_per_word;
}

[[nodiscard]] inline bool has_bit(ConstBits bits, std::size_t number) noexcept {
    return (bits[number / bits_per_word] >> (number % bits_per_word) & 1) != 0;
}

inline void set_bit(Bits bits, std::size_t number) noexcept {
    bits[number / bits_per_word] |= std::uint64_t{1} << (number % bits_per_word);
}

inline void clear_bit(Bits bits, std::size_t number) noexcept {
    bits[number / bits_per_word] &= ~(std::uint64_t{1} << (number % bits_per_word));
}

[[nodiscard]] inline std::size_t count_bits(ConstBits bits) noexcept {
    std::size_t count = 0;
    for (const std::uint64_t word : bits) count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

// Whether there are at least two: counting would be a call where the processor's own instruction may not be used.
[[nodiscard]] inline bool has_several(ConstBits bits) noexcept {
    bool one = false;
    for (const std::uint64_t word : bits) {
        if ((word & (word - 1)) != 0 || (one && word != 0)) return true;
        one = one || word != 0;
    }
    return false;
}

// The part of word `index` whose numbers are in [first, last).
[[nodiscard]] inline std::uint64_t range_word(std::size_t index, std::size_t first, std::size_t last) noexcept {
    const std::size_t begin = index * bits_per_word;
    const auto below = [&](std::size_t end) {
        if (end <= begin) return std::uint64_t{0};
        return end - begin >= bits_per_word ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
    };
    return below(last) & ~below(first);
}

inline void set_range(Bits bits, std::size_t first, std::size_t last) noexcept {
    for (std::size_t i = first / bits_per_word; i * bits_per_word < last; ++i) bits[i] |= range_word(i, first, last);
}

// Calls `visit(number)` for each member, in ascending order. `visit` may remove the member that it is called with.
template <class Visit>
void each_bit(ConstBits bits, Visit&& visit) {
    for (std::size_t i = 0; i < bits.size(); ++i)
        for (std::uint64_t word = bits[i]; word != 0; word &= word - 1)
            visit(i * bits_per_word + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace laconic::graph
