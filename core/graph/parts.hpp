#pragma once
// Scores of adjacent siblings: a part (head, sibling, modifier) is a modifier with the next modifier of the same head
// on the same side, towards the head; without one the sibling is `corpus::none`. The root's parts stand to its right.

#include "graph/edges.hpp"

namespace laconic::graph {

// In longer sentences siblings are not looked at: scores of all their parts would take seconds.
inline constexpr std::size_t longest_with_siblings = 200;

class Parts {
public:
    // Rows, all 0, for the edges alive now; the edges are dense. Parts whose sibling is dead exist and cost nothing but
    // their place. O(sum of the lengths of the alive edges); nothing is allocated once the largest sentence was seen.
    void start(const Edges& edges);

    // The scores of the parts of an edge that was alive at start(): place 0 without a sibling, place
    // sibling - min(head, modifier) with one. As many as the edge is long.
    [[nodiscard]] std::span<Score> row(Node head, Node modifier) noexcept {
        return {scores_.data() + begins_[at(head, modifier)], length(head, modifier)};
    }
    [[nodiscard]] std::span<const Score> row(Node head, Node modifier) const noexcept {
        return {scores_.data() + begins_[at(head, modifier)], length(head, modifier)};
    }
    [[nodiscard]] static std::size_t place(Node head, Node sibling, Node modifier) noexcept {
        return sibling == corpus::none ? 0 : static_cast<std::size_t>(sibling - (head < modifier ? head : modifier));
    }
    [[nodiscard]] Score score(Node head, Node sibling, Node modifier) const noexcept {
        return row(head, modifier)[place(head, sibling, modifier)];
    }

    // Scores that may be read behind the end of any row.
    static constexpr std::size_t padding = 8;

private:
    [[nodiscard]] std::size_t at(Node head, Node modifier) const noexcept {
        return static_cast<std::size_t>(modifier - 1) * columns_ + static_cast<std::size_t>(head);
    }
    static std::size_t length(Node head, Node modifier) noexcept {
        return static_cast<std::size_t>(head < modifier ? modifier - head : head - modifier);
    }

    std::size_t columns_ = 0;
    std::vector<std::size_t> begins_;  // by modifier and head
    std::vector<Score> scores_;
};

// The sum of the scores of a projective tree's edges and parts; all of them have places. O(n).
[[nodiscard]] Sum tree_score(const Edges& edges, const Parts& parts, std::span<const Node> heads);

}  // namespace laconic::graph
