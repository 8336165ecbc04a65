#include "graph/best_heads.hpp"

namespace laconic::graph {

bool BestHeads::decode(const Edges& edges, const TreeRules& rules, std::span<Node> heads) {
    best_.resize(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        best_[i] = edges.best_head(static_cast<Node>(i + 1));
        if (best_[i] == corpus::none) return false;
    }
    if (!is_tree_(best_, rules)) return false;
    std::ranges::copy(best_, heads.begin());
    return true;
}

}  // namespace laconic::graph
