#pragma once
// Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011): left arcs as in arc-eager, right arcs as in arc-standard.

#include "transition/oracle.hpp"

namespace laconic::transition {

class ArcHybrid final : public RootUnderStack {
public:
    static constexpr Move shift = 0, left = 1, right = 2;
    static constexpr std::array<MoveFacts, 3> moves{{{"shift"}, {"left", MoveArc::left}, {"right", MoveArc::right}}};
    static constexpr SystemFacts known{
        .name = "arc-hybrid", .moves = moves, .projective = true, .dynamic = true, .makes_roots = true};

    using RootUnderStack::RootUnderStack;

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    // SHIFT needs a word in the queue, LEFT one there and one on the stack, RIGHT one on the stack. The root lies under
    // the stack: RIGHT on the lowest word makes it a root, and with a single root that is the last move.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        const bool stack = state.stack_size() > 0;
        const bool queue = state.queue_size() > 0;
        const bool under = state.stack_size() > 1 || !single_root() || !queue;
        return only_if(queue, shift) | only_if(stack && queue, left) | only_if(stack && under, right);
    }
    // LEFT: the next word is the head of the top. RIGHT: the word below is the head of the top.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept override {
        if (move == left) return {state.queue(0), state.stack(0)};
        if (move == right) return {below_top(state), state.stack(0)};
        return {};
    }
    void apply(State& state, Move move, Relation relation) const override {
        step(state, move, arc(state, move), relation);
    }
    // Dynamic (Goldberg & Nivre 2013). Exact for projective trees. Cost: the gold children looked at.
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const noexcept override {
        Costs result{};
        const Node top = state.stack(0);
        const Node next = state.queue(0);
        if (next != none) {
            // The word cannot be a child of what lies below the top any more, nor the head of anything on the stack.
            const Node head = gold.head(next);
            const bool below = head == root ? top != none : head != top && state.on_stack(head);
            result[shift] = below + children_on_stack(state, gold, next);
        }
        if (top != none) {
            // The top leaves: it loses its other possible heads and all its children to come.
            const Node head = gold.head(top);
            const Node under = below_top(state);
            const std::uint32_t children = children_in_queue(state, gold, top);
            const bool to_come = head > root && state.in_queue(head);
            result[left] = children + (head == under || (to_come && head != next));
            result[right] = children + to_come;
        }
        return result;
    }
};

}  // namespace laconic::transition
