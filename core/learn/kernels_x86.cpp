#include "learn/kernel_sets.hpp"

#if defined(LACONIC_X86)

// The headers of GCC 12 read registers that they mean to be undefined.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#define AVX2 __attribute__((target("avx2,bmi")))
#define AVX512 __attribute__((target("avx2,bmi,avx512f,avx512bw,avx512vl,avx512vnni")))

namespace laconic::learn {

namespace {

constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min() / 2;

AVX2 inline __m256i load(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

AVX2 inline void store(std::int16_t* to, __m256i sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
}

// Rows stay in registers while the run is added: strips of 64 lanes, or of 32.
AVX2 void add_rows_avx2(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, const std::int16_t* from,
                        std::int16_t* sums) {
    if (lanes % 32 == 0) {
        std::size_t strip = 0;
        for (; strip + 64 <= lanes; strip += 64) {
            __m256i a = load(from + strip), b = load(from + strip + 16);
            __m256i c = load(from + strip + 32), d = load(from + strip + 48);
            for (std::size_t r = 0; r < count; ++r) {
                const auto* row = reinterpret_cast<const __m128i*>(rows[r] + strip);
                a = _mm256_adds_epi16(a, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
                b = _mm256_adds_epi16(b, _mm256_cvtepi8_epi16(_mm_loadu_si128(row + 1)));
                c = _mm256_adds_epi16(c, _mm256_cvtepi8_epi16(_mm_loadu_si128(row + 2)));
                d = _mm256_adds_epi16(d, _mm256_cvtepi8_epi16(_mm_loadu_si128(row + 3)));
            }
            store(sums + strip, a);
            store(sums + strip + 16, b);
            store(sums + strip + 32, c);
            store(sums + strip + 48, d);
        }
        if (strip < lanes) {
            __m256i low = load(from + strip), high = load(from + strip + 16);
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
        portable_kernels.add_rows(rows, count, lanes, from, sums);
    }
}

// The same with sums of rows: `Vectors` of 16 lanes at a time.
template <std::size_t Vectors>
AVX2 inline void add_strip(const std::int8_t* const* rows, std::size_t count, const std::int16_t* const* sums,
                           std::size_t sum_count, std::size_t strip, std::int16_t* to) {
    __m256i all[Vectors];
    for (std::size_t i = 0; i < Vectors; ++i) all[i] = load(to + strip + 16 * i);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < Vectors; ++i)
            all[i] = _mm256_adds_epi16(
                all[i],
                _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[r] + strip + 16 * i))));
    for (std::size_t r = 0; r < sum_count; ++r)
        for (std::size_t i = 0; i < Vectors; ++i) all[i] = _mm256_adds_epi16(all[i], load(sums[r] + strip + 16 * i));
    for (std::size_t i = 0; i < Vectors; ++i) store(to + strip + 16 * i, all[i]);
}
AVX2 void add_rows_and_sums_avx2(const std::int8_t* const* rows, std::size_t count, const std::int16_t* const* sums,
                                 std::size_t sum_count, std::size_t lanes, std::int16_t* to) {
    std::size_t strip = 0;
    for (; strip + 64 <= lanes; strip += 64) add_strip<4>(rows, count, sums, sum_count, strip, to);
    if (strip < lanes) add_strip<2>(rows, count, sums, sum_count, strip, to);
}

// The products of a vector with one of a label, in sixteen chains of which four are left.
AVX2 inline __m128 four_chains(const float* vector, const float* of_label, std::size_t lanes) {
    __m256 low = _mm256_setzero_ps(), high = _mm256_setzero_ps();
    for (std::size_t i = 0; i < lanes; i += 16) {
        low = _mm256_add_ps(low, _mm256_mul_ps(_mm256_loadu_ps(vector + i), _mm256_loadu_ps(of_label + i)));
        high = _mm256_add_ps(high, _mm256_mul_ps(_mm256_loadu_ps(vector + i + 8), _mm256_loadu_ps(of_label + i + 8)));
    }
    const __m256 both = _mm256_add_ps(low, high);
    return _mm_add_ps(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1));
}

