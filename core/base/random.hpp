#pragma once
// The project's own random numbers: the same on every machine and standard library.

#include <cstdint>
#include <span>
#include <utility>

#include "base/hash.hpp"

namespace laconic {

// splitmix64: one addition and one scramble a number.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(scramble(seed + 0x9e3779b97f4a7c15ULL)) {}

    std::uint64_t next() noexcept { return scramble(state_ += 0x9e3779b97f4a7c15ULL); }
    // A number below `bound`; the bias of the multiply-shift is below bound / 2^32.
    std::uint32_t below(std::uint32_t bound) noexcept {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

private:
    std::uint64_t state_;
};

template <class T>
void shuffle(std::span<T> items, Random& random) noexcept {
    for (auto i = static_cast<std::uint32_t>(items.size()); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace laconic
