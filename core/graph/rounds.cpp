#include "graph/rounds.hpp"

#include <stdexcept>

namespace laconic::graph {

Parser Rounds::Plan::parser(std::size_t group) const noexcept {
    if (group >= edge_groups) return Parser::siblings;
    if (!options.rules.projective) return Parser::crossing;
    const bool last = group + 1 == std::min(edge_groups, groups());
    return options.propagation == Propagation::paper && !last ? Parser::crossing : Parser::projective;
}

void Rounds::check(const Plan& plan) {
    if (plan.edge_groups == 0 || plan.options.rounds == 0) throw std::invalid_argument("no group of features");
}

void Rounds::start(Edges& edges, const RoundOptions& options) {
    for (Node word = 1; at(word) <= edges.words(); ++word)
        if (edges.alive_heads(word) == 0) edges.revive(word);
    locks_.start(edges, options.rules, options.propagation);
}

bool Rounds::decode(const Edges& edges, const RoundOptions& options, Parser parser, std::span<Node> heads) {
    const TreeRules rules{options.rules.single_root, options.rules.projective && parser != Parser::crossing};
    if (parser != Parser::siblings) return decoder_.decode(edges, rules, locks_, heads);
    if (rules.projective) return decoder_.decode(edges, parts_, rules, locks_, heads);
    climb(edges, parts_, rules, heads);  // from the last tree
    return true;
}

void Rounds::remember(const Edges& edges) {
    before_.resize(edges.words());
    for (const Node word : locks_.open()) {
        const std::span<const Score> scores = edges.scores(word);
        before_[at(word) - 1].assign(scores.begin(), scores.end());
    }
}

Sum Rounds::value(const Edges& edges, bool siblings, std::span<const Node> heads, Node head, Node word) const {
    return siblings ? worth(edges, parts_, heads, head, word) : Sum{edges.score(head, word)};
}

std::pair<Sum, Sum> Rounds::values(const Edges& edges, bool siblings, std::span<const Node> heads, Node word) const {
    const Node head = heads[at(word) - 1];
    Sum rival = std::numeric_limits<Sum>::min();
    edges.each_alive(word, [&](Node other, Score) {
        if (other != head) rival = std::max(rival, value(edges, siblings, heads, other, word));
    });
    return {value(edges, siblings, heads, head, word), rival};
}

void Rounds::sort_open(const Edges& edges, const RoundOptions& options, bool siblings, std::span<const Node> heads) {
    order_.clear();
    for (const Node word : locks_.open()) {
        const auto [score, rival] = values(edges, siblings, heads, word);
        const bool alone = rival == std::numeric_limits<Sum>::min();
        const Sum key = options.by_score ? score : alone ? std::numeric_limits<Sum>::max() : score - rival;
        // Ascending, so negative: of equal ones the first word comes first.
        order_.emplace_back(-key, word);
    }
    std::ranges::sort(order_);
}

}  // namespace laconic::graph