// Four labels at a time: what is left of their chains is added in the same order as for one. Where the number of lanes
// is known to the compiler, the vector stays in registers.
template <std::size_t known>
AVX2 inline void score_by_four(const float* vector, const float* of_labels, std::size_t given,
                               const std::uint16_t* labels, std::size_t count, float* scores) {
    const std::size_t lanes = known != 0 ? known : given;
    for (std::size_t i = 0; i < count; i += 4) {
        std::array<const float*, 4> four;
        for (std::size_t k = 0; k < 4; ++k) four[k] = of_labels + labels[std::min(i + k, count - 1)] * lanes;
        const __m128 a = four_chains(vector, four[0], lanes), b = four_chains(vector, four[1], lanes);
        const __m128 c = four_chains(vector, four[2], lanes), d = four_chains(vector, four[3], lanes);
        const __m128 ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        const __m128 cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        const __m128 all = _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab));
        if (i + 4 <= count) {
            _mm_storeu_ps(scores + i, all);
            continue;
        }
        alignas(16) std::array<float, 4> last;
        _mm_store_ps(last.data(), all);
        std::copy_n(last.begin(), count - i, scores + i);
    }
}

AVX2 void score_labels_avx2(const float* vector, const float* of_labels, std::size_t lanes, const std::uint16_t* labels,
                            std::size_t count, float* scores) {
    if (lanes == 32)
        score_by_four<32>(vector, of_labels, lanes, labels, count, scores);
    else
        score_by_four<0>(vector, of_labels, lanes, labels, count, scores);
}

// 16 sums, the lowest number there is where the bit of a lane is not set.
AVX2 inline __m256i chosen_sums(const std::int16_t* sums, std::uint64_t lanes) {
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                           std::numeric_limits<std::int16_t>::min());
    const __m256i wanted = _mm256_set1_epi16(static_cast<std::int16_t>(lanes));
    const __m256i is_wanted = _mm256_cmpeq_epi16(_mm256_and_si256(wanted, bits), bits);
    return _mm256_blendv_epi8(_mm256_set1_epi16(std::numeric_limits<std::int16_t>::min()), load(sums), is_wanted);
}

AVX2 inline std::int16_t highest_of(__m256i sums) {
    const __m128i half = _mm_max_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    // The one instruction that looks across lanes takes the lowest of unsigned numbers.
    const __m128i turned = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(0x7fff)));
    return static_cast<std::int16_t>(_mm_extract_epi16(turned, 0) ^ 0x7fff);
}

