#pragma once
// Parsing: groups of templates are added to the arcs between which there is something to decide, until every word has
// one possible head or no group is left; then the best tree of what remains.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/arc_scorer.hpp"
#include "graph/best_tree.hpp"
#include "graph/edges.hpp"
#include "graph/factored.hpp"

namespace laconic::graph {

// Weights and what they are for. The factored scorer, if there is one, is the first group.
struct GraphModel {
    const ArcModel& arcs;
    const learn::Table& table;
    const FactoredModel* words = nullptr;
    const FactoredTable* vectors = nullptr;

    // Scores are integers: so many steps for one of a row.
    static constexpr std::int32_t resolution = 8;
    [[nodiscard]] double scale() const noexcept { return table.scale() * resolution; }
    [[nodiscard]] std::size_t groups() const noexcept { return arcs.groups.size() + (vectors == nullptr ? 0 : 1); }
};

// Group after group of one sentence at a time. Serves one thread; the model must outlive it.
class GroupScorer {
public:
    GroupScorer(const GraphModel& model, const corpus::Columns& columns);

    void enter(std::size_t sentence);
    // The edges that the length dictionary leaves; others have a score below all that arcs can have.
    void start(Edges& edges) const;
    // Adds a group to the scores of the alive heads of a word.
    void add(std::size_t group, Node modifier, Edges& edges);
    [[nodiscard]] std::uint64_t rows_read() const noexcept;
    // Templates that were added to arcs: those of a row, with and without direction and distance, count as two.
    [[nodiscard]] std::uint64_t templates_added() const noexcept { return templates_; }

private:
    features::WordRows rows_;
    ArcScorer arcs_;
    std::optional<FactoredScorer> vectors_;
    std::vector<Node> heads_;
    std::vector<Score> sums_;
    std::uint64_t templates_ = 0;
};

struct ParseOptions {
    std::vector<Sum> drops;  // behind each group but the last: a head that trails the best by so much is dropped
    TreeRules rules;
    bool gaps = false;  // tell how far the heads among which a word chose stayed behind the one it has
};

struct Parsed {
    std::vector<std::int32_t> heads;    // one per word
    std::vector<std::uint32_t> depths;  // groups that a word took until it had one head; 0: it never had another
    std::vector<std::uint64_t> begins{0};
    std::vector<float> gaps;  // of word i those from begins[i] to begins[i + 1], in real scores
    std::uint64_t rows = 0, templates = 0;
    std::uint64_t arcs = 0;  // that the length dictionary left
};

// The trees of these sentences, one after another.
[[nodiscard]] Parsed parse(const GraphModel& model, const corpus::Columns& columns,
                           std::span<const std::uint32_t> sentences, const ParseOptions& options);

// For the calibration of thresholds: how far the head that a word has in the tree of all groups stays behind the best
// one after each group but the last. A row per word, a column per group.
[[nodiscard]] std::vector<Sum> trailing(const GraphModel& model, const corpus::Columns& columns,
                                        std::span<const std::uint32_t> sentences, const TreeRules& rules);

// The scores of all candidates of a sentence after each group, nothing dropped: [group][modifier][head], the lowest
// number where an arc is none. The sentence has dense rows (Edges).
[[nodiscard]] std::vector<Score> group_scores(const GraphModel& model, const corpus::Columns& columns,
                                              std::uint32_t sentence);

}  // namespace laconic::graph
