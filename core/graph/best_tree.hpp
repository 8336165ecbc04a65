#pragma once
// The best tree of the alive edges: the best head of each word where that is a tree, else the decoder for the rules.

#include "graph/arborescence.hpp"
#include "graph/projective.hpp"

namespace laconic::graph {

class BestTree {
public:
    // The best head of each word, if they form a tree. O(alive edges).
    [[nodiscard]] bool best_heads(const Edges& edges, const TreeRules& rules, std::span<Node> heads);
    // First order.
    [[nodiscard]] bool decode(const Edges& edges, const TreeRules& rules, std::span<Node> heads);
    // With adjacent siblings: projective, dense rows.
    [[nodiscard]] bool decode(const Edges& edges, const Parts& parts, const TreeRules& rules, std::span<Node> heads);

private:
    TreeCheck is_tree_;
    std::vector<Node> best_;
    Arborescence arborescence_;
    ProjectiveDecoder projective_;
};

}  // namespace laconic::graph