AVX2 Top top_two_avx2(const std::int16_t* sums, std::size_t width, std::uint64_t lanes) {
    if (width != 32) return portable_kernels.top_two(sums, width, lanes);
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

// What an output layer reads of 16 sums.
AVX2 inline __m256i activated(const std::int16_t* sums, __m128i shift) {
    const __m256i positive = _mm256_max_epi16(load(sums), _mm256_setzero_si256());
    const __m256i low = _mm256_mullo_epi16(positive, positive), high = _mm256_mulhi_epu16(positive, positive);
    // Squares are below 2^30, so that packing saturates those that the limit cuts anyway.
    const __m256i squares = _mm256_packs_epi32(_mm256_srl_epi32(_mm256_unpacklo_epi16(low, high), shift),
                                               _mm256_srl_epi32(_mm256_unpackhi_epi16(low, high), shift));
    return _mm256_min_epi16(squares, _mm256_set1_epi16(active_limit));
}
AVX2 inline void activate_avx2(const std::int16_t* sums, std::size_t units, std::uint32_t shift, std::int16_t* active) {
    const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
    for (std::size_t u = 0; u < units; u += 16) store(active + u, activated(sums + u, by));
}

AVX512 void activate_avx512(const std::int16_t* sums, std::size_t units, std::uint32_t shift, std::int16_t* active) {
    const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
    for (std::size_t u = 0; u < units; u += 32) {
        const __m512i positive = _mm512_max_epi16(_mm512_loadu_si512(sums + u), _mm512_setzero_si512());
        const __m512i low = _mm512_mullo_epi16(positive, positive), high = _mm512_mulhi_epu16(positive, positive);
        const __m512i squares = _mm512_packs_epi32(_mm512_srl_epi32(_mm512_unpacklo_epi16(low, high), by),
                                                   _mm512_srl_epi32(_mm512_unpackhi_epi16(low, high), by));
        _mm512_storeu_si512(active + u, _mm512_min_epi16(squares, _mm512_set1_epi16(active_limit)));
    }
}

AVX512 void add_rows_avx512(const std::int8_t* const* rows, std::size_t count, std::size_t lanes,
                            const std::int16_t* from, std::int16_t* sums) {
    if (lanes % 64 != 0) return add_rows_avx2(rows, count, lanes, from, sums);
    for (std::size_t strip = 0; strip < lanes; strip += 64) {
        __m512i low = _mm512_loadu_si512(from + strip), high = _mm512_loadu_si512(from + strip + 32);
        for (std::size_t r = 0; r < count; ++r) {
            const auto* row = reinterpret_cast<const __m256i*>(rows[r] + strip);
            low = _mm512_adds_epi16(low, _mm512_cvtepi8_epi16(_mm256_loadu_si256(row)));
            high = _mm512_adds_epi16(high, _mm512_cvtepi8_epi16(_mm256_loadu_si256(row + 1)));
        }
        _mm512_storeu_si512(sums + strip, low);
        _mm512_storeu_si512(sums + strip + 32, high);
    }
}

AVX512 void add_rows_and_sums_avx512(const std::int8_t* const* rows, std::size_t count, const std::int16_t* const* sums,
                                     std::size_t sum_count, std::size_t lanes, std::int16_t* to) {
    if (lanes % 64 != 0) return add_rows_and_sums_avx2(rows, count, sums, sum_count, lanes, to);
    add_rows_avx512(rows, count, lanes, to, to);
    for (std::size_t strip = 0; strip < lanes; strip += 64) {
        __m512i low = _mm512_loadu_si512(to + strip), high = _mm512_loadu_si512(to + strip + 32);
        for (std::size_t r = 0; r < sum_count; ++r) {
            low = _mm512_adds_epi16(low, _mm512_loadu_si512(sums[r] + strip));
            high = _mm512_adds_epi16(high, _mm512_loadu_si512(sums[r] + strip + 32));
        }
        _mm512_storeu_si512(to + strip, low);
        _mm512_storeu_si512(to + strip + 32, high);
    }
}

// The best two of a few scores.
struct Leaders {
    std::uint32_t best = 0;
    std::int32_t highest = lowest, second = lowest;

    void see(std::uint32_t label, std::int32_t score) noexcept {
        second = std::max(second, std::min(score, highest));
        best = score > highest ? label : best;
        highest = std::max(highest, score);
    }
};

// Sums of four vectors of eight numbers each.
AVX2 inline __m128i four_sums(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

// The products of active units with the weights of one label, to be added up. `known` units are in registers, if that
// many are known to the compiler.
template <std::size_t known>
struct UnitsAvx2 {
    AVX2 UnitsAvx2(const OutputLayer& layer, const std::int16_t* sums, std::int16_t*) {
        const __m128i by = _mm_cvtsi32_si128(static_cast<int>(layer.shift));
        for (std::size_t i = 0; i < known / 16; ++i) active[i] = activated(sums + 16 * i, by);
    }
    AVX2 __m256i times(const std::int16_t* row) const {
        __m256i sum = _mm256_madd_epi16(active[0], load(row));
        for (std::size_t i = 1; i < known / 16; ++i)
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(active[i], load(row + 16 * i)));
        return sum;
    }
    __m256i active[known / 16];
};
template <>
struct UnitsAvx2<0> {
    AVX2 UnitsAvx2(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* room)
        : active(room), units(layer.units) {
        activate_avx2(sums, units, layer.shift, room);
    }
    AVX2 __m256i times(const std::int16_t* row) const {
        __m256i sum = _mm256_madd_epi16(load(active), load(row));
        for (std::size_t u = 16; u < units; u += 16)
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(load(active + u), load(row + u)));
        return sum;
    }
    const std::int16_t* active;
    std::size_t units;
};

