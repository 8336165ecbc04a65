#pragma once
// The best head of each word, where that is a tree: then it is the best tree of every decoder.

#include "graph/tree_rules.hpp"

namespace laconic::graph {

class BestHeads {
public:
    // O(alive edges).
    [[nodiscard]] bool decode(const Edges& edges, const TreeRules& rules, std::span<Node> heads);

private:
    TreeCheck is_tree_;
    std::vector<Node> best_;
};

}  // namespace laconic::graph
