#pragma once
// From integer scores to probabilities: gaps to the best candidate, and the softmax over them.

#include <cmath>
#include <cstdint>
#include <span>

#include "learn/outcomes.hpp"
#include "learn/scorer.hpp"

namespace laconic::learn {

// How far a candidate stays behind the best one, in real scores: at most zero.
template <Scorer T>
double gap(const T& table, const ScratchOf<T>& scratch, Label candidate, Label best) {
    return (score_of(table, scratch, candidate) - score_of(table, scratch, best)) / table.scale();
}

// The probability of the best candidate; `gap_of` tells how far each candidate stays behind it.
template <class Candidate, class Gap>
double best_probability(std::span<const Candidate> candidates, double temperature, Gap&& gap_of) {
    double sum = 0;
    for (const Candidate y : candidates) sum += std::exp(gap_of(y) / temperature);
    return 1 / sum;
}

// The confidence in a decision. `temperatures` has one for each depth from 1 on, and before them the confidence in a
// decision with one candidate.
template <class Candidate, class Gap>
float confidence(const Decision& decision, std::span<const Candidate> candidates, std::span<const double> temperatures,
                 Gap&& gap_of) {
    if (candidates.size() == 1) return static_cast<float>(temperatures[0]);
    return static_cast<float>(best_probability(candidates, temperatures[decision.depth], gap_of));
}
template <Scorer T>
float confidence(const T& table, const ScratchOf<T>& scratch, const Decision& decision,
                 std::span<const Label> candidates, std::span<const double> temperatures) {
    return confidence(decision, candidates, temperatures,
                      [&](Label y) { return gap(table, scratch, y, decision.label); });
}

// Adds what is known of a decision at its end.
template <class Candidate, class Gap>
void record(FinalScores& finals, const Decision& decision, std::span<const Candidate> candidates, Gap&& gap_of) {
    for (const Candidate y : candidates)
        finals.gaps.push_back(candidates.size() == 1 ? 0.0F : static_cast<float>(gap_of(y)));
    finals.labels.push_back(decision.label);
    finals.depths.push_back(decision.depth);
    finals.begins.push_back(finals.gaps.size());
}
template <Scorer T>
void record(FinalScores& finals, const T& table, const ScratchOf<T>& scratch, const Decision& decision,
            std::span<const Label> candidates) {
    record(finals, decision, candidates, [&](Label y) { return gap(table, scratch, y, decision.label); });
}

}  // namespace laconic::learn