// Few labels: row by row, four at a time, the last of them again where fewer are left.
template <class Units>
AVX2 inline Top lead_few_avx2(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* active,
                              std::span<const Label> labels, std::int32_t* scores) {
    const Units units(layer, sums, active);
    const std::int16_t* const rows = layer.rows;
    Leaders leaders;
    const std::size_t count = labels.size();
    for (std::size_t i = 0; i < count; i += 4) {
        const std::size_t left = count - i;
        const std::size_t a = labels[i], b = labels[i + (left > 1 ? 1 : 0)];
        const std::size_t c = left > 2 ? labels[i + 2] : b, d = left > 3 ? labels[i + 3] : c;
        const __m256i first = units.times(rows + a * layer.units), second = units.times(rows + b * layer.units);
        const __m256i third = units.times(rows + c * layer.units);
        const __m256i fourth = left > 3 ? units.times(rows + d * layer.units) : third;
        const __m128i four = four_sums(first, second, third, fourth);
        const auto see = [&](std::size_t label, std::int32_t sum) {
            const std::int32_t score = layer.offsets[label] + sum;
            scores[label] = score;
            leaders.see(static_cast<std::uint32_t>(label), score);
        };
        see(a, _mm_cvtsi128_si32(four));
        if (left > 1) see(b, _mm_extract_epi32(four, 1));
        if (left > 2) see(c, _mm_extract_epi32(four, 2));
        if (left > 3) see(d, _mm_extract_epi32(four, 3));
    }
    return {leaders.best, leaders.highest - leaders.second};
}
AVX512 inline __m256i product_vnni(const std::int16_t* active, const std::int16_t* row, std::size_t units) {
    __m256i even = _mm256_setzero_si256(), odd = even;
    for (std::size_t u = 0; u < units; u += 32) {
        even = _mm256_dpwssd_epi32(even, load(active + u), load(row + u));
        odd = _mm256_dpwssd_epi32(odd, load(active + u + 16), load(row + u + 16));
    }
    return _mm256_add_epi32(even, odd);
}
AVX512 Top lead_few_avx512(const OutputLayer& layer, const std::int16_t* active, std::span<const Label> labels,
                           std::int32_t* scores) {
    Leaders leaders;
    for (std::size_t i = 0; i < labels.size(); i += 4) {
        __m256i products[4];
        for (std::size_t k = 0; k < 4; ++k)
            products[k] = product_vnni(active, layer.rows + labels[std::min(i + k, labels.size() - 1)] * layer.units,
                                       layer.units);
        alignas(16) std::array<std::int32_t, 4> sums;
        _mm_store_si128(reinterpret_cast<__m128i*>(sums.data()),
                        four_sums(products[0], products[1], products[2], products[3]));
        for (std::size_t k = 0; k < std::min<std::size_t>(4, labels.size() - i); ++k) {
            const Label label = labels[i + k];
            scores[label] = layer.offsets[label] + sums[k];
            leaders.see(label, scores[label]);
        }
    }
    return {leaders.best, leaders.highest - leaders.second};
}

// Pairs of units that are not both zero, of 32 from `active` on, as bits.
AVX2 inline std::uint32_t lit_pairs(const std::int16_t* active, std::size_t pairs) {
    std::uint32_t lit = 0;
    for (std::size_t p = 0; p < pairs; p += 8) {
        const __m256i zero = _mm256_cmpeq_epi32(load(active + 2 * p), _mm256_setzero_si256());
        lit |= (~static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) & 0xffU) << p;
    }
    return lit;
}
inline std::int32_t pair_at(const std::int16_t* active, std::size_t pair) noexcept {
    std::int32_t both;
    std::memcpy(&both, active + 2 * pair, sizeof both);
    return both;
}

