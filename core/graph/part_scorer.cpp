#include "graph/part_scorer.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/memory.hpp"

namespace laconic::graph {

namespace {

constexpr int fraction = 16;                // bits of the factor behind the point
constexpr double largest_factor = 1 << 20;  // sums of rows times such a factor stay within 64 bits

}  // namespace

PartScorer::PartScorer(const SiblingModel& model, double scale, const features::WordRows& rows,
                       const corpus::Columns& columns)
    : model_(model), keys_(model.parts, rows, columns) {
    const double factor = scale / model.table.scale();
    if (!(factor <= largest_factor)) throw ModelError("the scale of the siblings' weights is damaged");
    factor_ = std::llround(factor * (1 << fraction));
    waiting_.reserve(block);
}

void PartScorer::flush() {
    for (const Probe& one : waiting_)
        sums_[one.part] += static_cast<std::int8_t>(
            model_.table.row(one.template_index, one.key, one.bucket)[learn::dead_lanes + one.lane]);
    waiting_.clear();
}

void PartScorer::add(std::size_t group, std::span<const ScoredPart> parts) {
    sums_.assign(parts.size(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ScoredPart& part = parts[i];
        const auto lane = static_cast<std::uint16_t>(part_lane(part.head, part.modifier));
        keys_.visit(
            first(group), last(group), part.head, part.sibling, part.modifier, [&](std::size_t t, std::uint64_t key) {
                if (waiting_.size() == block) flush();
                const std::uint8_t* bucket = model_.table.bucket(t, key);
                prefetch(bucket);
                waiting_.push_back({key, bucket, static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(t), lane});
                ++rows_read_;
            });
    }
    flush();
    for (std::size_t i = 0; i < parts.size(); ++i)
        *parts[i].score += static_cast<Score>((sums_[i] * factor_) >> fraction);
}

}  // namespace laconic::graph
