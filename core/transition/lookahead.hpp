#pragma once
// Look-ahead (chang2007, section 2.4): before each move, sequences of the next moves are tried, and the first move of
// the best sequence is made. For every transition system.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/decide.hpp"
#include "transition/brain.hpp"

namespace laconic::transition {

// How far a parser looks ahead, and what makes its scores probabilities.
struct Ahead {
    std::size_t depth = 1;     // moves of a sequence; 1 is greedy
    double temperature = 1.0;  // of the classifier of moves, after all its templates
    // A sentence longer than this is parsed greedily: trying a move costs a copy of the state.
    std::size_t longest = 1000;
};

// The tree of sequences from the present state on: at each state the two best moves, each worth its softmax score; a
// sequence is worth their sum, or where it ends with the sentence, their mean. What was searched for one move is kept
// for the next: a step of depth d asks about 2^(d - 1) new states. Scores are compared after all templates only. Memory
// is used again from sentence to sentence.
template <class B>
class Lookahead {
public:
    static constexpr std::size_t branches = 2;

    Lookahead(const Classes& classes, B& brain, Ahead ahead)
        : system_(classes.system()), classes_(classes), brain_(brain), ahead_(ahead) {}

    // Parses the sentence that `state` was started for. Calls taken(decision) for every state asked about.
    template <class Taken>
    void walk(State& state, Taken&& taken) {
        free_.resize(nodes_.size());
        for (std::size_t i = 0; i < free_.size(); ++i) free_[i] = i;
        const std::size_t depth = static_cast<std::size_t>(state.words()) <= ahead_.longest ? ahead_.depth : 1;
        std::size_t now = make();
        nodes_[now].state = state;
        while (!system_.done(nodes_[now].state)) {
            const std::size_t best = search(now, depth, 0, 0, taken).branch;
            const std::size_t next = child(now, best);
            for (std::size_t i = 0; i < nodes_[now].count; ++i)
                if (i != best) release(nodes_[now].ways[i].child);
            free_.push_back(now);
            now = next;
        }
        state = nodes_[now].state;
        system_.finish(state, classes_.root_relation(), classes_.spare());
    }

private:
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    struct Way {
        Label label = 0;
        Relation relation = no_relation;
        double worth = 0;
        std::size_t child = nobody;
    };
    struct Node {
        State state;
        std::size_t count = 0;  // of ways; 0: not asked yet
        std::array<Way, branches> ways{};
    };
    struct Found {
        double mean;
        std::size_t branch;
    };

    std::size_t make() {
        if (free_.empty()) {
            nodes_.emplace_back();
            free_.push_back(nodes_.size() - 1);
        }
        const std::size_t node = free_.back();
        free_.pop_back();
        nodes_[node].count = 0;
        return node;
    }
    void release(std::size_t node) {
        if (node == nobody) return;
        for (std::size_t i = 0; i < nodes_[node].count; ++i) release(nodes_[node].ways[i].child);
        free_.push_back(node);
    }

    // The two best moves of a state and their shares.
    template <class Taken>
    void ask(std::size_t number, Taken&& taken) {
        Node& node = nodes_[number];
        const std::span<const Label> candidates =
            classes_.candidates(system_.valid(node.state), system_.rooted(node.state));
        brain_.look_at(node.state);
        const learn::Decision decision = brain_.move(candidates);
        taken(decision);
        node.ways = {};
        node.ways[0].label = decision.label;
        node.count = std::min(candidates.size(), branches);
        if (candidates.size() == 1) {
            node.ways[0].worth = 1;
            if constexpr (B::one_sum) node.ways[0].relation = relation_of(node.state, node.ways[0]);
            return;
        }
        const auto odds = [&](Label y) { return std::exp(brain_.move_gap(y, decision) / ahead_.temperature); };
        Label second = decision.label;
        double sum = 0, next = 0;
        for (const Label y : candidates) {
            const double share = odds(y);
            sum += share;
            if (y != decision.label && (second == decision.label || share > next)) second = y, next = share;
        }
        node.ways[0].worth = 1 / sum;
        node.ways[1].label = second;
        node.ways[1].worth = next / sum;
        // Where one sum answers both questions, labels must be asked for while it stands.
        if constexpr (B::one_sum)
            for (Way& way : node.ways) way.relation = relation_of(node.state, way);
    }
    // The label of the arc that a way makes, if any; the brain must be looking at the state.
    Relation relation_of(const State& state, const Way& way) {
        const auto [move, relation] = classes_[way.label];
        const Arc arc = system_.arc(state, move);
        if (!arc.exists() || classes_.labels() != Labels::after) return relation;
        return brain_.label(arc, classes_.relations(kind_of(arc))).label;
    }
    // The state behind a way, made when it is first gone.
    std::size_t child(std::size_t number, std::size_t branch) {
        if (nodes_[number].ways[branch].child != nobody) return nodes_[number].ways[branch].child;
        const std::size_t made = make();
        Node& from = nodes_[number];
        Node& to = nodes_[made];
        Way& way = from.ways[branch];
        if constexpr (!B::one_sum) {
            brain_.look_at(from.state);
            way.relation = relation_of(from.state, way);
        }
        to.state = from.state;
        system_.apply(to.state, classes_[way.label].move, way.relation);
        way.child = made;
        return made;
    }
    // The best sequence of `depth` moves behind a way of `count` moves worth `sum`, and its first one. All sequences
    // are of one length, unless the sentence ends before: so the mean is compared, which is the sum where it can be.
    template <class Taken>
    Found search(std::size_t number, std::size_t depth, double sum, double count, Taken&& taken) {
        if (system_.done(nodes_[number].state)) return {sum / count, 0};
        if (nodes_[number].count == 0) ask(number, taken);
        const auto gone = [&](std::size_t i) {
            const double worth = sum + nodes_[number].ways[i].worth;
            return depth == 1 ? worth / (count + 1) : search(child(number, i), depth - 1, worth, count + 1, taken).mean;
        };
        Found found{gone(0), 0};
        if (depth == 1) return found;
        for (std::size_t i = 1; i < nodes_[number].count; ++i) {
            // A way that cannot catch up any more is not gone.
            const double most = sum + nodes_[number].ways[i].worth + static_cast<double>(depth - 1);
            if (most <= found.mean * (count + static_cast<double>(depth))) continue;
            const double mean = gone(i);
            if (mean > found.mean) found = {mean, i};
        }
        return found;
    }

    const TransitionSystem& system_;
    const Classes& classes_;
    B& brain_;
    Ahead ahead_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> free_;
};

}  // namespace laconic::transition
