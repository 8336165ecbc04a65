#include "learn/kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <stdexcept>

#include "learn/matrix.hpp"
#include "learn/numbered_rows.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define LACONIC_HAS_AVX2 1
#include <immintrin.h>
#endif

namespace laconic::learn {

namespace {

template <class Number>
void add_saturating(const Number* row, std::size_t lanes, std::int16_t* sums) {
    constexpr int lowest = std::numeric_limits<std::int16_t>::min();
    constexpr int highest = std::numeric_limits<std::int16_t>::max();
    for (std::size_t i = 0; i < lanes; ++i)
        sums[i] = static_cast<std::int16_t>(std::clamp(sums[i] + row[i], lowest, highest));
}

void add_rows_portable(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, const std::int16_t* from,
                       std::int16_t* sums) {
    if (from != sums) std::copy_n(from, lanes, sums);
    for (std::size_t r = 0; r < count; ++r) add_saturating(rows[r], lanes, sums);
}

void add_numbered_rows_portable(const std::int8_t* base, std::size_t stride, const std::uint32_t* numbers,
                                std::size_t count, std::size_t lanes, const std::int16_t* from, std::int16_t* sums) {
    if (from != sums) std::copy_n(from, lanes, sums);
    for (std::size_t r = 0; r < count; ++r) add_saturating(base + numbers[r] * stride, lanes, sums);
}

void add_sums_portable(const std::int16_t* const* rows, std::size_t count, std::size_t lanes, std::int16_t* sums) {
    for (std::size_t r = 0; r < count; ++r) add_saturating(rows[r], lanes, sums);
}

void score_labels_portable(const float* vector, const float* of_labels, std::size_t lanes, const std::uint16_t* labels,
                           std::size_t count, float* scores) {
    for (std::size_t i = 0; i < count; ++i) scores[i] = dot(vector, of_labels + labels[i] * lanes, lanes);
}

Top top_two_portable(const std::int16_t* sums, std::size_t, std::uint64_t lanes) {
    auto best = static_cast<std::uint32_t>(std::countr_zero(lanes));
    std::int32_t highest = sums[best];
    std::int32_t second = std::numeric_limits<std::int16_t>::min();
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        const std::int32_t score = sums[lane];
        second = std::max(second, std::min(score, highest));
        best = score > highest ? lane : best;  // without a branch: it would be unpredictable
        highest = std::max(highest, score);
    }
    return {best, highest - second};
}

#if defined(LACONIC_HAS_AVX2)
__attribute__((target("avx2"))) inline __m256i load(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline void store(std::int16_t* to, __m256i sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
}

// Whole rows stay in registers while the run is added; rows longer than 32 lanes go in strips of 32.
__attribute__((target("avx2"))) void add_rows_avx2(const std::int8_t* const* rows, std::size_t count, std::size_t lanes,
                                                   const std::int16_t* from, std::int16_t* sums) {
    if (lanes % 32 == 0) {
        for (std::size_t strip = 0; strip < lanes; strip += 32) {
            __m256i low = load(from + strip);
            __m256i high = load(from + strip + 16);
            for (std::size_t r = 0; r < count; ++r) {
                const auto* row = reinterpret_cast<const __m128i*>(rows[r] + strip);
                low = _mm256_adds_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
                high = _mm256_adds_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(row + 1)));
            }
            store(sums + strip, low);
            store(sums + strip + 16, high);
        }
    } else if (lanes == 16) {
        __m256i all = load(from);
        for (std::size_t r = 0; r < count; ++r)
            all = _mm256_adds_epi16(all,
                                    _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[r]))));
        store(sums, all);
    } else if (lanes == 8) {
        __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        for (std::size_t r = 0; r < count; ++r)
            all = _mm_adds_epi16(all, _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[r]))));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sums), all);
    } else {
        add_rows_portable(rows, count, lanes, from, sums);
    }
}

__attribute__((target("avx2"))) inline __m256i add_sixteen(__m256i sums, const std::int8_t* row) {
    return _mm256_adds_epi16(sums, _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row))));
}

