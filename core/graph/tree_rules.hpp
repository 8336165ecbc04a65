#pragma once
// What a tree must be like, and whether heads are one.
//
// Decoders (best_tree, arborescence, projective) find the best tree of the edges that are alive, and know
// nothing of features. All are exact: no tree of alive edges that keeps to the rules has a higher sum of scores. Of
// equal candidates they take the one with the smaller head or the smaller split. `heads` has a place for each word and
// is written only where a tree is found; the result says whether there is one. Sums have 64 bits where 32 could
// overflow. Nothing recurses. Scratch memory belongs to the decoder object, which is for one thread at a time.

#include <cstdint>
#include <span>
#include <vector>

#include "graph/edges.hpp"

namespace laconic::graph {

struct TreeRules {
    bool single_root = true;
    bool projective = true;  // arcs of the root count for crossing
};

class TreeCheck {
public:
    // Whether heads, all in 0..n, form a tree that keeps to the rules. O(n).
    [[nodiscard]] bool operator()(std::span<const Node> heads, const TreeRules& rules);

private:
    [[nodiscard]] bool is_projective_tree(std::span<const Node> heads);
    [[nodiscard]] bool is_acyclic(std::span<const Node> heads);

    std::vector<Node> stack_;
    std::vector<Node> counts_;
};

}  // namespace laconic::graph
