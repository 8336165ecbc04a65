#pragma once
// Stable hashes: the same bytes give the same number on every machine and in every version of a model format.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace laconic {

// A bijective scrambler of 64 bits (the finaliser of splitmix64).
constexpr std::uint64_t scramble(std::uint64_t x) noexcept {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return x;
}

// Mixes one more number into a running key; cheap enough for a feature of several atoms.
constexpr std::uint64_t mix(std::uint64_t key, std::uint64_t value) noexcept {
    key ^= value;
    key *= 0x9e3779b97f4a7c15ULL;
    return key ^ (key >> 29);
}

// The exclusive or of the two halves of a 128-bit product; computed so where there are no integers wider than 64 bits.
constexpr std::uint64_t multiply_xor_portable(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t low = 0xffffffffULL;
    const std::uint64_t middle = (a & low) * (b >> 32) + (((a & low) * (b & low)) >> 32);
    const std::uint64_t other = (a >> 32) * (b & low) + (middle & low);
    const std::uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    return high ^ (a * b);
}

constexpr std::uint64_t multiply_xor(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
#else
    return multiply_xor_portable(a, b);
#endif
}
static_assert(multiply_xor(0xfedcba9876543210ULL, 0xf0e1d2c3b4a59687ULL) ==
              multiply_xor_portable(0xfedcba9876543210ULL, 0xf0e1d2c3b4a59687ULL));
static_assert(multiply_xor(~0ULL, ~0ULL) == multiply_xor_portable(~0ULL, ~0ULL));

// One block of a string into its hash. The block is on both sides of the product and added again: whoever knows the key
// cannot write down a block that cancels an earlier difference, as a block that only enters by exclusive or would.
constexpr std::uint64_t absorb(std::uint64_t key, std::uint64_t block) noexcept {
    return multiply_xor(key ^ block, std::rotl(block, 32) ^ 0x9e3779b97f4a7c15ULL) + block;
}

// Up to eight bytes as a little-endian number, whatever the machine.
inline std::uint64_t read_bytes(const char* from, std::size_t count) noexcept {
    const auto* p = reinterpret_cast<const unsigned char*>(from);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{p[i]} << (8 * i);
    return word;
}

constexpr std::uint64_t start_hash(std::size_t size, std::uint64_t seed) noexcept {
    return seed ^ (0x2545f4914f6cdd1dULL * (size + 1));
}

// Hash of a string, eight bytes at a time.
inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0) noexcept {
    std::uint64_t key = start_hash(bytes.size(), seed);
    const char* p = bytes.data();
    std::size_t n = bytes.size();
    const auto read = [](const char* from, std::size_t count) noexcept { return read_bytes(from, count); };
    for (; n >= 8; p += 8, n -= 8) key = absorb(key, read(p, 8));
    // The rest in two or three loads that may overlap: the same number as byte by byte, without a loop of unknown
    // length.
    if (n >= 4)
        key = absorb(key, read(p, 4) | (read(p + n - 4, 4) << (8 * (n - 4))));
    else if (n > 0)
        key = absorb(key, read(p, 1) | (read(p + n / 2, 1) << (8 * (n / 2))) | (read(p + n - 1, 1) << (8 * (n - 1))));
    return scramble(key);
}

// The same number for a string behind which seven more bytes can be read, whatever they are: nothing depends on how
// long the rest of it is.
inline std::uint64_t hash_bytes_within(std::string_view bytes) noexcept {
    std::uint64_t key = start_hash(bytes.size(), 0);
    const char* p = bytes.data();
    std::size_t n = bytes.size();
    for (; n > 8; p += 8, n -= 8) key = absorb(key, read_bytes(p, 8));
    if (n > 0) key = absorb(key, read_bytes(p, 8) & (~std::uint64_t{0} >> (64 - 8 * n)));
    return scramble(key);
}

}  // namespace laconic
