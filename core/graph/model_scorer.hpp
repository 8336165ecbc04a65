#pragma once
// The weights of a graph parser, and the scores that they give to the arcs and parts of a sentence, group after group.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/arc_scorer.hpp"
#include "graph/edges.hpp"
#include "graph/factored.hpp"
#include "graph/part_scorer.hpp"
#include "graph/round_scorer.hpp"

namespace laconic::graph {

// Weights and what they are for. The factored scorer, if there is one, is the first group.
struct GraphModel {
    const ArcModel& arcs;
    const learn::Table& table;
    const FactoredModel* words = nullptr;
    const FactoredTable* vectors = nullptr;
    const SiblingModel* siblings = nullptr;  // its groups stand behind those of arcs

    // Scores are integers: so many steps for one of a row.
    static constexpr std::int32_t resolution = 8;
    [[nodiscard]] double scale() const noexcept { return table.scale() * resolution; }
    // Groups before those of templates.
    [[nodiscard]] std::size_t first_groups() const noexcept { return vectors == nullptr ? 0 : 1; }
    [[nodiscard]] std::size_t edge_groups() const noexcept { return arcs.groups.size() + first_groups(); }
    [[nodiscard]] std::size_t sibling_groups() const noexcept {
        return siblings == nullptr ? 0 : siblings->parts.groups.size();
    }
    [[nodiscard]] std::size_t groups() const noexcept { return edge_groups() + sibling_groups(); }
    // How far a head may trail before it has no parts.
    [[nodiscard]] Sum sibling_drop() const noexcept;
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
    [[nodiscard]] std::size_t sibling_groups() const noexcept { return parts_ ? parts_->groups() : 0; }
    // A word with one head has nothing to choose: nothing is added.
    Cost add(std::size_t group, std::span<const Node> words, Edges& edges);
    Cost add_siblings(std::size_t group, std::span<const Node> words, const OpenParts& parts);
    static void use(Parser, Edges&) {}

    [[nodiscard]] const features::WordRows& rows() const noexcept { return rows_; }
    [[nodiscard]] const ArcContext& context() const noexcept { return arcs_.context(); }
    // By word of the sentence.
    [[nodiscard]] std::span<const Choice> choices() const noexcept { return choices_; }
    // Words that chose with siblings did so by what their heads were worth in this tree.
    void choose_in(const Edges& edges, const Parts& parts, std::span<const Node> heads);

private:
    // Adds the sums of a word's heads to their scores.
    void write(std::size_t group, std::size_t index, Score factor, Edges& edges);
    // Rows read since the last call.
    [[nodiscard]] std::uint64_t take_rows() noexcept;

    std::size_t groups_;
    features::WordRows rows_;
    ArcScorer arcs_;
    std::optional<FactoredScorer> vectors_;
    std::optional<PartScorer> parts_;
    bool keep_ = false;
    std::uint64_t counted_ = 0;  // rows that were told as a cost
    std::vector<Choice> choices_;
    // The words that a group is added to, and their heads, one word's after another's.
    std::vector<Node> chosen_, heads_;
    std::vector<std::size_t> begins_;
    std::vector<Score> sums_;
    std::vector<ScoredPart> open_parts_;
};
static_assert(RoundScorer<ModelScorer>);

}  // namespace laconic::graph
