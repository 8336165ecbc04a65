#include "graph/part_scorer.hpp"

#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/memory.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace laconic::graph {

namespace {

constexpr std::size_t row_bytes = 4;

// A row of directions has 4 bytes, so a bucket has sixteen, filled from the first on. The one with a fingerprint; none:
// nullptr.
const std::uint8_t* find_row(const std::uint8_t* bucket, std::uint16_t wanted) noexcept {
#if defined(__SSE2__)
    const __m128i mask = _mm_set1_epi32(0xffff), sought = _mm_set1_epi32(wanted);
    const auto same = [&](std::size_t at) {
        const __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(bucket) + at);
        return _mm_cmpeq_epi32(_mm_and_si128(four, mask), sought);
    };
    const __m128i low = _mm_packs_epi32(same(0), same(1)), high = _mm_packs_epi32(same(2), same(3));
    const auto found = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    return found == 0 ? nullptr : bucket + std::countr_zero(found) * std::ptrdiff_t{row_bytes};
#else
    for (std::size_t at = 0; at < cache_line; at += row_bytes)
        if (learn::read16(bucket + at) == wanted) return bucket + at;
    return nullptr;
#endif
}

constexpr int fraction = 16;                // bits of the factor behind the point
constexpr double largest_factor = 1 << 20;  // sums of rows times such a factor stay within 64 bits

}  // namespace

PartScorer::PartScorer(const SiblingModel& model, double scale, const features::WordRows& rows,
                       const corpus::Columns& columns)
    : model_(model), keys_(model.parts, rows, columns) {
    const double factor = scale / model.table.scale();
    if (!(factor <= largest_factor)) throw ModelError("the scale of the siblings' weights is damaged");
    factor_ = std::llround(factor * (1 << fraction));
    for (std::size_t t = 0; t < model.table.templates(); ++t) buckets_.emplace_back(model.table, t);
}

void PartScorer::flush() {
    rows_read_ += waits_;
    for (const Probe& one : std::span(waiting_).first(waits_)) {
        const std::uint8_t* row = find_row(one.bucket, learn::fingerprint(one.key));
        if (row == nullptr) {
            if (learn::read16(one.bucket + cache_line - row_bytes) == 0) continue;
            row = model_.table.row(one.template_index, one.key, one.bucket);
        }
        sums_[one.part] += static_cast<std::int8_t>(row[learn::dead_lanes + one.lane]);
    }
    waits_ = 0;
}

void PartScorer::add(std::size_t group, std::span<const ScoredPart> parts) {
    sums_.assign(parts.size(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ScoredPart& part = parts[i];
        const auto lane = static_cast<std::uint16_t>(part_lane(part.head, part.modifier));
        keys_.visit(group, part.head, part.sibling, part.modifier, [&](std::size_t t, std::uint64_t key) {
            if (waits_ == block) flush();
            const std::uint8_t* bucket = buckets_[t].of(key);
            prefetch(bucket);
            waiting_[waits_++] = {key, bucket, static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(t), lane};
        });
    }
    flush();
    for (std::size_t i = 0; i < parts.size(); ++i)
        *parts[i].score += static_cast<Score>((sums_[i] * factor_) >> fraction);
}

}  // namespace laconic::graph
