#include "graph/moves.hpp"

namespace laconic::graph {

namespace {

std::size_t at(Node node) noexcept {
    return static_cast<std::size_t>(node);
}

// Is the word among the ancestors of a node, or the node itself?
bool descends(std::span<const Node> heads, Node node, Node word) {
    while (node != root && node != word) node = heads[at(node) - 1];
    return node == word;
}

}  // namespace

Neighbours neighbours(std::span<const Node> heads, Node head, Node word) {
    Neighbours found;
    const Node inwards = head < word ? -1 : 1;
    for (Node node = word + inwards; node != head; node += inwards)
        if (heads[at(node) - 1] == head) {
            found.inner = node;
            break;
        }
    for (Node node = word - inwards; node > root && at(node) <= heads.size(); node -= inwards)
        if (heads[at(node) - 1] == head) {
            found.outer = node;
            break;
        }
    return found;
}

Sum worth(const Edges& edges, const Parts& parts, std::span<const Node> heads, Node head, Node word) {
    const Neighbours around = neighbours(heads, head, word);
    Sum sum = Sum{edges.score(head, word)} + parts.score(head, around.inner, word);
    if (around.outer != corpus::none)
        sum += Sum{parts.score(head, word, around.outer)} - parts.score(head, around.inner, around.outer);
    return sum;
}

void climb(const Edges& edges, const Parts& parts, const TreeRules& rules, std::span<Node> heads) {
    const auto words = static_cast<Node>(heads.size());
    for (;;) {
        Sum highest = 0;
        Node best_head = corpus::none, best_word = corpus::none;
        for (Node word = 1; word <= words; ++word) {
            const Node own = heads[at(word) - 1];
            if (!edges.has_choice(word) || (rules.single_root && own == root)) continue;
            const Sum now = worth(edges, parts, heads, own, word);
            edges.each_alive(word, [&](Node head, Score) {
                if (head == own || (rules.single_root && head == root) || descends(heads, head, word)) return;
                const Sum gain = worth(edges, parts, heads, head, word) - now;
                if (gain <= highest) return;
                highest = gain;
                best_head = head;
                best_word = word;
            });
        }
        if (best_word == corpus::none) return;
        heads[at(best_word) - 1] = best_head;
    }
}

}  // namespace laconic::graph
