#pragma once
// Scores of possible arcs by linear rows, group after group of templates: one row per base template, whose lanes are
// direction and distance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "features/rows.hpp"
#include "graph/arc_model.hpp"
#include "graph/buckets.hpp"
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
    void add(std::size_t group, Node modifier, std::span<const Node> heads, std::span<std::int32_t> scores) {
        queue(group, modifier, heads, scores);
        finish();
    }
    // The same for one word after another: the scores are there behind finish(), until which they must stay where they
    // are.
    void queue(std::size_t group, Node modifier, std::span<const Node> heads, std::span<std::int32_t> scores);
    void finish() { flush(); }
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
        std::vector<std::uint16_t> of_head, of_modifier;      // templates of one word
        std::vector<std::uint16_t> pairs;                     // templates of two words
        std::vector<Buckets> buckets;                         // of these
        std::vector<std::uint16_t> others;                    // with sets or relations
        std::optional<WordParts> head_parts, modifier_parts;  // of keys of templates of two words, then of the others
        // What heads of this sentence give.
        std::vector<std::uint8_t> ready;
        std::vector<std::uint64_t> parts;  // of keys
        std::vector<Sums> sums;
        [[nodiscard]] std::size_t two_words() const noexcept { return pairs.size() + others.size(); }
    };
    struct Probe {
        std::uint64_t key;
        const std::uint8_t* bucket;
        std::uint16_t template_index;
    };
    static constexpr std::size_t block = 64;  // rows on their way from memory
    // The probes of one arc, and where their sum goes.
    struct Arc {
        std::size_t end;
        std::size_t lane;
        std::int32_t* score;
    };

    void prepare(Group& group, Node head);
    void sum(std::span<const std::uint16_t> templates, ArcReader::Place place, Node word, Sums& sums);
    void probe_pairs(const Group& group, const std::uint64_t* of_head);
    void probe(std::size_t index, std::uint64_t key) {
        const std::uint8_t* bucket = table_.bucket(index, key);
        prefetch(bucket);
        if (waits_ == waiting_.size()) waiting_.resize(2 * waits_);
        waiting_[waits_++] = {key, bucket, static_cast<std::uint16_t>(index)};
    }
    struct Found {
        std::int32_t weight;
        bool farther;  // the row may be behind the bucket
    };
    [[nodiscard]] static Found look(const Probe& one, std::size_t lane) noexcept;
    void flush();

    const learn::Table& table_;
    ArcReader reader_;
    ArcContext context_;
    Candidates candidates_;
    std::vector<Group> groups_;
    std::vector<std::uint64_t> own_;  // parts of keys that the modifier gives, as those of heads
    std::vector<Probe> waiting_;
    std::size_t waits_ = 0;  // so many do
    std::vector<Arc> arcs_;  // that wait
    std::vector<const std::int8_t*> row_pointers_;
    std::uint64_t rows_read_ = 0;
};

}  // namespace laconic::graph
