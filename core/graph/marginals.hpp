#pragma once
// Max-marginals: for each alive edge the score of the best projective tree that contains it, by inside and outside sums
// in the max semiring. First order. O(n³), or O(n · reach²) with a window.

#include "graph/chart.hpp"

namespace laconic::graph {

class MaxMarginals {
public:
    static constexpr Sum dead = std::numeric_limits<Sum>::min();

    // False if there is no tree: then nothing else may be asked for.
    [[nodiscard]] bool compute(const Edges& edges, bool single_root);
    // Of the best tree.
    [[nodiscard]] Sum best() const noexcept { return best_; }
    // By column; `dead` for edges that are dead or in no tree.
    [[nodiscard]] std::span<const Sum> row(Node modifier) const noexcept {
        return {marginals_.data() + static_cast<std::size_t>(modifier - 1) * columns_, columns_};
    }

private:
    using Table = std::vector<Sum>;

    void chain_inside(const Edges& edges, bool single_root);
    void chain_outside(bool single_root);
    void outside(const Edges& edges);
    [[nodiscard]] std::size_t row_at(std::size_t i, std::size_t k) const noexcept { return i * chart_.band() + k; }
    [[nodiscard]] std::size_t first(std::size_t j) const noexcept { return j > chart_.band() ? j - chart_.band() : 0; }
    [[nodiscard]] Sum edge(const Edges& edges, std::size_t head, std::size_t modifier) const noexcept;
    static void raise(Sum& value, Sum other) noexcept { value = std::max(value, other); }

    Chart<Sum> chart_;                 // positions are words, from 0
    Table root_edges_, left_, right_;  // chains of the root's modifiers, as in projective.hpp
    Table out_left_chain_, out_right_chain_;
    Table out_right_, out_left_, out_arc_right_, out_arc_left_;  // by left end and step
    Table marginals_;
    std::size_t columns_ = 0;
    Sum best_ = 0;
};

// A step of a pruning cascade (Rush & Petrov 2012): an edge stays alive if its max-marginal is at least share · best +
// (1 - share) · mean of the max-marginals of all edges that are in some tree; the best tree always stays. `share` is
// from 0 to 1. The marginals are those of these edges. Returns how many edges died. O(edges).
std::size_t prune(Edges& edges, const MaxMarginals& marginals, double share);

}  // namespace laconic::graph
