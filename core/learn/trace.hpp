#pragma once
// One decision, step by step: what every template added, and where it stopped. For people who ask why; decide() does
// not pay for it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/decide.hpp"
#include "learn/hidden.hpp"

namespace laconic::learn {

// The features of one template: how many were looked up and found, and where the next template is.
struct Look {
    std::uint32_t asked = 0;
    std::uint32_t found = 0;
    std::uint32_t next = 0;
};

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

template <Context C>
Look look(const Table& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.asked;
        if (table.find(index, key, table.bucket(index, key)) != nullptr) ++result.found;
    });
    return result;
}

template <Context C>
Look look(const HiddenTable& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.asked;
        if (table.find(index, key) == nullptr) return;
        ++result.found;
        result.next = static_cast<std::uint32_t>(index + table.fold(index));
    });
    return result;
}

// Takes the decision as decide() does, or as decide_on() does `from` a depth, and tells how. Scores are all of the exit
// where it stopped: hidden rows have an output layer for each, and those of different exits are not comparable.
// Templates folded into one before them add nothing. Cost: some times that of the decision.
template <class T, Context C, class S>
Trace trace(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
            std::span<const Exit> exits, S& scratch, std::uint32_t from = 0) {
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
