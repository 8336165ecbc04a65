#pragma once
// Who decides, and the walk through a sentence that asks.

#include <concepts>
#include <span>

#include "learn/decide.hpp"
#include "transition/classes.hpp"
#include "transition/context.hpp"

namespace laconic::transition {

// Which of these classes, in the state as it is? Then, if a second classifier labels arcs: which of these labels, for
// the arc that the move is about to make?
template <class T>
concept Brain = requires(T& brain, std::span<const Label> candidates, Arc arc) {
    { brain.move(candidates) } -> std::same_as<learn::Decision>;
    { brain.label(arc, candidates) } -> std::same_as<learn::Decision>;
};

// One decision of a walk.
struct Step {
    Arc arc;  // made by it, if any
    std::span<const Label> classes;
    learn::Decision move;
    std::span<const Relation> relations;  // empty if no second classifier was asked
    learn::Decision label;
};

// Parses the sentence that `state` was started for. Calls taken(step) before each step is made.
template <System S, Brain B, class Taken>
void walk(const S& system, const Classes& classes, State& state, B& brain, Taken&& taken) {
    while (!system.done(state)) {
        Step step{};
        step.classes = classes.candidates(system.valid(state), rooted<S>(state));
        step.move = brain.move(step.classes);
        Classes::Meaning chosen = classes[step.move.label];
        step.arc = system.arc(state, chosen.move);
        if (step.arc.exists() && classes.labels() == Labels::after) {
            step.relations = classes.relations(kind_of(step.arc));
            step.label = brain.label(step.arc, step.relations);
            chosen.relation = step.label.label;
        }
        taken(step);
        system.apply(state, chosen.move, chosen.relation);
    }
    system.finish(state, classes.root_relation(), classes.spare());
}

// One question that a table answers, early if it is sure.
template <class T>
class Question {
public:
    Question(const T& table, const features::Plan& plan, std::span<const learn::Exit> exits, StateContext context)
        : table(table), plan(plan), exits(exits), context(std::move(context)), scratch(learn::scratch_for(table)) {}

    learn::Decision ask(std::span<const Label> candidates) {
        return learn::decide(table, plan, context, candidates, exits, scratch);
    }

    const T& table;
    const features::Plan& plan;
    std::span<const learn::Exit> exits;
    StateContext context;
    decltype(learn::scratch_for(std::declval<const T&>())) scratch;
};

// The same, and what every one of `depths` says before that: for calibration.
template <class T>
class ProbingQuestion : public Question<T> {
public:
    ProbingQuestion(Question<T> question, std::span<const std::uint32_t> depths)
        : Question<T>(std::move(question)), depths_(depths) {}

    learn::Decision ask(std::span<const Label> candidates) {
        if (candidates.size() > 1) {
            learn::clear(this->table, this->scratch);
            std::uint32_t done = 0;
            for (const std::uint32_t depth : depths_) {
                learn::accumulate(this->table, this->plan, done, depth, this->context, this->scratch);
                done = depth;
                const learn::Decision now = learn::lead(this->table, this->scratch, candidates, depth);
                leads.push_back(now.margin);
                labels.push_back(now.label);
            }
        }
        return Question<T>::ask(candidates);
    }

    std::vector<std::int32_t> leads;  // a row of depths per decision that had a choice
    std::vector<Label> labels;

private:
    std::span<const std::uint32_t> depths_;
};

// Two tables, each with its own templates: one for moves, one for the labels of arcs.
template <class Q>
struct PairBrain {
    Q moves;
    Q labels;

    void look_at(const State& state) noexcept {
        moves.context.look_at(state);
        labels.context.look_at(state);
    }
    learn::Decision move(std::span<const Label> candidates) {
        moves.context.refresh();
        return moves.ask(candidates);
    }
    learn::Decision label(Arc arc, std::span<const Label> candidates) {
        labels.context.refresh(arc);
        return labels.ask(candidates);
    }
};

}  // namespace laconic::transition
