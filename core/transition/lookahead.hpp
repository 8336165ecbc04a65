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

#include "learn/decision.hpp"
#include "transition/action_model.hpp"

namespace laconic::transition {

// How far a parser looks ahead, and what makes its scores probabilities.
struct LookaheadOptions {
    std::size_t depth = 1;     // moves of a sequence; 1 is greedy
    double temperature = 1.0;  // of the classifier of moves, after all its templates
    // A sentence with more words is parsed greedily: trying a move costs a copy of the state.
    std::size_t longest = 1000;
};

// The tree of sequences from the present state on: at each state the two best moves, each with its softmax
// probability. The score of a sequence is the sum of them or, where the sentence ends before, their mean. What was
// searched for one move is kept for the next: a step of depth d decides in 2^(d - 1) new states. Scores are compared
// after all templates only. Memory is reused from sentence to sentence.
template <ActionModel A>
class Lookahead {
public:
    static constexpr std::size_t branching = 2;

    Lookahead(const ActionSet& actions, A& model, LookaheadOptions options)
        : system_(actions.system()), actions_(actions), model_(model), options_(options) {}

    // Parses the sentence that `state` was started for. Calls taken(decision) for every state in which the model
    // decides.
    template <class Taken>
    void walk(State& state, Taken&& taken) {
        free_.resize(nodes_.size());
        for (std::size_t i = 0; i < free_.size(); ++i) free_[i] = i;
        const std::size_t depth = static_cast<std::size_t>(state.words()) <= options_.longest ? options_.depth : 1;
        std::size_t now = make();
        nodes_[now].state = state;
        while (!system_.done(nodes_[now].state)) {
            const std::size_t best = search(now, depth, 0, 0, taken).branch;
            const std::size_t next = child(now, best);
            for (std::size_t i = 0; i < nodes_[now].count; ++i)
                if (i != best) release(nodes_[now].branches[i].child);
            free_.push_back(now);
            now = next;
        }
        state = nodes_[now].state;
        system_.finish(state, actions_.root_relation(), actions_.spare());
    }

private:
    static constexpr std::size_t no_node = static_cast<std::size_t>(-1);
    struct Branch {
        Label label = 0;
        Relation relation = no_relation;
        double probability = 0;
        std::size_t child = no_node;
    };
    struct Node {
        State state;
        std::size_t count = 0;  // of branches; 0: not decided yet
        std::array<Branch, branching> branches{};
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
        if (node == no_node) return;
        for (std::size_t i = 0; i < nodes_[node].count; ++i) release(nodes_[node].branches[i].child);
        free_.push_back(node);
    }

    // The two best moves of a state and their probabilities.
    template <class Taken>
    void decide(std::size_t number, Taken&& taken) {
        Node& node = nodes_[number];
        const std::span<const Label> candidates =
            actions_.candidates(system_.valid(node.state), system_.rooted(node.state));
        model_.look_at(node.state);
        const learn::Decision decision = model_.move(candidates);
        taken(decision);
        node.branches = {};
        node.branches[0].label = decision.label;
        node.count = std::min(candidates.size(), branching);
        if (candidates.size() == 1) {
            node.branches[0].probability = 1;
            if constexpr (A::one_sum) node.branches[0].relation = relation_of(node.state, node.branches[0]);
            return;
        }
        const auto odds = [&](Label y) { return std::exp(model_.move_gap(y, decision) / options_.temperature); };
        Label second = decision.label;
        double sum = 0, next = 0;
        for (const Label y : candidates) {
            const double share = odds(y);
            sum += share;
            if (y != decision.label && (second == decision.label || share > next)) second = y, next = share;
        }
        node.branches[0].probability = 1 / sum;
        node.branches[1].label = second;
        node.branches[1].probability = next / sum;
        // Where moves and labels share one sum, labels must be decided before it is overwritten.
        if constexpr (A::one_sum)
            for (Branch& branch : node.branches) branch.relation = relation_of(node.state, branch);
    }
    // The label of the arc that a branch makes, if any; the model must be looking at the state.
    Relation relation_of(const State& state, const Branch& branch) {
        const auto [move, relation] = actions_[branch.label];
        const Arc arc = system_.arc(state, move);
        if (!arc.exists() || actions_.labels() != Labels::after) return relation;
        return model_.label(model_.choice(arc)).label;
    }
    // The state behind a branch, made when it is first needed.
    std::size_t child(std::size_t number, std::size_t which) {
        if (nodes_[number].branches[which].child != no_node) return nodes_[number].branches[which].child;
        const std::size_t made = make();
        Node& from = nodes_[number];
        Node& to = nodes_[made];
        Branch& branch = from.branches[which];
        if constexpr (!A::one_sum) {
            model_.look_at(from.state);
            branch.relation = relation_of(from.state, branch);
        }
        to.state = from.state;
        system_.apply(to.state, actions_[branch.label].move, branch.relation);
        branch.child = made;
        return made;
    }
    // The best sequence of `depth` moves behind `count` moves whose probabilities sum to `sum`, and its first one. All
    // sequences are of one length unless the sentence ends before: so means are compared.
    template <class Taken>
    Found search(std::size_t number, std::size_t depth, double sum, double count, Taken&& taken) {
        if (system_.done(nodes_[number].state)) return {sum / count, 0};
        if (nodes_[number].count == 0) decide(number, taken);
        const auto mean_behind = [&](std::size_t i) {
            const double score = sum + nodes_[number].branches[i].probability;
            return depth == 1 ? score / (count + 1) : search(child(number, i), depth - 1, score, count + 1, taken).mean;
        };
        Found found{mean_behind(0), 0};
        if (depth == 1) return found;
        for (std::size_t i = 1; i < nodes_[number].count; ++i) {
            // A branch that cannot become the best any more is not searched.
            const double most = sum + nodes_[number].branches[i].probability + static_cast<double>(depth - 1);
            if (most <= found.mean * (count + static_cast<double>(depth))) continue;
            const double mean = mean_behind(i);
            if (mean > found.mean) found = {mean, i};
        }
        return found;
    }

    const TransitionSystem& system_;
    const ActionSet& actions_;
    A& model_;
    LookaheadOptions options_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> free_;
};

}  // namespace laconic::transition
