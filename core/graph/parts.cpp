#include "graph/parts.hpp"

#include <stdexcept>

namespace laconic::graph {

void Parts::start(const Edges& edges) {
    if (!edges.dense()) throw std::invalid_argument("parts are for sentences with dense rows");
    columns_ = edges.columns();
    begins_.resize(edges.words() * columns_);
    std::size_t size = 0;
    for (std::size_t m = 1; m <= edges.words(); ++m) {
        const auto modifier = static_cast<Node>(m);
        each_bit(edges.alive(modifier), [&](std::size_t head) {
            begins_[at(static_cast<Node>(head), modifier)] = size;
            size += length(static_cast<Node>(head), modifier);
        });
    }
    scores_.assign(size + padding, 0);
}

Sum tree_score(const Edges& edges, const Parts& parts, std::span<const Node> heads) {
    Sum sum = tree_score(edges, heads);
    const auto words = static_cast<Node>(heads.size());
    // The outermost modifier so far of each head: modifiers are visited outwards, first those to the right.
    std::vector<Node> last(heads.size() + 1, corpus::none);
    const auto visit = [&](Node modifier) {
        const Node head = heads[static_cast<std::size_t>(modifier - 1)];
        Node& sibling = last[static_cast<std::size_t>(head)];
        sum += parts.score(head, sibling, modifier);
        sibling = modifier;
    };
    for (Node m = 1; m <= words; ++m)
        if (heads[static_cast<std::size_t>(m - 1)] < m) visit(m);
    std::ranges::fill(last, corpus::none);
    for (Node m = words; m >= 1; --m)
        if (heads[static_cast<std::size_t>(m - 1)] > m) visit(m);
    return sum;
}

}  // namespace laconic::graph
