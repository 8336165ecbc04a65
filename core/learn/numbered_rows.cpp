#include "learn/numbered_rows.hpp"

#include <algorithm>
#include <limits>

#include "learn/kernel_sets.hpp"

#if defined(LACONIC_X86)
#include <immintrin.h>
#endif

namespace laconic::learn {

namespace {

void add_portable(const std::int8_t* base, std::size_t stride, const std::uint32_t* numbers, std::size_t count,
                  std::size_t lanes, const std::int16_t* from, std::int16_t* sums) {
    constexpr int lowest = std::numeric_limits<std::int16_t>::min();
    constexpr int highest = std::numeric_limits<std::int16_t>::max();
    if (from != sums) std::copy_n(from, lanes, sums);
    for (std::size_t r = 0; r < count; ++r) {
        const std::int8_t* row = base + numbers[r] * stride;
        for (std::size_t i = 0; i < lanes; ++i)
            sums[i] = static_cast<std::int16_t>(std::clamp(sums[i] + row[i], lowest, highest));
    }
}

#if defined(LACONIC_X86)
__attribute__((target("avx2"))) inline __m256i load_sums(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline void store_sums(std::int16_t* to, __m256i sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
}

__attribute__((target("avx2"))) inline __m256i add_sixteen(__m256i sums, const std::int8_t* row) {
    return _mm256_adds_epi16(sums, _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row))));
}

// In strips of 64 lanes, and one of 32 if that is left.
__attribute__((target("avx2"))) void add_avx2(const std::int8_t* base, std::size_t stride, const std::uint32_t* numbers,
                                              std::size_t count, std::size_t lanes, const std::int16_t* from,
                                              std::int16_t* sums) {
    std::size_t strip = 0;
    for (; strip + 64 <= lanes; strip += 64) {
        __m256i a = load_sums(from + strip), b = load_sums(from + strip + 16);
        __m256i c = load_sums(from + strip + 32), d = load_sums(from + strip + 48);
        for (std::size_t r = 0; r < count; ++r) {
            const std::int8_t* row = base + numbers[r] * stride + strip;
            a = add_sixteen(a, row);
            b = add_sixteen(b, row + 16);
            c = add_sixteen(c, row + 32);
            d = add_sixteen(d, row + 48);
        }
        store_sums(sums + strip, a);
        store_sums(sums + strip + 16, b);
        store_sums(sums + strip + 32, c);
        store_sums(sums + strip + 48, d);
    }
    if (strip == lanes) return;
    __m256i low = load_sums(from + strip), high = load_sums(from + strip + 16);
    for (std::size_t r = 0; r < count; ++r) {
        const std::int8_t* row = base + numbers[r] * stride + strip;
        low = add_sixteen(low, row);
        high = add_sixteen(high, row + 16);
    }
    store_sums(sums + strip, low);
    store_sums(sums + strip + 16, high);
}
#endif

}  // namespace

AddNumberedRows add_numbered_rows() noexcept {
#if defined(LACONIC_X86)
    if (uses_avx2()) return add_avx2;
#endif
    return add_portable;
}

}  // namespace laconic::learn
