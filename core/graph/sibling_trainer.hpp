#pragma once
// Training of the weights of parts by MIRA: the scores of arcs stay as they are, those of models that did not see the
// sentence, and the best tree by arcs and parts is decoded; the weights of parts change as little as is needed for the
// gold tree to lead it by the number of its wrong heads. Weights are averaged over all sentences seen.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/model_scorer.hpp"
#include "graph/tree_rules.hpp"
#include "learn/learner.hpp"
#include "learn/weights.hpp"

namespace laconic::graph {

struct SiblingSettings {
    TreeRules rules;           // of the decoder
    double cost = 1;           // added to the score of each wrong arc when the tree is decoded
    double drop = 6;           // heads that trail the best one by more, in real scores, have no parts
    double step = 0.1;         // at most so much of the gradient is a step
    std::uint32_t cutoff = 2;  // features of fewer parts of gold trees are left out
};

// Only features of parts of gold trees exist. A feature has a weight of its own and one for each direction, both are
// folded into one row when frozen.
class SiblingTrainer {
public:
    // Scores the arcs of these sentences, sentence i by models[numbers[i]], and keeps those that are near the best one
    // of their word, and the gold ones. One gold head per word of the document. Cost: all groups of arcs for all
    // candidates; some bytes for each arc that is kept. What is given, but for models, must outlive this.
    SiblingTrainer(const ArcModel& parts, SiblingSettings settings, std::span<const GraphModel* const> models,
                   std::span<const std::uint8_t> numbers, const corpus::Columns& columns,
                   std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences);

    struct Result {
        double loss = 0;  // of the constraint, before the step
        std::uint64_t words = 0;
        std::uint64_t right = 0;  // heads of the decoded trees
    };
    // One pass over the sentences in the order of the numbers 0, 1, 2 ... of those that were given; a step each. Cost:
    // all templates for the parts between which there is a choice, and one decoding a sentence.
    Result epoch(std::span<const std::uint32_t> order);

    // Those that were given.
    [[nodiscard]] std::size_t sentences() const noexcept { return sentences_.size(); }
    [[nodiscard]] std::size_t features() const noexcept { return index_.size(); }
    [[nodiscard]] learn::Table freeze(int floor) const;

    // What freezing reads (learn/freeze.hpp).
    [[nodiscard]] std::size_t labels() const noexcept { return part_lanes; }
    void final_row(learn::Feature feature, std::uint16_t template_index, std::span<double> row) const;

private:
    struct Arc {
        Node head;
        float score;
    };
    struct Sentence {
        std::uint32_t number;  // in the document
        std::vector<Node> gold;
        std::vector<std::uint32_t> begins;  // of each word among the arcs
        std::vector<Arc> arcs;
    };
    class Scorer;

    void keep(ModelScorer& scorer, double scale, std::uint32_t number, std::span<const std::int32_t> gold);
    void count(PartKeys& keys);
    void learn_sentence(const Sentence& sentence, Scorer& scorer, Result& result);

    const ArcModel& model_;
    SiblingSettings settings_;
    const corpus::Columns& columns_;
    std::vector<Sentence> sentences_;
    learn::FeatureIndex index_;
    std::optional<learn::Learner<float, learn::DenseWeights>> learner_;
};

}  // namespace laconic::graph
