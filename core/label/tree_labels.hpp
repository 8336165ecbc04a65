#pragma once
// The best labels of a whole tree, and the probability of each label, exactly: scores of single labels, and of the
// labels of an arc and of the arc above it. Knows nothing of features. Any tree: crossing arcs, several roots, chains
// and stars of any length; no recursion. Cost: linear in the words, quadratic in the candidates of an arc.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corpus/tree.hpp"

namespace laconic::label {

using corpus::Node;

// The candidates of the arcs of a tree: those of the arc to node m are begins[m] to begins[m + 1], from node 1 on.
struct ArcCandidates {
    std::span<const std::uint32_t> begins;

    [[nodiscard]] std::size_t size(Node node) const noexcept {
        const auto at = static_cast<std::size_t>(node);
        return begins[at + 1] - begins[at];
    }
    [[nodiscard]] std::size_t begin(Node node) const noexcept { return begins[static_cast<std::size_t>(node)]; }
};

// Memory is reused from tree to tree.
class TreeLabels {
public:
    // The best candidate of each arc, as its number among the candidates of that arc: chosen[m] for node m. `single`
    // has a score for each candidate. pair(m, scores) writes the scores of the candidates p of the arc to the head of
    // m, row after row, with the candidates q of the arc to m, and returns true, or false where nothing depends on the
    // two together; it is never asked for arcs from the root. The first of equal candidates wins.
    template <class Pair>
    void best(const corpus::Tree& tree, ArcCandidates candidates, std::span<const float> single, Pair&& pair,
              std::span<std::uint32_t> chosen) {
        start(tree, candidates, single);
        const std::span<const Node> order = tree.downwards();
        for (std::size_t i = order.size(); i-- > 0;) {
            const Node m = order[i];
            const Node h = tree.head(m);
            if (h == corpus::root || !ask(candidates, m, h, pair)) continue;
            const std::size_t above = candidates.size(h), here = candidates.size(m);
            back_begins_[static_cast<std::size_t>(m)] = back_.size();
            double* inside = inside_.data() + candidates.begin(h);
            const double* of_m = inside_.data() + candidates.begin(m);
            for (std::size_t p = 0; p < above; ++p) {
                std::uint32_t best = 0;
                double highest = -std::numeric_limits<double>::infinity();
                for (std::size_t q = 0; q < here; ++q) {
                    const double score = of_m[q] + static_cast<double>(pairs_[p * here + q]);
                    best = score > highest ? static_cast<std::uint32_t>(q) : best;
                    highest = std::max(highest, score);
                }
                inside[p] += highest;
                back_.push_back(best);
            }
        }
        for (const Node m : order) {
            const auto at = static_cast<std::size_t>(m);
            if (back_begins_[at] != unlinked) {
                chosen[at] = back_[back_begins_[at] + chosen[static_cast<std::size_t>(tree.head(m))]];
                continue;
            }
            const std::span some(inside_.data() + candidates.begin(m), candidates.size(m));
            chosen[at] = static_cast<std::uint32_t>(std::ranges::max_element(some) - some.begin());
        }
    }

    // Writes the probability of each candidate, and calls visit(m, probabilities) with those of the pairs (p, q) of
    // each arc that has some, laid out as the scores. Returns the logarithm of the sum over all labelings.
    template <class Pair, class Visit>
    double marginals(const corpus::Tree& tree, ArcCandidates candidates, std::span<const float> single, Pair&& pair,
                     std::span<float> probabilities, Visit&& visit) {
        start(tree, candidates, single);
        const std::span<const Node> order = tree.downwards();
        double total = 0;
        for (std::size_t i = order.size(); i-- > 0;) {
            const Node m = order[i];
            const Node h = tree.head(m);
            const std::size_t here = candidates.size(m);
            const double* of_m = inside_.data() + candidates.begin(m);
            if (h == corpus::root || !ask(candidates, m, h, pair)) {
                total += log_sum(here, [&](std::size_t q) { return of_m[q]; });
                continue;
            }
            back_begins_[static_cast<std::size_t>(m)] = messages_.size();
            for (std::size_t p = 0; p < candidates.size(h); ++p) {
                messages_.push_back(log_sum(here, [&](std::size_t q) { return of_m[q] + pairs_[p * here + q]; }));
                inside_[candidates.begin(h) + p] += messages_.back();
            }
        }
        // From here on inside_ of a node has what lies above it too: the logarithm of its candidates' probabilities.
        for (const Node m : order) {
            const std::size_t here = candidates.size(m), begin = candidates.begin(m);
            double* of_m = inside_.data() + begin;
            const std::size_t back = back_begins_[static_cast<std::size_t>(m)];
            if (back == unlinked) {
                const double whole = log_sum(here, [&](std::size_t q) { return of_m[q]; });
                for (std::size_t q = 0; q < here; ++q) of_m[q] -= whole;
            } else {
                const Node h = tree.head(m);
                const std::size_t above = candidates.size(h);
                (void)ask(candidates, m, h, pair);
                const double* of_h = inside_.data() + candidates.begin(h);
                outside_.assign(here, 0.0);
                for (std::size_t p = 0; p < above; ++p)
                    for (std::size_t q = 0; q < here; ++q) {
                        const double share = std::exp(of_h[p] - messages_[back + p] + of_m[q] + pairs_[p * here + q]);
                        pairs_[p * here + q] = static_cast<float>(share);
                        outside_[q] += share;
                    }
                visit(m, std::span<const float>(pairs_).first(above * here));
                for (std::size_t q = 0; q < here; ++q) of_m[q] = std::log(std::max(outside_[q], 1e-300));
            }
            for (std::size_t q = 0; q < here; ++q) probabilities[begin + q] = static_cast<float>(std::exp(of_m[q]));
        }
        return total;
    }

private:
    static constexpr std::size_t unlinked = static_cast<std::size_t>(-1);

    void start(const corpus::Tree& tree, ArcCandidates candidates, std::span<const float> single) {
        inside_.assign(single.begin(), single.begin() + static_cast<std::ptrdiff_t>(candidates.begins.back()));
        back_begins_.assign(static_cast<std::size_t>(tree.words()) + 1, unlinked);
        back_.clear();
        messages_.clear();
    }
    template <class Pair>
    bool ask(ArcCandidates candidates, Node m, Node h, Pair&& pair) {
        const std::size_t needed = candidates.size(h) * candidates.size(m);
        if (pairs_.size() < needed) pairs_.resize(needed);
        return pair(m, std::span(pairs_).first(needed));
    }
    template <class Score>
    static double log_sum(std::size_t count, Score&& score) {
        double highest = score(0);
        for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, score(i));
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += std::exp(score(i) - highest);
        return highest + std::log(sum);
    }

    std::vector<double> inside_;            // of each candidate: its score and the best of, or all, below it
    std::vector<std::size_t> back_begins_;  // of each node: of its part of back_ or messages_
    std::vector<std::uint32_t> back_;       // best candidate of an arc for each of the arc above
    std::vector<double> messages_, outside_;
    std::vector<float> pairs_;
};

}  // namespace laconic::label
