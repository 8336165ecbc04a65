#include "graph/vote.hpp"

#include <algorithm>
#include <numeric>

namespace laconic::graph {

// Only arcs that somebody voted for are alive; false if one of them has no column.
bool Vote::enter(Trees trees, Weights weights) {
    const std::size_t words = trees.front().size();
    edges_.start(words);
    // A vote outweighs all preferences among parsers that a sentence can have.
    const auto parsers = static_cast<Sum>(trees.size());
    const Sum preferences = static_cast<Sum>(words) * parsers * (parsers + 1) / 2 + 1;
    Sum votes = 0;
    for (const std::span<const Score> own : weights) votes += std::ranges::max(own);
    const bool fits = preferences <= std::numeric_limits<Score>::max() / 2 / votes;
    const Score scale = fits ? static_cast<Score>(preferences) : 1;
    for (std::size_t i = 0; i < words; ++i) {
        const auto word = static_cast<Node>(i + 1);
        std::ranges::fill(edges_.alive(word), 0);
        for (std::size_t parser = 0; parser < trees.size(); ++parser) {
            const Node head = trees[parser][i];
            if (!edges_.has_column(head, word)) return false;
            const std::size_t column = edges_.column(head, word);
            set_bit(edges_.alive(word), column);
            edges_.scores(word)[column] += weights[parser][i] * scale;
            if (fits) edges_.scores(word)[column] += static_cast<Score>(trees.size() - parser);
        }
    }
    return true;
}

void Vote::decode(Trees trees, Weights weights, bool single_root, std::span<Node> heads) {
    const bool agreed =
        std::ranges::all_of(trees, [&](const auto& tree) { return std::ranges::equal(tree, trees[0]); });
    const auto one_root = [&] { return !single_root || std::ranges::count(trees[0], root) == 1; };
    if (agreed && one_root()) {
        std::ranges::copy(trees[0], heads.begin());
        return;
    }
    if (enter(trees, weights) &&
        ((single_root && arborescence_.decode(edges_, true, heads)) || arborescence_.decode(edges_, false, heads)))
        return;
    const auto sum = [](std::span<const Score> own) { return std::accumulate(own.begin(), own.end(), Sum{0}); };
    const auto best = std::ranges::max_element(weights, {}, sum) - weights.begin();
    std::ranges::copy(trees[static_cast<std::size_t>(best)], heads.begin());
}

}  // namespace laconic::graph
