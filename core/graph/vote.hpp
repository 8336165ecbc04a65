#pragma once
// One tree out of several: every parser votes for its arcs, and the tree with the most votes is decoded (Sagae & Lavie
// 2006).

#include "graph/arborescence.hpp"

namespace laconic::graph {

class Vote {
public:
    using Trees = std::span<const std::span<const Node>>;
    using Weights = std::span<const std::span<const Score>>;

    // `trees`: heads of one sentence by each parser, all of them trees. `weights`: of each of these arcs, above 0.
    // Among equal sums of weights the arcs of earlier parsers count more. Arcs of the result may cross. With
    // `single_root` it has one root where the arcs voted for allow that. In a sentence with more than
    // `EdgeLimits::longest` words arcs that are longer than the window cannot be voted on: then the tree of the first
    // parser of the highest sum of weights is taken. O(parsers · n) and, where parsers disagree, a decoding.
    void decode(Trees trees, Weights weights, bool single_root, std::span<Node> heads);

private:
    [[nodiscard]] bool enter(Trees trees, Weights weights);

    Edges edges_;
    Arborescence arborescence_;
};

}  // namespace laconic::graph
