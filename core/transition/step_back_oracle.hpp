#pragma once
// Static oracle of step-back: an arc as soon as its child waits for no child of its own. Rebuilds every projective
// tree; with the policy step-back, in one round and at most three moves a word (chang2007, lemmas 1 and 3).

#include "transition/oracle.hpp"
#include "transition/step_back.hpp"

namespace laconic::transition {

inline Costs costs(const StepBack& system, const State& state, const Gold& gold) noexcept {
    const auto waits = [&](Node child) {
        return std::ranges::any_of(gold.children(child), [&](Node one) { return state.head(one) == none; });
    };
    if (state.stack_size() == 0) return costs_but(StepBack::shift);
    for (const Move move : {StepBack::left, StepBack::right}) {
        const Arc arc = system.arc(state, move);
        if (!gold.has(arc)) continue;
        if (!waits(arc.dependent)) return costs_but(move);
        const Move wait = move == StepBack::left ? StepBack::wait_left : StepBack::wait_right;
        return costs_but(has(system.valid(state), wait) ? wait : StepBack::shift);
    }
    return costs_but(StepBack::shift);
}

}  // namespace laconic::transition