// Many labels: all of `Blocks` blocks of 16 (AVX-512) or 8 (AVX2) at the same time, pair of units by pair of units.
template <std::size_t Blocks>
AVX512 void score_blocks_avx512(const OutputLayer& layer, const std::int16_t* active, std::size_t first,
                                std::int32_t* scores) {
    __m512i sums[Blocks];
    for (std::size_t b = 0; b < Blocks; ++b) sums[b] = _mm512_loadu_si512(layer.offsets + first + 16 * b);
    for (std::size_t begin = 0; begin < layer.units / 2; begin += 32) {
        const std::size_t some = std::min<std::size_t>(32, layer.units / 2 - begin);
        for (std::uint32_t lit = lit_pairs(active + 2 * begin, some); lit != 0; lit &= lit - 1) {
            const std::size_t pair = begin + static_cast<std::size_t>(std::countr_zero(lit));
            const __m512i both = _mm512_set1_epi32(pair_at(active, pair));
            const std::int16_t* weights = layer.pairs + 2 * (pair * layer.padded + first);
            for (std::size_t b = 0; b < Blocks; ++b)
                sums[b] = _mm512_dpwssd_epi32(sums[b], both, _mm512_loadu_si512(weights + 32 * b));
        }
    }
    for (std::size_t b = 0; b < Blocks; ++b) _mm512_storeu_si512(scores + first + 16 * b, sums[b]);
}

// The best two of candidates by their bits and the first label of the best: in each of eight lanes first.
struct LanesAvx2 {
    __m256i first, second, label;
};
AVX2 inline __m256i larger_labels(__m256i first, __m256i other, __m256i label, __m256i other_label) {
    // Of equal scores the smaller label: where the other score is not larger, and is smaller or has the larger label.
    const __m256i worse = _mm256_cmpgt_epi32(first, other);
    const __m256i later = _mm256_and_si256(_mm256_cmpeq_epi32(first, other), _mm256_cmpgt_epi32(other_label, label));
    return _mm256_blendv_epi8(other_label, label, _mm256_or_si256(worse, later));
}
AVX2 inline void meet(LanesAvx2& lanes, __m256i first, __m256i second, __m256i label) {
    lanes.label = larger_labels(lanes.first, first, lanes.label, label);
    lanes.second = _mm256_max_epi32(_mm256_max_epi32(lanes.second, second), _mm256_min_epi32(lanes.first, first));
    lanes.first = _mm256_max_epi32(lanes.first, first);
}
AVX2 inline std::int32_t first_number(__m256i all) {
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(all));
}
AVX2 inline Top across(LanesAvx2 lanes) {
    meet(lanes, _mm256_permute4x64_epi64(lanes.first, 0x4e), _mm256_permute4x64_epi64(lanes.second, 0x4e),
         _mm256_permute4x64_epi64(lanes.label, 0x4e));
    meet(lanes, _mm256_shuffle_epi32(lanes.first, 0x4e), _mm256_shuffle_epi32(lanes.second, 0x4e),
         _mm256_shuffle_epi32(lanes.label, 0x4e));
    meet(lanes, _mm256_shuffle_epi32(lanes.first, 0xb1), _mm256_shuffle_epi32(lanes.second, 0xb1),
         _mm256_shuffle_epi32(lanes.label, 0xb1));
    return {static_cast<std::uint32_t>(first_number(lanes.label)),
            first_number(lanes.first) - first_number(lanes.second)};
}

// Bits of the candidates among eight labels from 8 * `block` on.
inline std::uint32_t chosen_eight(const Candidates& candidates, std::size_t block) noexcept {
    const std::uint32_t both = candidates.blocks[block / 2 - candidates.first_block];
    return block % 2 == 0 ? both & 0xffU : both >> 8;
}

template <std::size_t Blocks>
AVX2 void lead_blocks_avx2(const OutputLayer& layer, const std::int16_t* active, std::size_t first_block,
                           const Candidates& candidates, std::int32_t* scores, LanesAvx2& lanes) {
    const std::size_t first = 8 * first_block;
    __m256i sums[Blocks];
#pragma GCC unroll 16
    for (std::size_t b = 0; b < Blocks; ++b)
        sums[b] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(layer.offsets + first + 8 * b));
    const std::int16_t* const pairs = layer.pairs + 2 * first;
    for (std::size_t begin = 0; begin < layer.units / 2; begin += 32) {
        const std::size_t some = std::min<std::size_t>(32, layer.units / 2 - begin);
        for (std::uint32_t lit = lit_pairs(active + 2 * begin, some); lit != 0; lit &= lit - 1) {
            const std::size_t pair = begin + static_cast<std::size_t>(std::countr_zero(lit));
            const __m256i both = _mm256_set1_epi32(pair_at(active, pair));
            const std::int16_t* weights = pairs + 2 * pair * layer.padded;
#pragma GCC unroll 16
            for (std::size_t b = 0; b < Blocks; ++b)
                sums[b] = _mm256_add_epi32(sums[b], _mm256_madd_epi16(both, load(weights + 16 * b)));
        }
    }
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i none = _mm256_set1_epi32(lowest);
    __m256i label =
        _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(static_cast<int>(first)));
