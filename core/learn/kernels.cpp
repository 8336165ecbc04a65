#include "learn/kernels.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>

#if defined(__x86_64__) && defined(__GNUC__)
#define LACONIC_HAS_AVX2 1
#include <immintrin.h>
#endif

namespace laconic::learn {

namespace {

void add_rows_portable(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, std::int16_t* sums) {
    constexpr int lowest = std::numeric_limits<std::int16_t>::min();
    constexpr int highest = std::numeric_limits<std::int16_t>::max();
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < lanes; ++i)
            sums[i] = static_cast<std::int16_t>(std::clamp(sums[i] + rows[r][i], lowest, highest));
}

#if defined(LACONIC_HAS_AVX2)
// Whole rows stay in registers while the run is added; rows longer than 32 lanes go in strips of 32.
__attribute__((target("avx2"))) void add_rows_avx2(const std::int8_t* const* rows, std::size_t count, std::size_t lanes,
                                                   std::int16_t* sums) {
    if (lanes % 32 == 0) {
        for (std::size_t strip = 0; strip < lanes; strip += 32) {
            auto* low_at = reinterpret_cast<__m256i*>(sums + strip);
            auto* high_at = reinterpret_cast<__m256i*>(sums + strip + 16);
            __m256i low = _mm256_loadu_si256(low_at);
            __m256i high = _mm256_loadu_si256(high_at);
            for (std::size_t r = 0; r < count; ++r) {
                const auto* from = reinterpret_cast<const __m128i*>(rows[r] + strip);
                low = _mm256_adds_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(from)));
                high = _mm256_adds_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(from + 1)));
            }
            _mm256_storeu_si256(low_at, low);
            _mm256_storeu_si256(high_at, high);
        }
    } else if (lanes == 16) {
        auto* at = reinterpret_cast<__m256i*>(sums);
        __m256i all = _mm256_loadu_si256(at);
        for (std::size_t r = 0; r < count; ++r)
            all = _mm256_adds_epi16(all,
                                    _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[r]))));
        _mm256_storeu_si256(at, all);
    } else if (lanes == 8) {
        auto* at = reinterpret_cast<__m128i*>(sums);
        __m128i all = _mm_loadu_si128(at);
        for (std::size_t r = 0; r < count; ++r)
            all = _mm_adds_epi16(all, _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[r]))));
        _mm_storeu_si128(at, all);
    } else {
        add_rows_portable(rows, count, lanes, sums);
    }
}
#endif

bool has_avx2() noexcept {
#if defined(LACONIC_HAS_AVX2)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

AddRows best() noexcept {
#if defined(LACONIC_HAS_AVX2)
    if (has_avx2()) return add_rows_avx2;
#endif
    return add_rows_portable;
}

std::atomic<AddRows>& chosen() noexcept {
    static std::atomic<AddRows> kernel{best()};
    return kernel;
}

}  // namespace

AddRows add_rows() noexcept {
    return chosen().load(std::memory_order_relaxed);
}

std::string instruction_set() noexcept {
    return add_rows() == add_rows_portable ? "portable" : "avx2";
}

std::string use_instruction_set(const std::string& name) {
    if (name == "portable") {
        chosen() = add_rows_portable;
    } else if (name == "auto" || (name == "avx2" && has_avx2())) {
        chosen() = best();
    } else {
        throw std::invalid_argument("no instruction set '" + name + "' on this machine: choose auto, portable" +
                                    (has_avx2() ? " or avx2" : ""));
    }
    return instruction_set();
}

}  // namespace laconic::learn
