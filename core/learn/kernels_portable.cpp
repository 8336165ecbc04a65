#include <algorithm>
#include <bit>
#include <limits>

#include "learn/kernel_sets.hpp"
#include "learn/matrix.hpp"

namespace laconic::learn {

namespace {

void add_rows_portable(const std::int8_t* const* rows, std::size_t count, std::size_t lanes, const std::int16_t* from,
                       std::int16_t* sums) {
    constexpr int lowest = std::numeric_limits<std::int16_t>::min();
    constexpr int highest = std::numeric_limits<std::int16_t>::max();
    if (from != sums) std::copy_n(from, lanes, sums);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < lanes; ++i)
            sums[i] = static_cast<std::int16_t>(std::clamp(sums[i] + rows[r][i], lowest, highest));
}

void add_rows_and_sums_portable(const std::int8_t* const* rows, std::size_t count, const std::int16_t* const* sums,
                                std::size_t sum_count, std::size_t lanes, std::int16_t* to) {
    constexpr int lowest = std::numeric_limits<std::int16_t>::min();
    constexpr int highest = std::numeric_limits<std::int16_t>::max();
    add_rows_portable(rows, count, lanes, to, to);
    for (std::size_t r = 0; r < sum_count; ++r)
        for (std::size_t i = 0; i < lanes; ++i)
            to[i] = static_cast<std::int16_t>(std::clamp(to[i] + sums[r][i], lowest, highest));
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

Top lead_labels_portable(const OutputLayer& layer, const std::int16_t* sums, std::int16_t* active,
                         const Candidates& candidates, std::int32_t* scores) {
    for (std::size_t u = 0; u < layer.units; ++u) {
        const std::int32_t positive = std::max<std::int32_t>(sums[u], 0);
        active[u] =
            static_cast<std::int16_t>(std::min<std::int32_t>((positive * positive) >> layer.shift, active_limit));
    }
    for (const Label label : candidates.labels) {
        const std::int16_t* row = layer.rows + label * layer.units;
        std::int32_t sum = 0;
        for (std::size_t u = 0; u < layer.units; ++u) sum += std::int32_t{active[u]} * row[u];
        scores[label] = layer.offsets[label] + sum;
    }
    std::uint32_t best = candidates.labels[0];
    std::int32_t highest = scores[best];
    std::int32_t second = std::numeric_limits<std::int32_t>::min() / 2;
    for (const Label label : candidates.labels.subspan(1)) {
        const std::int32_t score = scores[label];
        second = std::max(second, std::min(score, highest));
        best = score > highest ? label : best;  // without a branch: it would be unpredictable
        highest = std::max(highest, score);
    }
    return {best, highest - second};
}

}  // namespace

const Kernels portable_kernels{add_rows_portable, top_two_portable, add_rows_and_sums_portable, score_labels_portable,
                               lead_labels_portable};

}  // namespace laconic::learn
