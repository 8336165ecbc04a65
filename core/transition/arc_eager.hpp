#pragma once
// Arc-eager (Nivre 2003): arcs between the top of the stack and the next word, right arcs as soon as they are seen.

#include "transition/oracle.hpp"

namespace laconic::transition {

class ArcEager final : public TransitionSystem {
public:
    static constexpr Move shift = 0, left = 1, right = 2, reduce = 3;
    static constexpr std::array<MoveFacts, 4> moves{
        {{"shift"}, {"left", MoveArc::left}, {"right", MoveArc::right}, {"reduce"}}};
    static constexpr SystemFacts known{.name = "arc-eager", .moves = moves, .projective = true, .dynamic = true};

    using TransitionSystem::TransitionSystem;

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    [[nodiscard]] bool done(const State& state) const noexcept override { return state.queue_size() == 0; }
    // LEFT needs a top without a head, REDUCE one with a head, RIGHT any. Words that never get a head are the roots. If
    // there may be only one, the last word is shifted on an empty stack or gets a head where one word lacks it.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        const bool stack = state.stack_size() > 0;
        const bool headless = stack && state.head(state.stack(0)) == none;
        const bool last = single_root() && state.queue_size() == 1;
        return only_if(!last || !stack, shift) | only_if(headless, left) |
               only_if(stack && (!last || state.headless() == 1), right) | only_if(stack && !headless, reduce);
    }
    // LEFT: the next word is the head of the top. RIGHT: the top is the head of the next word.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept override {
        if (move == left) return {state.queue(0), state.stack(0)};
        if (move == right) return {state.stack(0), state.queue(0)};
        return {};
    }
    // SHIFT and RIGHT move the next word to the stack, LEFT and REDUCE take the top off it.
    void apply(State& state, Move move, Relation relation) const override {
        const Arc made = arc(state, move);
        if (made.exists()) state.attach(made, relation);
        if (move == shift || move == right)
            state.shift();
        else
            state.pop();
        state.remember(move);
    }
    void finish(State& state, Relation root_relation, Relation spare) const override {
        attach_rest(state, single_root(), root_relation, spare);
    }
    // Dynamic (Goldberg & Nivre 2012). Exact for projective trees where several roots are allowed; with a single root
    // it counts the same arcs, though the last word may not be able to have them all. Cost: the gold children looked
    // at.
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const noexcept override {
        Costs result{};
        const Node top = state.stack(0);
        const Node next = state.queue(0);
        if (next == none) return result;
        const Node head = gold.head(next);
        const std::uint32_t waiting = children_on_stack(state, gold, next);
        // A word that gets no head is a root: SHIFT loses a head on the stack only.
        result[shift] = waiting + (head != root && state.on_stack(head));
        if (top == none) return result;
        const std::uint32_t children = children_in_queue(state, gold, top);
        result[right] = waiting + (head != top && (head == root || state.on_stack(head) || state.in_queue(head)));
        result[reduce] = children;
        const Node above = gold.head(top);
        result[left] = children + (above != next && (above == root || state.in_queue(above)));
        return result;
    }
};

}  // namespace laconic::transition
