#pragma once
// One decision, step by step: what every template added, and where it stopped. For explanations; decide() does
// not pay for it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/decide.hpp"

namespace laconic::learn {

// What was seen at an exit.
struct Check {
    std::uint32_t depth;
    Label best;
    std::int32_t margin;
    std::int32_t needed;  // `never` at the last exit: there the decision is taken anyway
};

struct Trace {
    Decision decision{};
    std::vector<Label> candidates;
    std::vector<Look> looks;           // one per computed template
    std::vector<std::int32_t> scores;  // of the candidates before the first template and after each: rows of them
    std::vector<Check> checks;
};

// Takes the decision as decide() does, or as decide_on() does `from` a depth, and tells how. Scores are all of the exit
// where it stopped: hidden rows have an output layer for each, and those of different exits are not comparable.
// Templates merged into one before them add nothing. Cost: some times that of the decision.
template <Scorer T, Context C>
Trace trace(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
            std::span<const Exit> exits, ScratchOf<T>& scratch, std::uint32_t from = 0) {
    Trace result;
    result.candidates.assign(candidates.begin(), candidates.end());
    clear(table, scratch);
    accumulate(table, plan, 0, from, context, scratch);
    result.decision = decide_on(table, plan, context, candidates, exits, scratch, from);
    if (candidates.size() == 1) return result;
    const std::uint32_t depth = result.decision.depth;
    clear(table, scratch);
    std::uint32_t done = 0;
    for (const Exit exit : exits) {
        if (exit.depth < from) continue;
        if (exit.depth > depth) break;
        accumulate(table, plan, done, exit.depth, context, scratch);
        done = exit.depth;
        const Decision now = lead(table, scratch, candidates, done);
        result.checks.push_back({done, now.label, now.margin, exit.depth == exits.back().depth ? never : exit.margin});
    }
    const auto note = [&] {
        (void)lead(table, scratch, candidates, depth);
        for (const Label y : candidates) result.scores.push_back(score_of(table, scratch, y));
    };
    clear(table, scratch);
    note();
    for (std::uint32_t j = 0; j < depth;) {
        const Look seen = look(table, plan, j, context);
        accumulate(table, plan, j, seen.next, context, scratch);
        for (std::uint32_t k = j; k < seen.next; ++k) {
            result.looks.push_back(k == j ? seen : Look{.next = k + 1});
            note();
        }
        j = seen.next;
    }
    return result;
}

}  // namespace laconic::learn
