#pragma once
// The edges of one sentence: which heads of each modifier are alive, and their scores.
//
// Words are 1..n, 0 is the root; an edge leads from a head to a modifier. Every modifier has a row with a column for
// each head that it may have. In ordinary sentences a row is dense, and the column is the head. In sentences of more
// than `longest` words column 0 is the root and the others are the words within `reach` on both sides; the reach falls
// with the length so that all rows together stay within `cells` or, at last, a few columns per word: memory is linear.
//
// Heads of a tree are an array as in a document: heads[i] is the head of word i + 1.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corpus/tree.hpp"
#include "graph/bits.hpp"

namespace laconic::graph {

using corpus::Node;
using corpus::root;
using Score = std::int32_t;
using Sum = std::int64_t;

struct EdgeLimits {
    std::size_t longest = 400;        // words of a sentence with dense rows
    std::size_t reach = 128;          // in longer ones, the distance of the farthest head but the root
    std::size_t cells = 128 * 20000;  // in much longer ones, words times reach
};

class Edges {
public:
    // All edges that have a column are alive, with score 0. O(words × columns); nothing is allocated once the largest
    // sentence was seen.
    void start(std::size_t words, const EdgeLimits& limits = {});

    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    [[nodiscard]] bool dense() const noexcept { return dense_; }
    // Distance of the farthest head but the root.
    [[nodiscard]] std::size_t reach() const noexcept { return reach_; }
    // Columns of every row. Columns without a head of this modifier (itself, beyond the sentence) are never alive.
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

    [[nodiscard]] bool has_column(Node head, Node modifier) const noexcept {
        return head == root || (head != modifier && distance(head, modifier) <= reach_);
    }
    // Only for an edge that has one.
    [[nodiscard]] std::size_t column(Node head, Node modifier) const noexcept {
        return head == root ? 0 : static_cast<std::size_t>(head - shift(modifier));
    }
    [[nodiscard]] Node head(std::size_t column, Node modifier) const noexcept {
        return column == 0 ? root : static_cast<Node>(column) + shift(modifier);
    }

    // By column.
    [[nodiscard]] Bits alive(Node modifier) noexcept { return {alive_.data() + row(modifier) * bits_, bits_}; }
    [[nodiscard]] ConstBits alive(Node modifier) const noexcept {
        return {alive_.data() + row(modifier) * bits_, bits_};
    }
    [[nodiscard]] std::span<Score> scores(Node modifier) noexcept {
        return {scores_.data() + row(modifier) * stride_, columns_};
    }
    [[nodiscard]] std::span<const Score> scores(Node modifier) const noexcept {
        return {scores_.data() + row(modifier) * stride_, columns_};
    }

    // Of any two nodes; edges without a column are dead.
    [[nodiscard]] bool is_alive(Node head, Node modifier) const noexcept {
        return has_column(head, modifier) && has_bit(alive(modifier), column(head, modifier));
    }
    // Of an edge that has a column.
    [[nodiscard]] Score score(Node head, Node modifier) const noexcept {
        return scores(modifier)[column(head, modifier)];
    }
    [[nodiscard]] std::size_t alive_heads(Node modifier) const noexcept { return count_bits(alive(modifier)); }
    // Whether a modifier has more than one.
    [[nodiscard]] bool has_choice(Node modifier) const noexcept { return has_several(alive(modifier)); }
    [[nodiscard]] std::size_t alive_edges() const noexcept { return count_bits(alive_); }
    // The first alive head; there is one.
    [[nodiscard]] Node first_alive(Node modifier) const noexcept;
    // The alive head with the highest score, the smallest of equals; corpus::none if all are dead. O(columns).
    [[nodiscard]] Node best_head(Node modifier) const noexcept;

    void kill(Node head, Node modifier) noexcept { clear_bit(alive(modifier), column(head, modifier)); }
    // Leaves one head, which has a column.
    void keep_only(Node head, Node modifier) noexcept;
    // All heads that have a column are alive again.
    void revive(Node modifier) noexcept;
    // The same for every word; scores are 0 again.
    void reset() noexcept;

    // Calls visit(head, score&) for the alive heads of a modifier, in ascending order.
    template <class Visit>
    void each_alive(Node modifier, Visit&& visit) {
        const std::span<Score> row_scores = scores(modifier);
        each_bit(alive(modifier), [&](std::size_t i) { visit(head(i, modifier), row_scores[i]); });
    }
    template <class Visit>
    void each_alive(Node modifier, Visit&& visit) const {
        const std::span<const Score> row_scores = scores(modifier);
        each_bit(alive(modifier), [&](std::size_t i) { visit(head(i, modifier), row_scores[i]); });
    }

private:
    static std::size_t row(Node modifier) noexcept { return static_cast<std::size_t>(modifier - 1); }
    static std::size_t distance(Node a, Node b) noexcept { return static_cast<std::size_t>(a < b ? b - a : a - b); }
    // What is to be subtracted from a word to get its column.
    [[nodiscard]] Node shift(Node modifier) const noexcept {
        return dense_ ? 0 : modifier - static_cast<Node>(reach_) - 1;
    }

    std::size_t words_ = 0;
    std::size_t reach_ = 0;
    std::size_t columns_ = 0;
    std::size_t stride_ = 0;  // columns, and some more so that rows begin at multiples of 32 bytes
    std::size_t bits_ = 0;    // 64-bit words of the alive heads of a modifier
    bool dense_ = true;
    std::vector<std::uint64_t> alive_;
    std::vector<Score> scores_;
};

// The sum of a tree's scores; every edge has a column. O(n).
[[nodiscard]] Sum tree_score(const Edges& edges, std::span<const Node> heads);

}  // namespace laconic::graph