// In strips of 64 lanes, and one of 32 if that is left.
__attribute__((target("avx2"))) void add_numbered_rows_avx2(const std::int8_t* base, std::size_t stride,
                                                            const std::uint32_t* numbers, std::size_t count,
                                                            std::size_t lanes, const std::int16_t* from,
                                                            std::int16_t* sums) {
    std::size_t strip = 0;
    for (; strip + 64 <= lanes; strip += 64) {
        __m256i a = load(from + strip), b = load(from + strip + 16);
        __m256i c = load(from + strip + 32), d = load(from + strip + 48);
        for (std::size_t r = 0; r < count; ++r) {
            const std::int8_t* row = base + numbers[r] * stride + strip;
            a = add_sixteen(a, row);
            b = add_sixteen(b, row + 16);
            c = add_sixteen(c, row + 32);
            d = add_sixteen(d, row + 48);
        }
        store(sums + strip, a);
        store(sums + strip + 16, b);
        store(sums + strip + 32, c);
        store(sums + strip + 48, d);
    }
    if (strip == lanes) return;
    __m256i low = load(from + strip), high = load(from + strip + 16);
    for (std::size_t r = 0; r < count; ++r) {
        const std::int8_t* row = base + numbers[r] * stride + strip;
        low = add_sixteen(low, row);
        high = add_sixteen(high, row + 16);
    }
    store(sums + strip, low);
    store(sums + strip + 16, high);
}

__attribute__((target("avx2"))) void add_sums_avx2(const std::int16_t* const* rows, std::size_t count,
                                                   std::size_t lanes, std::int16_t* sums) {
    for (std::size_t strip = 0; strip < lanes; strip += 32) {
        __m256i low = load(sums + strip);
        __m256i high = load(sums + strip + 16);
        for (std::size_t r = 0; r < count; ++r) {
            low = _mm256_adds_epi16(low, load(rows[r] + strip));
            high = _mm256_adds_epi16(high, load(rows[r] + strip + 16));
        }
        store(sums + strip, low);
        store(sums + strip + 16, high);
    }
}

// The products of a vector with one of a label, in sixteen chains of which four are left.
__attribute__((target("avx2"))) inline __m128 four_chains(const float* vector, const float* of_label,
                                                          std::size_t lanes) {
    const auto product = [&](std::size_t i) __attribute__((target("avx2"))) {
        return _mm256_mul_ps(_mm256_loadu_ps(vector + i), _mm256_loadu_ps(of_label + i));
    };
    __m256 low = product(0), high = product(8);
    for (std::size_t i = 16; i < lanes; i += 16) {
        low = _mm256_add_ps(low, product(i));
        high = _mm256_add_ps(high, product(i + 8));
    }
    const __m256 both = _mm256_add_ps(low, high);
    return _mm_add_ps(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1));
}

// Four labels at a time: what is left of their chains is added in the same order as for one. Where the number of lanes
// is known to the compiler, the vector stays in registers.
template <std::size_t known>
__attribute__((target("avx2"))) inline void score_four_by_four(const float* vector, const float* of_labels,
                                                               std::size_t given, const std::uint16_t* labels,
                                                               std::size_t count, float* scores) {
    const std::size_t lanes = known != 0 ? known : given;
    const auto four = [&](std::size_t i, std::size_t last) __attribute__((target("avx2"))) {
        const auto chains = [&](std::size_t k) __attribute__((target("avx2"))) {
            return four_chains(vector, of_labels + labels[i + std::min(k, last)] * lanes, lanes);
        };
        const __m128 a = chains(0), b = chains(1), c = chains(2), d = chains(3);
        const __m128 ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        const __m128 cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        return _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab));
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) _mm_storeu_ps(scores + i, four(i, 3));
    if (i == count) return;
    alignas(16) std::array<float, 4> last;
    _mm_store_ps(last.data(), four(i, count - i - 1));
    for (std::size_t k = 0; i < count; ++i, ++k) scores[i] = last[k];
}

__attribute__((target("avx2"))) void score_labels_avx2(const float* vector, const float* of_labels, std::size_t lanes,
                                                       const std::uint16_t* labels, std::size_t count, float* scores) {
    if (lanes == 32)
        score_four_by_four<32>(vector, of_labels, lanes, labels, count, scores);
    else
        score_four_by_four<0>(vector, of_labels, lanes, labels, count, scores);
}

