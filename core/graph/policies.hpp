#pragma once
// Policies: what becomes of a word's rivals before its next group of features. One answer says it all: rivals that
// trail the head of the current tree by at least the threshold are dropped, and a word without rivals is locked.

#include <cmath>
#include <concepts>

#include "graph/edges.hpp"

namespace laconic::graph {

inline constexpr Sum drop_all = std::numeric_limits<Sum>::min();   // lock
inline constexpr Sum drop_none = std::numeric_limits<Sum>::max();  // add

// About a word with at least two alive heads.
struct Question {
    const Edges& edges;
    Node word, head;    // head: that of the current tree
    std::size_t group;  // the next to be added, from 1 on; groups of siblings follow those of edges
    Sum score;   // of the edge, with the parts that it makes in the current tree once there are groups of siblings
    Sum before;  // without the last group; 0 if the policy does not read it
    Sum lead;    // over the best rival; negative if that has a higher score
};

template <class P>
concept Policy = requires(P& policy, const Question& question) {
    { P::reads_before } -> std::convertible_to<bool>;
    { policy.threshold(question) } -> std::same_as<Sum>;
};

// Adds every group to everything that is alive: the full parser.
struct NeverLock {
    static constexpr bool reads_before = false;
    [[nodiscard]] static Sum threshold(const Question&) noexcept { return drop_none; }
};

struct AlwaysLock {
    static constexpr bool reads_before = false;
    [[nodiscard]] static Sum threshold(const Question&) noexcept { return drop_all; }
};

// A threshold for each group but the first: thresholds[i] is asked for before group i + 1; without one nothing is
// dropped.
struct DropRule {
    std::span<const Sum> thresholds;

    static constexpr bool reads_before = false;
    [[nodiscard]] Sum threshold(const Question& question) const noexcept {
        return question.group <= thresholds.size() ? thresholds[question.group - 1] : drop_none;
    }
};

// Locks what is right: the teacher of learned policies.
struct Expert {
    std::span<const Node> gold;  // heads of the sentence

    static constexpr bool reads_before = false;
    [[nodiscard]] Sum threshold(const Question& question) const noexcept {
        return gold[static_cast<std::size_t>(question.word) - 1] == question.head ? drop_all : drop_none;
    }
};

// What a linear policy weighs beside features of the edge.
struct PolicyWeights {
    double bias = 0, now = 0, before = 0, margin = 0;
    std::vector<double> groups;  // by the next group, from group 1 on; none: 0
    double temperature = 1;      // scores are divided by it before they are squashed
};

// Locks where a linear function is above the threshold of the group: of the squashed score now and before the last
// group, its margin over the best rival, the next group, and what acquired(question) says of the features acquired so
// far (He, Daumé & Eisner 2013, whose thresholds are 0). `scale` is that of scores and thresholds.
template <class Acquired>
struct LinearPolicy {
    const PolicyWeights& weights;
    Acquired& acquired;
    std::span<const Sum> thresholds{};  // as in DropRule; without one it is 0
    double scale = 1;

    static constexpr bool reads_before = true;
    [[nodiscard]] Sum threshold(const Question& question) {
        const Sum needed = question.group <= thresholds.size() ? thresholds[question.group - 1] : 0;
        if (needed == drop_none) return drop_none;
        const auto squashed = [&](Sum score) {
            return 1 / (1 + std::exp(-static_cast<double>(score) / (scale * weights.temperature)));
        };
        const double now = squashed(question.score);
        double sum = weights.bias + weights.now * now + weights.before * squashed(question.before) +
                     weights.margin * (now - squashed(question.score - question.lead));
        if (question.group <= weights.groups.size()) sum += weights.groups[question.group - 1];
        return sum + acquired(question) > static_cast<double>(needed) / scale ? drop_all : drop_none;
    }
};

}  // namespace laconic::graph