#pragma GCC unroll 16
    for (std::size_t b = 0; b < Blocks; ++b) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(scores + first + 8 * b), sums[b]);
        const __m256i wanted = _mm256_set1_epi32(static_cast<int>(chosen_eight(candidates, first_block + b)));
        const __m256i is_wanted = _mm256_cmpeq_epi32(_mm256_and_si256(wanted, bits), bits);
        const __m256i score = _mm256_blendv_epi8(none, sums[b], is_wanted);
        lanes.label = _mm256_blendv_epi8(lanes.label, label, _mm256_cmpgt_epi32(score, lanes.first));
        lanes.second = _mm256_max_epi32(lanes.second, _mm256_min_epi32(lanes.first, score));
        lanes.first = _mm256_max_epi32(lanes.first, score);
        label = _mm256_add_epi32(label, _mm256_set1_epi32(8));
    }
}

using ScoreBlocks = void (*)(const OutputLayer&, const std::int16_t*, std::size_t, std::int32_t*);
// By the number of blocks, from 1 on: as many as fit into registers.
constexpr std::array<ScoreBlocks, 8> by_blocks_avx512{
    score_blocks_avx512<1>, score_blocks_avx512<2>, score_blocks_avx512<3>, score_blocks_avx512<4>,
    score_blocks_avx512<5>, score_blocks_avx512<6>, score_blocks_avx512<7>, score_blocks_avx512<8>};
using LeadBlocks = void (*)(const OutputLayer&, const std::int16_t*, std::size_t, const Candidates&, std::int32_t*,
                            LanesAvx2&);
constexpr std::array<LeadBlocks, 12> by_blocks_avx2{lead_blocks_avx2<1>,  lead_blocks_avx2<2>,  lead_blocks_avx2<3>,
                                                    lead_blocks_avx2<4>,  lead_blocks_avx2<5>,  lead_blocks_avx2<6>,
                                                    lead_blocks_avx2<7>,  lead_blocks_avx2<8>,  lead_blocks_avx2<9>,
                                                    lead_blocks_avx2<10>, lead_blocks_avx2<11>, lead_blocks_avx2<12>};

void score_many_avx512(const OutputLayer& layer, const std::int16_t* active, const Candidates& candidates,
                       std::int32_t* scores) {
    std::size_t first = 16 * candidates.first_block;
    for (std::size_t left = candidates.blocks.size(); left > 0;) {
        const std::size_t some = std::min(left, by_blocks_avx512.size());
        by_blocks_avx512[some - 1](layer, active, first, scores);
        first += some * 16;
        left -= some;
    }
}

// Blocks of eight labels from the first candidate to the last, in parts of nearly equal size.
AVX2 Top lead_many_avx2(const OutputLayer& layer, const std::int16_t* active, const Candidates& candidates,
                        std::int32_t* scores) {
    const __m256i none = _mm256_set1_epi32(lowest);
    LanesAvx2 lanes{none, none, _mm256_set1_epi32(std::numeric_limits<std::int32_t>::max())};
    std::size_t first = candidates.labels.front() / 8U;
    std::size_t left = candidates.labels.back() / 8U + 1 - first;
    for (std::size_t parts = (left + by_blocks_avx2.size() - 1) / by_blocks_avx2.size(); parts > 0; --parts) {
        const std::size_t some = (left + parts - 1) / parts;
        by_blocks_avx2[some - 1](layer, active, first, candidates, scores, lanes);
        first += some;
        left -= some;
    }
    return across(lanes);
}

