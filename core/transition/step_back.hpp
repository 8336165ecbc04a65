#pragma once
// The step-back system of Chang, Do & Roth (2007): neighbours among the words not yet attached are compared, children
// leave once they have their head, and the focus steps back after every arc.
//
// The first word of the pair is the top of the stack, the second the next word of the queue: what is left of the
// sentence to the left of the focus lies on the stack, what is left of it to the right in the queue.

#include "transition/oracle.hpp"

namespace laconic::transition {

class StepBack final : public TransitionSystem {
public:
    static constexpr Move shift = 0, left = 1, right = 2, wait_left = 3, wait_right = 4;
    // LEFT and RIGHT say, as in the paper, on which side of the pair the head stands.
    static constexpr std::array<MoveFacts, 5> moves{
        {{"shift"}, {"left", MoveArc::right}, {"right", MoveArc::left}, {"wait-left"}, {"wait-right"}}};
    static constexpr SystemFacts known{.name = "step-back",
                                       .moves = moves,
                                       .template_kind = "stepback",
                                       .projective = true,
                                       .joint_labels = false,
                                       .has_focus = true};
    // A sentence may use so many moves. Beyond them the focus stays where it is and no new round begins, so that what
    // is left costs at most two moves a word.
    static constexpr std::size_t moves_per_word = 30, free_moves = 1000;

    explicit StepBack(const SystemOptions& options) noexcept
        : TransitionSystem(options), focus(options.focus), waits(options.waits) {}

    [[nodiscard]] const SystemFacts& facts() const noexcept override { return known; }
    // The end of a round that is the last one.
    [[nodiscard]] bool done(const State& state) const noexcept override { return state.queue_size() == 0; }
    // All, until a round attaches nothing. Where one root is the law, the words that are left then join their
    // neighbours: LEFT or RIGHT, whichever is the better. The first word comes onto the stack by a SHIFT that is no
    // decision.
    [[nodiscard]] Moves valid(const State& state) const noexcept override {
        if (state.stack_size() == 0) return only(shift);
        if (joining(state)) return only(left) | only(right);
        return only(shift) | only(left) | only(right) | only_if(waits != Waits::none, wait_left) |
               only_if(waits == Waits::both, wait_right);
    }
    // LEFT: the first word is the head of the second. RIGHT: the second is the head of the first.
    [[nodiscard]] Arc arc(const State& state, Move move) const noexcept override {
        if (move == left) return {state.stack(0), state.queue(0)};
        if (move == right) return {state.queue(0), state.stack(0)};
        return {};
    }
    // SHIFT and the waits move the focus one word to the right; after an arc it goes where the policy says. Behind the
    // last pair a new round begins, unless the last one attached nothing.
    void apply(State& state, Move move, Relation relation) const override {
        if (state.stack_size() == 0) {
            state.shift();
            state.note(static_cast<std::size_t>(state.words()));
            return;
        }
        const Arc made = arc(state, move);
        if (made.exists()) {
            state.attach(made, relation);
            if (move == left)
                state.take();
            else
                state.pop();
            refocus(state, move);
        } else {
            state.shift();
        }
        state.remember(move);
        state.spend();
        if (state.stack_size() == 0 && state.queue_size() > 0) state.shift();
        if (state.queue_size() == 0 && state.stack_size() > 1) end_round(state);
    }
    // Words that are left become roots.
    void finish(State& state, Relation root_relation, Relation spare) const override {
        attach_rest(state, single_root(), root_relation, spare);
    }
    // Static: an arc as soon as its child waits for no child of its own. Rebuilds every projective tree; with the
    // policy step-back, in one round and at most three moves a word (chang2007, lemmas 1 and 3).
    [[nodiscard]] Costs costs(const State& state, const Gold& gold) const override {
        if (state.stack_size() == 0) return costs_but(shift);
        const auto waiting = [&](Node child) {
            return std::ranges::any_of(gold.children(child), [&](Node one) { return state.head(one) == none; });
        };
        for (const Move move : {left, right}) {
            const Arc made = arc(state, move);
            if (!gold.has(made)) continue;
            if (!waiting(made.dependent)) return costs_but(move);
            const Move wait = move == left ? wait_left : wait_right;
            return costs_but(has(valid(state), wait) ? wait : shift);
        }
        return costs_but(shift);
    }

private:
    // State::noted() is how many words were left when the round began, or 0 once they must join.
    [[nodiscard]] static bool joining(const State& state) noexcept { return state.noted() == 0; }
    [[nodiscard]] static bool exhausted(const State& state) noexcept {
        return state.spent() >= free_moves + moves_per_word * static_cast<std::size_t>(state.words());
    }
    void refocus(State& state, Move move) const {
        const bool stays = focus == Focus::stay || joining(state) || exhausted(state);
        if (stays) {
            if (move == right && state.queue_size() > 0) state.shift();
        } else if (focus == Focus::start_over) {
            to_front(state);
        } else if (move == left && state.stack_size() > 1) {
            state.put_back(state.pop());
        }
    }
    static void to_front(State& state) {
        while (state.stack_size() > 1) state.put_back(state.pop());
    }
    void end_round(State& state) const {
        const std::size_t words = state.stack_size();
        if (words < state.noted() && !exhausted(state)) {
            to_front(state);
            state.note(words);
        } else if (single_root()) {
            to_front(state);
            state.note(0);
        }
    }

    Focus focus;
    Waits waits;
};

}  // namespace laconic::transition
