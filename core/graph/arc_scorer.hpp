#pragma once
// Scores of possible arcs by linear rows, group after group of templates: one row per base template, whose lanes are
// direction and distance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "features/rows.hpp"
#include "graph/arc_model.hpp"
#include "learn/table.hpp"

namespace laconic::graph {

// Serves one thread. Templates of one word are summed once per word and group; the parts of keys that heads give are
// kept for the sentence.
class ArcScorer {
public:
    // Nothing is copied: all must outlive this. The table has a label per lane.
    ArcScorer(const ArcModel& model, const learn::Table& table, const features::WordRows& rows,
              const corpus::Columns& columns);

    [[nodiscard]] std::size_t groups() const noexcept { return groups_.size(); }
    void enter(std::size_t sentence);
    [[nodiscard]] const ArcContext& context() const noexcept { return context_; }
    [[nodiscard]] const Candidates& candidates() const noexcept { return candidates_; }
    // Adds the templates of a group to the scores of the arcs from these heads to a word. Cost: a cache line per arc
    // and template of two words, and one per word and template of one word.
    void add(std::size_t group, Node modifier, std::span<const Node> heads, std::span<std::int32_t> scores);
    // Cache lines of weights read since the construction.
    [[nodiscard]] std::uint64_t rows_read() const noexcept { return rows_read_; }
    // Templates of a group.
    [[nodiscard]] std::size_t templates(std::size_t group) const noexcept {
        return groups_[group].last - groups_[group].first;
    }

private:
    static constexpr std::size_t width = 16;  // of a row: two dead lanes before those of arcs
    using Sums = std::array<std::int16_t, width>;

    struct Group {
        std::size_t first = 0, last = 0;
        std::vector<std::uint16_t> of_head, of_modifier;  // templates of one word
        std::vector<std::uint16_t> pairs;                 // templates of two words
        std::vector<std::uint16_t> others;                // with sets or relations
        // What heads of this sentence give.
        std::vector<std::uint8_t> ready;
        std::vector<std::uint64_t> parts;
        std::vector<Sums> sums;
    };
    struct Probe {
        std::uint64_t key;
        const std::uint8_t* bucket;
        std::int32_t* score;
        std::uint16_t template_index, lane;
    };
    static constexpr std::size_t block = 64;  // rows on their way from memory

    void prepare(Group& group, Node head);
    void sum(std::span<const std::uint16_t> templates, ArcReader::Place place, Node word, Sums& sums);
    void probe(std::size_t index, std::uint64_t key, std::size_t lane, std::int32_t& score) {
        if (waiting_count_ == block) flush();
        const std::uint8_t* bucket = table_.bucket(index, key);
        prefetch(bucket);
        waiting_[waiting_count_++] = {key, bucket, &score, static_cast<std::uint16_t>(index),
                                      static_cast<std::uint16_t>(lane)};
    }
    [[nodiscard]] std::int32_t weight(const Probe& one) const noexcept;
    void flush();

    const learn::Table& table_;
    ArcReader reader_;
    ArcContext context_;
    Candidates candidates_;
    std::vector<Group> groups_;
    std::vector<std::uint64_t> own_;  // parts of keys that the modifier gives
    std::array<Probe, block> waiting_;
    std::size_t waiting_count_ = 0;
    std::vector<const std::int8_t*> row_pointers_;
    std::uint64_t rows_read_ = 0;
};

}  // namespace laconic::graph
