#pragma once
// Who decides, and the walk through a sentence that asks.

#include <concepts>
#include <span>

#include "learn/decide.hpp"
#include "learn/hidden.hpp"
#include "learn/trace.hpp"
#include "transition/classes.hpp"
#include "transition/context.hpp"
#include "transition/questions.hpp"

namespace laconic::transition {

// Which of these classes, in the state as it is? Then, if a second classifier labels arcs: which of these labels, for
// the arc that the move is about to make?
template <class T>
concept Brain = requires(T& brain, std::span<const Label> candidates, Arc arc) {
    { T::one_sum } -> std::convertible_to<bool>;  // does the second question go on where the first was sure?
    { brain.move(candidates) } -> std::same_as<learn::Decision>;
    { brain.label(arc, candidates) } -> std::same_as<learn::Decision>;
    // How far a candidate stayed behind what was decided last, in real scores: at most zero.
    { brain.move_gap(Label{}, learn::Decision{}) } -> std::same_as<double>;
    { brain.label_gap(arc, Relation{}, learn::Decision{}) } -> std::same_as<double>;
    { brain.move_score(Label{}) } -> std::same_as<double>;  // of what was decided last, as it stands
    { brain.rows() } -> std::same_as<std::uint64_t>;        // cache lines of weights read so far
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
template <Brain B, class Taken>
void walk(const Classes& classes, State& state, B& brain, Taken&& taken) {
    const TransitionSystem& system = classes.system();
    while (!system.done(state)) {
        Step step{};
        step.classes = classes.candidates(system.valid(state), system.rooted(state));
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
    learn::Trace trace(std::span<const Label> candidates) {
        return learn::trace(table, plan, context, candidates, exits, scratch);
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

template <class T, class S>
double gap(const T& table, const S& scratch, Label candidate, Label best) {
    return (learn::score_of(table, scratch, candidate) - learn::score_of(table, scratch, best)) / table.scale();
}

// Two tables, each with its own templates: one for moves, one for the labels of arcs.
template <class Q>
struct PairBrain {
    static constexpr bool one_sum = false;
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
    // How the last move and the last label came about, before the step is made.
    learn::Trace trace_move(std::span<const Label> candidates) { return moves.trace(candidates); }
    learn::Trace trace_label(Arc, std::span<const Label> candidates) { return labels.trace(candidates); }
    [[nodiscard]] double move_gap(Label candidate, const learn::Decision& taken) const {
        return gap(moves.table, moves.scratch, candidate, taken.label);
    }
    [[nodiscard]] double label_gap(Arc, Relation candidate, const learn::Decision& taken) const {
        return gap(labels.table, labels.scratch, candidate, taken.label);
    }
    [[nodiscard]] double move_score(Label candidate) const {
        return learn::score_of(moves.table, moves.scratch, candidate) / moves.table.scale();
    }
    [[nodiscard]] std::uint64_t rows() const { return moves.scratch.rows_read + labels.scratch.rows_read; }
};

// One table of hidden rows for both questions: the second goes on from where the first was sure.
class HiddenBrain {
public:
    static constexpr bool one_sum = true;

    // `depths`: what is recorded of each question before it is answered, for calibration; none: nothing.
    HiddenBrain(const learn::HiddenTable& table, const features::Plan& plan, const Questions& questions,
                std::span<const learn::Exit> exits, std::span<const learn::Exit> label_exits, StateContext context,
                std::span<const std::uint32_t> depths = {}, std::span<const std::uint32_t> label_depths = {})
        : table_(table),
          plan_(plan),
          questions_(questions),
          exits_(exits),
          label_exits_(label_exits),
          depths_(depths),
          label_depths_(label_depths),
          context_(std::move(context)),
          scratch_(table) {}

    void look_at(const State& state) noexcept { context_.look_at(state); }
    learn::Decision move(std::span<const Label> candidates) {
        context_.refresh();
        probe(candidates, depths_, leads, labels);
        learn::clear(table_, scratch_);
        const auto decision = learn::decide_on(table_, plan_, context_, candidates, exits_, scratch_, 0);
        reached_ = summed_ = decision.depth;
        return decision;
    }
    learn::Decision label(Arc arc, std::span<const Relation>) {
        const std::span<const Label> candidates = questions_.relations(kind_of(arc));
        if (!label_depths_.empty() && candidates.size() > 1) {
            probe(candidates, label_depths_, label_leads, label_labels);
            learn::clear(table_, scratch_);
            learn::accumulate(table_, plan_, 0, reached_, context_, scratch_);
        }
        // A label asked for before may have gone on: there is no way back.
        auto decision = learn::decide_on(table_, plan_, context_, candidates, label_exits_, scratch_, summed_);
        summed_ = decision.depth;
        decision.label = questions_.relation(decision.label);
        return decision;
    }
    // How the last move and the last label came about, before the step is made.
    learn::Trace trace_move(std::span<const Label> candidates) {
        return learn::trace(table_, plan_, context_, candidates, exits_, scratch_);
    }
    learn::Trace trace_label(Arc arc, std::span<const Relation>) {
        auto trace =
            learn::trace(table_, plan_, context_, questions_.relations(kind_of(arc)), label_exits_, scratch_, reached_);
        trace.decision.label = questions_.relation(trace.decision.label);
        for (Label& label : trace.candidates) label = questions_.relation(label);
        for (learn::Check& check : trace.checks) check.best = questions_.relation(check.best);
        return trace;
    }
    [[nodiscard]] double move_gap(Label candidate, const learn::Decision& taken) const {
        return gap(table_, scratch_, candidate, taken.label);
    }
    [[nodiscard]] double label_gap(Arc arc, Relation candidate, const learn::Decision& taken) const {
        const ArcKind kind = kind_of(arc);
        return gap(table_, scratch_, questions_.label(kind, candidate), questions_.label(kind, taken.label));
    }
    [[nodiscard]] double move_score(Label candidate) const {
        return learn::score_of(table_, scratch_, candidate) / table_.scale();
    }
    [[nodiscard]] std::uint64_t rows() const noexcept { return scratch_.rows_read; }

    std::vector<std::int32_t> leads, label_leads;  // a row of depths per decision that had a choice
    std::vector<Label> labels, label_labels;

private:
    void probe(std::span<const Label> candidates, std::span<const std::uint32_t> depths,
               std::vector<std::int32_t>& found, std::vector<Label>& best) {
        if (candidates.size() < 2) return;
        std::uint32_t done = 0;
        learn::clear(table_, scratch_);
        for (const std::uint32_t depth : depths) {
            learn::accumulate(table_, plan_, done, depth, context_, scratch_);
            done = depth;
            const learn::Decision now = learn::lead(table_, scratch_, candidates, depth);
            found.push_back(now.margin);
            best.push_back(now.label);
        }
    }

    const learn::HiddenTable& table_;
    const features::Plan& plan_;
    const Questions& questions_;
    std::span<const learn::Exit> exits_, label_exits_;
    std::span<const std::uint32_t> depths_, label_depths_;
    StateContext context_;
    learn::HiddenScratch scratch_;
    std::uint32_t reached_ = 0;  // where the move was sure
    std::uint32_t summed_ = 0;   // templates in the sum
};

}  // namespace laconic::transition
