#pragma once
// Parsing: groups of templates are added to the arcs between which there is something to decide, until every word has
// one possible head or no group is left; then the best tree of what remains; then groups of siblings, if there are any,
// for the parts of what is still open.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/arc_policy.hpp"
#include "graph/best_tree.hpp"
#include "graph/cascade.hpp"
#include "graph/model_scorer.hpp"
#include "graph/rounds.hpp"

namespace laconic::graph {

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

// For the calibration of thresholds, after each group of arcs but the last, or after that, too, where siblings follow:
// how far the head that a word has in the tree of all groups stays behind the best one, a row per word and a column per
// group; and how far all candidates stay behind, a row for each, word after word.
struct Trailing {
    std::vector<Score> heads, candidates;
    std::vector<std::uint32_t> counts;  // candidates of each word
};
[[nodiscard]] Trailing trailing(const GraphModel& model, const corpus::Columns& columns,
                                std::span<const std::uint32_t> sentences, const TreeRules& rules);

// The scores of all candidates of a sentence after each group of arcs, nothing dropped: [group][modifier][head], the
// lowest number where an arc is none. The sentence has dense rows (Edges).
[[nodiscard]] std::vector<Score> group_scores(const GraphModel& model, const corpus::Columns& columns,
                                              std::uint32_t sentence);
// What each group of siblings says of each other head of a word while all other words have these heads, a tree:
// [group][modifier][head].
[[nodiscard]] std::vector<Score> sibling_scores(const GraphModel& model, const corpus::Columns& columns,
                                                std::uint32_t sentence, std::span<const Node> heads);

}  // namespace laconic::graph
