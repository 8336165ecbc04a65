#pragma once
// Scores of parts by linear rows, group after group of templates: one row per template, with a weight for modifiers to
// the left of their head and one for those to the right.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/buckets.hpp"
#include "graph/edges.hpp"
#include "graph/part_keys.hpp"
#include "learn/table.hpp"

namespace laconic::graph {

inline constexpr std::size_t part_lanes = 2;  // by direction

constexpr std::size_t part_lane(Node head, Node modifier) noexcept {
    return modifier < head ? 0 : 1;
}

// What is known of parts. Nothing is owned.
struct SiblingModel {
    const ArcModel& parts;  // its templates read siblings; the length dictionary is not looked at
    const learn::Table& table;
    double drop;  // heads that trail the best one of their word by so much, in real scores, have no parts
};

// A part, and where its score is summed.
struct ScoredPart {
    Node head, sibling, modifier;  // the sibling may be none
    Score* score;
};

// Serves one thread.
class PartScorer {
public:
    // `scale` is that of the scores to be made. All must outlive this.
    PartScorer(const SiblingModel& model, double scale, const features::WordRows& rows, const corpus::Columns& columns);

    [[nodiscard]] std::size_t groups() const noexcept { return model_.parts.groups.size(); }
    // Templates of a group.
    [[nodiscard]] std::size_t templates(std::size_t group) const noexcept {
        return model_.parts.groups[group] - (group == 0 ? 0 : model_.parts.groups[group - 1]);
    }
    void enter(std::size_t sentence) { keys_.enter(sentence); }
    // Adds the templates of a group. Cost: a cache line per part and template.
    void add(std::size_t group, std::span<const ScoredPart> parts);
    // Cache lines of weights read since the construction.
    [[nodiscard]] std::uint64_t rows_read() const noexcept { return rows_read_; }

private:
    struct Probe {
        std::uint64_t key;
        const std::uint8_t* bucket;
        std::uint32_t part;
        std::uint16_t template_index, lane;
    };
    static constexpr std::size_t block = 64;  // rows on their way from memory

    void flush();

    SiblingModel model_;
    std::int64_t factor_;  // to the scale of the caller, as a fixed-point number
    PartKeys keys_;
    std::vector<Buckets> buckets_;  // by template
    std::array<Probe, block> waiting_;
    std::size_t waits_ = 0;           // so many do
    std::vector<std::int32_t> sums_;  // of the parts, in steps of the table
    std::uint64_t rows_read_ = 0;
};

}  // namespace laconic::graph