// The best two of the candidates by their bits: in each lane first, then across lanes.
struct Lanes {
    __m512i first, second;
};
AVX512 inline void meet(Lanes& lanes, __m512i first, __m512i second) {
    lanes.second = _mm512_max_epi32(_mm512_max_epi32(lanes.second, second), _mm512_min_epi32(lanes.first, first));
    lanes.first = _mm512_max_epi32(lanes.first, first);
}
AVX512 inline __m512i chosen_scores(const Candidates& candidates, std::size_t block, const std::int32_t* scores) {
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(lowest), candidates.blocks[block],
                                   scores + 16 * (candidates.first_block + block));
}
AVX512 Top best_two_avx512(const Candidates& candidates, const std::int32_t* scores) {
    const __m512i none = _mm512_set1_epi32(lowest);
    Lanes lanes{chosen_scores(candidates, 0, scores), none};
    for (std::size_t b = 1; b < candidates.blocks.size(); ++b) meet(lanes, chosen_scores(candidates, b, scores), none);
    meet(lanes, _mm512_shuffle_i64x2(lanes.first, lanes.first, 0x4e),
         _mm512_shuffle_i64x2(lanes.second, lanes.second, 0x4e));
    meet(lanes, _mm512_shuffle_i64x2(lanes.first, lanes.first, 0xb1),
         _mm512_shuffle_i64x2(lanes.second, lanes.second, 0xb1));
    meet(lanes, _mm512_shuffle_epi32(lanes.first, _MM_PERM_BADC), _mm512_shuffle_epi32(lanes.second, _MM_PERM_BADC));
    meet(lanes, _mm512_shuffle_epi32(lanes.first, _MM_PERM_CDAB), _mm512_shuffle_epi32(lanes.second, _MM_PERM_CDAB));
    std::size_t b = 0;
    std::uint32_t same = 0;
    while ((same = _mm512_mask_cmpeq_epi32_mask(candidates.blocks[b], chosen_scores(candidates, b, scores),
                                                lanes.first)) == 0)
        ++b;
    return {static_cast<std::uint32_t>(16 * (candidates.first_block + b)) +
                static_cast<std::uint32_t>(std::countr_zero(same)),
            _mm_cvtsi128_si32(_mm512_castsi512_si128(lanes.first)) -
                _mm_cvtsi128_si32(_mm512_castsi512_si128(lanes.second))};
}

// From so many labels on, all of their blocks are looked at.
constexpr std::size_t many_labels = 24;

Top lead_labels_avx512(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* active,
                       const Candidates& candidates, std::int32_t* scores) {
    activate_avx512(sums, layer.units, layer.shift, active);
    if (candidates.blocks.empty() || candidates.labels.size() < many_labels)
        return lead_few_avx512(layer, active, candidates.labels, scores);
    score_many_avx512(layer, active, candidates, scores);
    return best_two_avx512(candidates, scores);
}

// A label by itself takes about as long as a third of a block of eight.
bool is_many(const Candidates& candidates) noexcept {
    const std::size_t blocks = candidates.labels.back() / 8U - candidates.labels.front() / 8U + 1;
    return !candidates.blocks.empty() && candidates.labels.size() > 3 * blocks + 5;
}

AVX2 Top lead_labels_avx2(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* active,
                          const Candidates& candidates, std::int32_t* scores) {
    if (is_many(candidates)) {
        activate_avx2(sums, layer.units, layer.shift, active);
        return lead_many_avx2(layer, active, candidates, scores);
    }
    if (layer.units == 64) return lead_few_avx2<UnitsAvx2<64>>(layer, sums, active, candidates.labels, scores);
    return lead_few_avx2<UnitsAvx2<0>>(layer, sums, active, candidates.labels, scores);
}

}  // namespace

const Kernels avx2_kernels{add_rows_avx2, top_two_avx2, add_rows_and_sums_avx2, score_labels_avx2, lead_labels_avx2};
const Kernels avx512_kernels{add_rows_avx512, top_two_avx2, add_rows_and_sums_avx512, score_labels_avx2,
                             lead_labels_avx512};

}  // namespace laconic::learn

#endif
