#pragma once
// A pruning cascade (Rush & Petrov 2012): behind a group of features the edges whose best tree is much worse than the
// best one of all die. The first pass is a vine: only short edges are told apart, and a word with a far head only says
// so, which takes linear time.

#include <vector>

#include "graph/marginals.hpp"

namespace laconic::graph {

struct CascadeOptions {
    std::size_t reach = 8;  // of the first pass: longer edges are far
    // Behind each group but the last: how near to the best tree an edge must be (marginals.hpp); below 0: no pass.
    std::vector<double> shares;
};

// Serves one thread.
class Cascade {
public:
    // The first pass, by the present scores. The far heads of a word, the root among them, live or die together; they
    // count as what the best of them scores. Nothing happens where there is no projective tree. O(n · reach²).
    void prune_far(Edges& edges, std::size_t reach, double share);
    // A later pass: each edge by itself. O(n³).
    void prune_all(Edges& edges, bool single_root, double share);

private:
    MaxMarginals marginals_;
    Edges near_;
};

}  // namespace laconic::graph
