#pragma once
// Static oracle of the swap system (Nivre 2009): SWAP wherever two words stand against the projective order of the
// tree. Rebuilds every tree that its budget allows.

#include "transition/arc_standard_oracle.hpp"
#include "transition/oracle.hpp"
#include "transition/swap.hpp"

namespace laconic::transition {

inline Costs costs(const Swap& system, const State& state, const Gold& gold) {
    const Move arc = arc_between(system, state, gold);
    const bool crossed = arc == Swap::shift && has(system.valid(state), Swap::swap) &&
                         gold.place(state.stack(0)) < gold.place(state.stack(1));
    return costs_but(crossed ? Swap::swap : arc);
}

}  // namespace laconic::transition
