#include "graph/cascade.hpp"

#include <algorithm>

namespace laconic::graph {

void Cascade::prune_far(Edges& edges, std::size_t reach, double share) {
    near_.start(edges.words(), {.longest = 0, .reach = reach, .cells = std::numeric_limits<std::size_t>::max()});
    const auto is_near = [&](Node head, Node word) { return head != root && near_.has_column(head, word); };
    for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word) {
        const Bits alive = near_.alive(word);
        const std::span<Score> scores = near_.scores(word);
        std::ranges::fill(alive, 0);
        edges.each_alive(word, [&](Node head, Score score) {
            const std::size_t column = is_near(head, word) ? near_.column(head, word) : 0;
            scores[column] = has_bit(alive, column) ? std::max(scores[column], score) : score;
            set_bit(alive, column);
        });
    }
    // A word with a far head stands on the vine, as one with the root as its head does: there may be several.
    if (!marginals_.compute(near_, false)) return;
    (void)prune(near_, marginals_, share);
    for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word)
        edges.each_alive(word, [&](Node head, Score&) {
            const std::size_t column = is_near(head, word) ? near_.column(head, word) : 0;
            if (!has_bit(near_.alive(word), column)) edges.kill(head, word);
        });
}

void Cascade::prune_all(Edges& edges, bool single_root, double share) {
    if (marginals_.compute(edges, single_root)) (void)prune(edges, marginals_, share);
}

}  // namespace laconic::graph
