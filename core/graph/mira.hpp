#pragma once
// Training by MIRA with one constraint a sentence (McDonald, Crammer & Pereira 2005; the parsers of he2013): the best
// tree of the present weights is decoded, and the weights change as little as is needed for the gold tree to lead it by
// the number of its wrong heads. Weights are averaged over all sentences seen.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/arc_model.hpp"
#include "graph/best_tree.hpp"
#include "learn/learner.hpp"
#include "learn/table.hpp"
#include "learn/weights.hpp"

namespace laconic::graph {

struct MiraSettings {
    TreeRules rules;           // of the decoder
    double cost = 0;           // added to the score of each wrong arc when the tree is decoded
    std::uint32_t cutoff = 2;  // features of fewer arcs of gold trees are left out
};

// Only features of arcs of gold trees exist. A feature has a weight of its own and one for each lane, both are folded
// into one row when frozen.
class Mira {
public:
    // Counts the features of the gold arcs of these sentences; one head per word of the document. The model must
    // outlive this.
    Mira(const ArcModel& model, MiraSettings settings, const corpus::Columns& columns,
         std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences);

    struct Result {
        double loss = 0;  // of the constraint, before the step
        std::uint64_t words = 0;
        std::uint64_t right = 0;  // heads of the decoded trees
    };
    // One pass over these sentences in the given order, a step each. Cost: all templates for all candidates, and one
    // decoding a sentence.
    Result epoch(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                 std::span<const std::uint32_t> sentences);

    [[nodiscard]] std::size_t features() const noexcept { return index_.size(); }
    [[nodiscard]] learn::Table freeze(int floor) const;

    // What freezing reads (learn/freeze.hpp).
    [[nodiscard]] std::size_t labels() const noexcept { return lanes; }
    void final_row(learn::Feature feature, std::uint16_t template_index, std::span<double> row) const;

private:
    class Sentence;

    void learn_sentence(Sentence& sentence, std::span<const std::int32_t> gold, Result& result);

    const ArcModel& model_;
    MiraSettings settings_;
    learn::FeatureIndex index_;
    learn::Learner<float, learn::DenseWeights> learner_;
};

}  // namespace laconic::graph
