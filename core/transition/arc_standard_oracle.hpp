#pragma once
// Static oracle of arc-standard: an arc as soon as its dependent has all its children. Rebuilds every projective tree.

#include "transition/arc_standard.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

// The arc that the gold tree wants between the two topmost words; SHIFT if there is none.
template <class S>
Move arc_between(const S& system, const State& state, const Gold& gold) noexcept {
    const auto wanted = [&](Move move) {
        const Arc arc = system.arc(state, move);
        return has(system.valid(state), move) && gold.has(arc) &&
               state.valency(arc.dependent) == gold.children(arc.dependent).size();
    };
    if (wanted(S::left)) return S::left;
    return wanted(S::right) ? S::right : S::shift;
}

inline Costs costs(const ArcStandard& system, const State& state, const Gold& gold) noexcept {
    return costs_but(arc_between(system, state, gold));
}

}  // namespace laconic::transition
