#pragma once
// What happened in the rounds of a sentence, for explanations: trees, candidates with their scores, locks, and why
// edges died.

#include "graph/rounds.hpp"

namespace laconic::graph {

struct RoundTrace {
    struct Candidates {
        Node word;
        std::vector<Node> heads;  // alive when the tree was decoded
        std::vector<Score> scores;
    };
    struct Tree {
        std::vector<Node> heads;
        std::vector<Candidates> open;  // words with more than one head
    };
    struct Event {
        std::size_t round;  // of the tree before it
        Node head, word;
        Rule rule;    // of a dead edge
        bool locked;  // else the edge died
        bool forced;  // locked because no other head was left
    };

    std::vector<Tree> trees;
    std::vector<Event> events;

    static constexpr bool listens = true;
    void died(Node head, Node word, Rule rule) { events.push_back({trees.size() - 1, head, word, rule, false, false}); }
    void locked(Node head, Node word, bool forced) {
        events.push_back({trees.size() - 1, head, word, Rule::other_head, true, forced});
    }
    void decoded(const RoundCounts&, const Edges& edges, const Parts*, std::span<const Node> heads) {
        Tree& tree = trees.emplace_back(Tree{{heads.begin(), heads.end()}, {}});
        for (std::size_t i = 1; i <= heads.size(); ++i) {
            const auto word = static_cast<Node>(i);
            if (!edges.has_choice(word)) continue;
            Candidates& open = tree.open.emplace_back(Candidates{word, {}, {}});
            edges.each_alive(word, [&](Node head, Score score) {
                open.heads.push_back(head);
                open.scores.push_back(score);
            });
        }
    }
};

}  // namespace laconic::graph
