#include "graph/best_tree.hpp"

#include <stdexcept>

namespace laconic::graph {

bool BestTree::best_heads(const Edges& edges, const TreeRules& rules, std::span<Node> heads) {
    best_.resize(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        best_[i] = edges.best_head(static_cast<Node>(i + 1));
        if (best_[i] == corpus::none) return false;
    }
    if (!is_tree_(best_, rules)) return false;
    std::ranges::copy(best_, heads.begin());
    return true;
}

bool BestTree::decode(const Edges& edges, const TreeRules& rules, std::span<Node> heads) {
    if (best_heads(edges, rules, heads)) return true;
    if (rules.projective) return projective_.decode(edges, nullptr, rules.single_root, heads);
    return arborescence_.decode(edges, rules.single_root, heads);
}

bool BestTree::decode(const Edges& edges, const Parts& parts, const TreeRules& rules, std::span<Node> heads) {
    if (!rules.projective) throw std::invalid_argument("siblings are for projective trees");
    return projective_.decode(edges, &parts, rules.single_root, heads);
}

}  // namespace laconic::graph