// 16 sums, the lowest number there is where the bit of a lane is not set.
__attribute__((target("avx2"))) inline __m256i chosen_sums(const std::int16_t* sums, std::uint64_t lanes) {
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                           std::numeric_limits<std::int16_t>::min());
    const __m256i wanted = _mm256_set1_epi16(static_cast<std::int16_t>(lanes));
    const __m256i is_wanted = _mm256_cmpeq_epi16(_mm256_and_si256(wanted, bits), bits);
    return _mm256_blendv_epi8(_mm256_set1_epi16(std::numeric_limits<std::int16_t>::min()), load(sums), is_wanted);
}

__attribute__((target("avx2"))) inline std::int16_t highest_of(__m256i sums) {
    const __m128i half = _mm_max_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    // The one instruction that looks across lanes takes the lowest of unsigned numbers.
    const __m128i turned = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(0x7fff)));
    return static_cast<std::int16_t>(_mm_extract_epi16(turned, 0) ^ 0x7fff);
}

__attribute__((target("avx2"))) Top top_two_avx2(const std::int16_t* sums, std::size_t width, std::uint64_t lanes) {
    if (width != 32) return top_two_portable(sums, width, lanes);
    const __m256i low = chosen_sums(sums, lanes);
    const __m256i high = chosen_sums(sums + 16, lanes >> 16);
    const std::int16_t highest = highest_of(_mm256_max_epi16(low, high));
    const __m256i wanted = _mm256_set1_epi16(highest);
    const __m256i packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(low, wanted), _mm256_cmpeq_epi16(high, wanted));
    const auto equal = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xd8)));
    const std::uint64_t first = (equal & lanes) & (~(equal & lanes) + 1);
    const std::uint64_t others = lanes & ~first;
    const std::int16_t second =
        highest_of(_mm256_max_epi16(chosen_sums(sums, others), chosen_sums(sums + 16, others >> 16)));
    return {static_cast<std::uint32_t>(std::countr_zero(first)), highest - second};
}
#endif

bool has_avx2() noexcept {
#if defined(LACONIC_HAS_AVX2)
    __builtin_cpu_init();  // this runs before main
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

struct Kernels {
    AddRows add_rows = add_rows_portable;
    TopTwo top_two = top_two_portable;
    AddNumberedRows add_numbered_rows = add_numbered_rows_portable;
    AddSums add_sums = add_sums_portable;
    ScoreLabels score_labels = score_labels_portable;
};
constexpr Kernels portable;
#if defined(LACONIC_HAS_AVX2)
constexpr Kernels avx2{add_rows_avx2, top_two_avx2, add_numbered_rows_avx2, add_sums_avx2, score_labels_avx2};
#endif

const Kernels* best() noexcept {
#if defined(LACONIC_HAS_AVX2)
    if (has_avx2()) return &avx2;
#endif
    return &portable;
}

std::atomic<const Kernels*> chosen{best()};

}  // namespace

AddRows add_rows() noexcept {
    return chosen.load(std::memory_order_relaxed)->add_rows;
}

TopTwo top_two() noexcept {
    return chosen.load(std::memory_order_relaxed)->top_two;
}

AddNumberedRows add_numbered_rows() noexcept {
    return chosen.load(std::memory_order_relaxed)->add_numbered_rows;
}

AddSums add_sums() noexcept {
    return chosen.load(std::memory_order_relaxed)->add_sums;
}

ScoreLabels score_labels() noexcept {
    return chosen.load(std::memory_order_relaxed)->score_labels;
}

std::string instruction_set() noexcept {
    return uses_avx2() ? "avx2" : "portable";
}

bool uses_avx2() noexcept {
    return chosen.load(std::memory_order_relaxed) != &portable;
}

std::string use_instruction_set(const std::string& name) {
    if (name == "portable") {
        chosen = &portable;
    } else if (name == "auto" || (name == "avx2" && has_avx2())) {
        chosen = best();
    } else {
        throw std::invalid_argument("no instruction set '" + name + "' on this machine: choose auto, portable" +
                                    (has_avx2() ? " or avx2" : ""));
    }
    return instruction_set();
}

}  // namespace laconic::learn
