#pragma once
// Deciding with early stopping: templates are added in their order until the best label leads by the margin of an exit
// (strubell2015).

#include <cstdint>
#include <span>

#include "learn/decision.hpp"
#include "learn/linear.hpp"
#include "learn/scorer.hpp"

namespace laconic::learn {

static_assert(AdditiveScorer<Table>);

// Template after template from `depth` on, until sure: for a second decision that goes on from the sums of the first.
// The candidates come as the scorer takes them: as a span of labels or more (labels.hpp).
template <Scorer T, Context C, class Labels>
Decision decide_on(const T& table, const Plan& plan, C& context, const Labels& candidates, std::span<const Exit> exits,
                   ScratchOf<T>& scratch, std::uint32_t depth) {
    if (candidates.size() == 1) return {candidates[0], depth, never};
    for (const Exit& exit : exits) {
        // Nothing stops at an exit without a margin, so that nothing is asked there.
        if (exit.depth < depth || (exit.margin == never && &exit != &exits.back())) continue;
        accumulate(table, plan, depth, exit.depth, context, scratch);
        depth = exit.depth;
        const Decision decision = lead(table, scratch, candidates, depth);
        if (decision.margin >= exit.margin || depth == exits.back().depth) return decision;
    }
    return lead(table, scratch, candidates, depth);  // no exits: an empty plan
}

// Template after template until sure. One candidate costs no template at all.
template <Scorer T, Context C>
Decision decide(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
                std::span<const Exit> exits, ScratchOf<T>& scratch) {
    if (candidates.size() == 1) return {candidates[0], 0, never};
    clear(table, scratch);
    return decide_on(table, plan, context, candidates, exits, scratch, 0);
}

}  // namespace laconic::learn
