#pragma once
// The list-based system of Choi & Palmer (2011): each word may meet every word before it, so any tree can be built.

#include "transition/oracle.hpp"

namespace laconic::transition {

class ListBased final : public TransitionSystem {
public:
    static constexpr Move shift = 0, left_pop = 1, left_pass = 2, right_pass = 3, pass = 4, reduce = 5;
    static constexpr std::array<MoveFacts, 6> moves{{{"shift"},
                                                     {"left-pop", MoveArc::left},
                                                     {"left-pass", MoveArc::left},
                                                     {"right-pass", MoveArc::right},
                                                     {"pass"},
                                                     {"reduce"}}};
    static constexpr SystemFacts known{.name = "list-based", .moves = moves};
    // PASS is the one move that may be made more often than words allow for. A sentence may use so many; beyond them
    // PASS is not possible any more, and what is left costs at most four moves a word.
    static constexpr std::size_t passes_per_word = 16, free_passes = 1000;

    using TransitionSystem::TransitionSystem;

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    [[nodiscard]] bool done(const State& state) const noexcept override { return state.queue_size() == 0; }
    // SHIFT is always possible. All others look at the top of the stack: LEFT needs it to have no head, RIGHT needs the
    // next word to have none, both that the arc closes no circle; REDUCE needs it to have a head.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        if (state.stack_size() == 0) return only(shift);
        const Node top = state.stack(0);
        const Node next = state.queue(0);
        const bool headless = state.head(top) == none;
        const bool under = headless && !above(state, top, next);
        const bool over = state.head(next) == none && !above(state, next, top);
        const bool budget = state.spent() < free_passes + passes_per_word * static_cast<std::size_t>(state.words());
        return only(shift) | only_if(under, left_pop) | only_if(under, left_pass) | only_if(over, right_pass) |
               only_if(budget, pass) | only_if(!headless, reduce);
    }
    // LEFT: the next word is the head of the top. RIGHT: the top is the head of the next word.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept override {
        if (move == left_pop || move == left_pass) return {state.queue(0), state.stack(0)};
        if (move == right_pass) return {state.stack(0), state.queue(0)};
        return {};
    }
    // SHIFT takes everything laid aside back to the stack and moves the next word there. POP and REDUCE take the top
    // away, PASS lays it aside.
    void apply(State& state, Move move, Relation relation) const override {
        const Arc made = arc(state, move);
        if (made.exists()) state.attach(made, relation);
        if (move == shift) {
            state.take_back();
            state.shift();
        } else {
            const Node top = state.pop();
            if (move == left_pass || move == right_pass || move == pass) state.lay_aside(top);
            if (move == pass) state.spend();
        }
        state.remember(move);
    }
    void finish(State& state, Relation root_relation, Relation spare) const override {
        attach_rest(state, single_root(), root_relation, spare);
    }
    // Static: look no farther back than the gold tree asks for. Rebuilds every tree that its budget allows.
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const override {
        const Moves possible = valid(state);
        const Node top = state.stack(0);
        const Node next = state.queue(0);
        if (top == none || next == none) return costs_but(shift);
        const bool leaves = children_in_queue(state, gold, top) == 0;
        if (gold.head(top) == next && has(possible, left_pop)) return costs_but(leaves ? left_pop : left_pass);
        if (gold.head(next) == top && has(possible, right_pass)) return costs_but(right_pass);
        if (leaves && has(possible, reduce)) return costs_but(reduce);
        const Node head = gold.head(next);
        const bool more = (head != root && state.on_stack(head)) || children_on_stack(state, gold, next) > 0;
        return costs_but(more && has(possible, pass) ? pass : shift);
    }

private:
    // Is `upper` an ancestor of `node`? A chain too long to walk counts as one: its arc is not possible.
    static bool above(const State& state, Node upper, Node node) noexcept {
        std::size_t steps = 0;
        while (node != none && node != upper && steps < longest_chain) node = state.head(node), ++steps;
        return node != none;
    }
    static constexpr std::size_t longest_chain = 1000;
};

}  // namespace laconic::transition
