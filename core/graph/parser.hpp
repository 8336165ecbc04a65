#pragma once
// Parsing: groups of templates are added to the arcs between which there is something to decide, until every word has
// one possible head or no group is left; then the best tree of what remains.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/arc_policy.hpp"
#include "graph/arc_scorer.hpp"
#include "graph/best_tree.hpp"
#include "graph/cascade.hpp"
#include "graph/edges.hpp"
#include "graph/factored.hpp"
#include "graph/rounds.hpp"

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
    // Groups before those of templates.
    [[nodiscard]] std::size_t first_groups() const noexcept { return vectors == nullptr ? 0 : 1; }
    [[nodiscard]] std::size_t groups() const noexcept { return arcs.groups.size() + first_groups(); }
};

// The heads that a word had to choose from when a group was last added to them.
struct Choice {
    std::vector<Node> heads;
    std::vector<Score> scores;
    std::uint32_t depth = 0;  // groups that were added
};

// The groups of a model for one sentence at a time: a RoundScorer. Serves one thread; the model must outlive it.
class ModelScorer {
public:
    ModelScorer(const GraphModel& model, const corpus::Columns& columns);

    // The edges that the length dictionary leaves. `choices`: are they to be kept?
    void enter(std::size_t sentence, Edges& edges, bool choices);

    // These words, by their places in the sentence, have one possible head where `heads` says which (none: open).
    static void fix(std::span<const Node> heads, Edges& edges);

    // All edges of the sentence that the length dictionary leaves are alive again.
    void revive(Edges& edges) const;

    [[nodiscard]] std::size_t groups() const noexcept { return groups_; }
    [[nodiscard]] static std::size_t sibling_groups() noexcept { return 0; }
    // A word with one head has nothing to choose: nothing is added.
    Cost add(std::size_t group, std::span<const Node> words, Edges& edges);
    static Cost add_siblings(std::size_t, std::span<const Node>, const OpenParts&) { return {}; }
    static void use(Parser, Edges&) {}

    [[nodiscard]] const features::WordRows& rows() const noexcept { return rows_; }
    [[nodiscard]] const ArcContext& context() const noexcept { return arcs_.context(); }
    // By word of the sentence.
    [[nodiscard]] std::span<const Choice> choices() const noexcept { return choices_; }

private:
    void add(std::size_t group, Node word, Edges& edges, Cost& cost);
    [[nodiscard]] std::uint64_t rows_read() const noexcept;

    std::size_t groups_;
    features::WordRows rows_;
    ArcScorer arcs_;
    std::optional<FactoredScorer> vectors_;
    bool keep_ = false;
    std::uint64_t counted_ = 0;  // rows that were told as a cost
    std::vector<Choice> choices_;
    std::vector<Node> heads_;
    std::vector<Score> sums_;
};
static_assert(RoundScorer<ModelScorer>);

struct ParseOptions {
    // Behind each group but the last: a head that trails the best by so much is dropped. With a policy of its own, what
    // its value must be above for a word to be locked, in steps of scores.
    std::vector<Sum> drops;
    TreeRules rules;
    std::optional<Propagation> propagation;   // decode a tree behind each group; none: one at the end
    bool gaps = false;                        // tell how far the heads among which a word chose stayed behind its own
    const ArcPolicy* policy = nullptr;        // asked in place of thresholds; with propagation
    const CascadeOptions* cascade = nullptr;  // prunes in place of thresholds; without propagation
    std::size_t groups = std::numeric_limits<std::size_t>::max();  // at most so many are added
    // By word of the document: its head where that is known, else none. Such a word is not scored; it gets another head
    // only where there is no tree with all of these. Empty: nothing is known.
    std::span<const Node> known{};
};

// What happened in one round of all sentences.
struct RoundTotals {
    std::uint64_t sentences = 0, open = 0, edges = 0, locked = 0, forced = 0, dropped = 0, ruled_out = 0, templates = 0;
};

struct Parsed {
    std::vector<std::int32_t> heads;    // one per word
    std::vector<std::uint32_t> depths;  // groups that a word took until it had one head; 0: it never had another
    std::vector<std::uint64_t> begins{0};
    std::vector<float> gaps;       // of word i those from begins[i] to begins[i + 1], in real scores
    std::vector<Node> candidates;  // the head that each gap is of
    std::uint64_t rows = 0, templates = 0;
    std::uint64_t arcs = 0;           // that the length dictionary left
    std::vector<RoundTotals> rounds;  // with propagation
};

// The trees of these sentences, one after another.
[[nodiscard]] Parsed parse(const GraphModel& model, const corpus::Columns& columns,
                           std::span<const std::uint32_t> sentences, const ParseOptions& options);

// Parses with a policy, or without one with the expert, which locks gold heads, and writes down what was asked. One
// gold head per word of the document; needs propagation.
[[nodiscard]] std::pair<Parsed, Questions> ask(const GraphModel& model, const corpus::Columns& columns,
                                               std::span<const std::int32_t> gold,
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
