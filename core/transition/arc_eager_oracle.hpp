#pragma once
// Dynamic oracle of arc-eager (Goldberg & Nivre 2012). Exact for projective trees where several roots are allowed; with
// a single root it counts the same arcs, though the last word may not be able to have them all. Cost: the gold children
// looked at.

#include "transition/arc_eager.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

inline Costs costs(const ArcEager&, const State& state, const Gold& gold) noexcept {
    Costs result{};
    const Node top = state.stack(0);
    const Node next = state.queue(0);
    if (next == none) return result;
    const Node head = gold.head(next);
    const std::uint32_t waiting = children_on_stack(state, gold, next);
    // A word that gets no head is a root: SHIFT loses a head on the stack only.
    result[ArcEager::shift] = waiting + (head != root && state.on_stack(head));
    if (top == none) return result;
    const std::uint32_t children = children_in_queue(state, gold, top);
    result[ArcEager::right] = waiting + (head != top && (head == root || state.on_stack(head) || state.in_queue(head)));
    result[ArcEager::reduce] = children;
    const Node above = gold.head(top);
    result[ArcEager::left] = children + (above != next && (above == root || state.in_queue(above)));
    return result;
}

}  // namespace laconic::transition
