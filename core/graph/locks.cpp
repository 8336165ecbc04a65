#include "graph/locks.hpp"

namespace laconic::graph {

void Locks::start(Edges& edges, const TreeRules& rules, Propagation propagation) {
    edges_ = &edges;
    rules_ = rules;
    exact_ = propagation == Propagation::exact;
    counts_ = {};
    locked_.assign(edges.words() + 1, 0);
    open_.clear();
    for (Node word = 1; at(word) <= edges.words(); ++word) open_.push_back(word);
    // The paper's crossing rule is not that of faces: of these it needs cycles and roots only.
    if (edges.dense()) faces_.start(edges.words(), {rules.single_root, rules.projective && exact_});
}

std::span<const Node> Locks::open() noexcept {
    std::erase_if(open_, [&](Node word) { return is_locked(word); });
    return open_;
}

}  // namespace laconic::graph
