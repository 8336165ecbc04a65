#pragma once
// Static oracle of the list-based system: look no farther back than the gold tree asks for. Rebuilds every tree that
// its budget allows.

#include "transition/list_based.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

inline Costs costs(const ListBased& system, const State& state, const Gold& gold) {
    using S = ListBased;
    const Moves valid = system.valid(state);
    const Node top = state.stack(0);
    const Node next = state.queue(0);
    if (top == none || next == none) return costs_but(S::shift);
    const bool leaves = children_in_queue(state, gold, top) == 0;
    if (gold.head(top) == next && has(valid, S::left_pop)) return costs_but(leaves ? S::left_pop : S::left_pass);
    if (gold.head(next) == top && has(valid, S::right_pass)) return costs_but(S::right_pass);
    if (leaves && has(valid, S::reduce)) return costs_but(S::reduce);
    const Node head = gold.head(next);
    const bool more = (head != root && state.on_stack(head)) || children_on_stack(state, gold, next) > 0;
    return costs_but(more && has(valid, S::pass) ? S::pass : S::shift);
}

}  // namespace laconic::transition
