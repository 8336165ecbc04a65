#include "graph/contributions.hpp"

#include <algorithm>

namespace laconic::graph {

Contributions::Contributions(const GraphModel& model, const corpus::Columns& columns,
                             std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences,
                             const TreeRules& rules)
    : rules_(rules), columns_(model.edge_groups()), rows_(model.edge_groups()) {
    ModelScorer scorer(model, columns);
    Edges edges;
    std::vector<Score> before;
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence, edges, false);
        if (!edges.dense()) continue;
        const auto own = heads.subspan(columns.sentences[sentence], edges.words());
        for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word) {
            edges.each_alive(word, [&](Node head, Score) { heads_.push_back(head); });
            arcs_.push_back(static_cast<std::uint32_t>(heads_.size()));
            gold_.push_back(own[static_cast<std::size_t>(word) - 1]);
            before.assign(edges.columns(), 0);
            for (std::size_t group = 0; group < columns_.size(); ++group) {
                rows_[group] += static_cast<double>(scorer.add(group, {&word, 1}, edges).rows);
                edges.each_alive(word, [&](Node head, Score score) {
                    columns_[group].push_back(score - before[edges.column(head, word)]);
                    before[edges.column(head, word)] = score;
                });
            }
        }
        sentences_.push_back(static_cast<std::uint32_t>(gold_.size()));
    }
    for (double& rows : rows_) rows /= std::max<double>(1, static_cast<double>(heads_.size()));
}

std::vector<std::uint32_t> Contributions::right(std::span<const std::uint32_t> chosen,
                                                std::span<const std::uint32_t> more) const {
    std::vector<Score> sums(heads_.size()), scores(heads_.size());
    for (const std::uint32_t group : chosen)
        for (std::size_t arc = 0; arc < sums.size(); ++arc) sums[arc] += columns_[group][arc];
    std::vector<std::uint32_t> found;
    for (const std::uint32_t group : more) {
        for (std::size_t arc = 0; arc < sums.size(); ++arc) scores[arc] = sums[arc] + columns_[group][arc];
        found.push_back(right(scores));
    }
    return found;
}

std::uint32_t Contributions::right(std::span<const Score> scores) const {
    std::uint32_t count = 0;
    TreeCheck is_tree;
    BestTree decoder;
    Edges edges;
    std::vector<Node> tree;
    for (std::size_t s = 0; s + 1 < sentences_.size(); ++s) {
        const std::size_t first = sentences_[s], words = sentences_[s + 1] - first;
        tree.resize(words);
        for (std::size_t i = 0; i < words; ++i) {
            const auto own = scores.subspan(arcs_[first + i], arcs_[first + i + 1] - arcs_[first + i]);
            tree[i] = heads_[arcs_[first + i] + static_cast<std::size_t>(std::ranges::max_element(own) - own.begin())];
        }
        if (!is_tree(tree, rules_)) {
            edges.start(words);
            for (std::size_t i = 0; i < words; ++i) {
                const auto word = static_cast<Node>(i + 1);
                const Bits alive = edges.alive(word);
                std::ranges::fill(alive, 0);
                for (std::size_t arc = arcs_[first + i]; arc < arcs_[first + i + 1]; ++arc) {
                    set_bit(alive, edges.column(heads_[arc], word));
                    edges.scores(word)[edges.column(heads_[arc], word)] = scores[arc];
                }
            }
            (void)decoder.decode(edges, rules_, tree);  // without a tree the best heads stay
        }
        for (std::size_t i = 0; i < words; ++i) count += tree[i] == gold_[first + i] ? 1 : 0;
    }
    return count;
}

}  // namespace laconic::graph
