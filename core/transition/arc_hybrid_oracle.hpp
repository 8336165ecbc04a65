#pragma once
// Dynamic oracle of arc-hybrid (Goldberg & Nivre 2013). Exact for projective trees. Cost: the gold children looked at.

#include "transition/arc_hybrid.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

inline Costs costs(const ArcHybrid&, const State& state, const Gold& gold) noexcept {
    Costs result{};
    const Node top = state.stack(0);
    const Node next = state.queue(0);
    if (next != none) {
        // The word cannot be a child of what lies below the top any more, nor the head of anything on the stack.
        const Node head = gold.head(next);
        const bool below = head == root ? top != none : head != top && state.on_stack(head);
        result[ArcHybrid::shift] = below + children_on_stack(state, gold, next);
    }
    if (top != none) {
        // The top leaves: it loses its other possible heads and all its children to come.
        const Node head = gold.head(top);
        const Node under = state.stack_size() > 1 ? state.stack(1) : root;
        const std::uint32_t children = children_in_queue(state, gold, top);
        const bool to_come = head > root && state.in_queue(head);
        result[ArcHybrid::left] = children + (head == under || (to_come && head != next));
        result[ArcHybrid::right] = children + to_come;
    }
    return result;
}

}  // namespace laconic::transition
