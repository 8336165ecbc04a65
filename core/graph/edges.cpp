#include "graph/edges.hpp"

namespace laconic::graph {

void Edges::start(std::size_t words, const EdgeLimits& limits) {
    words_ = words;
    dense_ = words <= limits.longest;
    if (dense_) {
        reach_ = words;
        columns_ = words + 1;
    } else {
        reach_ = std::max<std::size_t>(1, std::min({limits.reach, limits.cells / words, words - 1}));
        columns_ = 2 * reach_ + 2;
    }
    stride_ = (columns_ + 7) / 8 * 8;
    bits_ = words_for(columns_);
    alive_.resize(words * bits_);
    scores_.resize(words * stride_);
    reset();
}

Node Edges::first_alive(Node modifier) const noexcept {
    const ConstBits bits = alive(modifier);
    std::size_t i = 0;
    while (bits[i] == 0) ++i;
    return head(i * bits_per_word + static_cast<std::size_t>(std::countr_zero(bits[i])), modifier);
}

Node Edges::best_head(Node modifier) const noexcept {
    Node best = corpus::none;
    Score highest = 0;
    each_alive(modifier, [&](Node candidate, Score score) {
        if (best != corpus::none && score <= highest) return;
        best = candidate;
        highest = score;
    });
    return best;
}

void Edges::keep_only(Node head, Node modifier) noexcept {
    std::ranges::fill(alive(modifier), 0);
    set_bit(alive(modifier), column(head, modifier));
}

void Edges::revive(Node modifier) noexcept {
    const Bits bits = alive(modifier);
    std::ranges::fill(bits, 0);
    set_bit(bits, 0);
    // Words within reach, the modifier itself left out.
    const auto m = static_cast<std::size_t>(modifier);
    const auto first = static_cast<Node>(m > reach_ ? m - reach_ : 1);
    const auto last = static_cast<Node>(std::min(words_, m + reach_));
    set_range(bits, column(first, modifier), column(last, modifier) + 1);
    clear_bit(bits, column(modifier, modifier));
}

void Edges::reset() noexcept {
    std::ranges::fill(scores_, 0);
    for (std::size_t m = 1; m <= words_; ++m) revive(static_cast<Node>(m));
}

Sum tree_score(const Edges& edges, std::span<const Node> heads) {
    Sum sum = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) sum += edges.score(heads[i], static_cast<Node>(i + 1));
    return sum;
}

}  // namespace laconic::graph
