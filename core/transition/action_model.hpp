#pragma once
// The models that choose actions, and the greedy walk through a sentence that uses them.

#include <concepts>
#include <span>
#include <utility>

#include "learn/decide.hpp"
#include "learn/hidden.hpp"
#include "learn/probability.hpp"
#include "learn/probe.hpp"
#include "learn/trace.hpp"
#include "transition/action_set.hpp"
#include "transition/context.hpp"
#include "transition/joint_labels.hpp"

namespace laconic::transition {

// Chooses among actions in the state as it is; then, if labels are decided after moves, among labels for the arc that
// the move is about to make.
template <class T>
concept ActionModel =
    requires(T& model, std::span<const Label> candidates, Arc arc, const RelationChoice& choice, const State& state) {
        { T::one_sum } -> std::convertible_to<bool>;  // does the label go on from the sums of the move?
        { model.look_at(state) } -> std::same_as<void>;
        { model.move(candidates) } -> std::same_as<learn::Decision>;
        { model.choice(arc) } -> std::same_as<RelationChoice>;
        { model.label(choice) } -> std::same_as<learn::Decision>;
        // How far a candidate stayed behind what was decided last, in real scores: at most zero.
        { model.move_gap(Label{}, learn::Decision{}) } -> std::same_as<double>;
        { model.label_gap(arc, Relation{}, learn::Decision{}) } -> std::same_as<double>;
        { model.lead(learn::Decision{}) } -> std::same_as<double>;  // of the best move, in real scores
        { model.move_score(Label{}) } -> std::same_as<double>;      // of a candidate of the last move
        { model.rows() } -> std::same_as<std::uint64_t>;            // cache lines of weights read so far
    };

// One decision of a walk.
struct Step {
    Arc arc;  // made by it, if any
    std::span<const Label> actions;
    learn::Decision move;
    RelationChoice choice;  // of no relations if the label was not decided after the move
    learn::Decision label;
};

// An action that was made: one of the candidates, and the label of the arc.
struct Chosen {
    Label label;
    Relation relation;
};

// Parses the sentence that `state` was started for. Calls moved(step) when a move was decided, before its label is:
// only then are the scores of the moves those by which it was. Calls taken(step) before each step is made. With a path,
// its actions are made in place of the best ones; a step has these, at the depths where the best were decided.
template <ActionModel A, class Moved, class Taken>
void walk(const ActionSet& actions, State& state, A& model, Moved&& moved, Taken&& taken,
          std::span<const Chosen> path = {}) {
    const TransitionSystem& system = actions.system();
    std::size_t number = 0;
    while (!system.done(state)) {
        Step step{};
        step.actions = actions.candidates(system.valid(state), system.rooted(state));
        step.move = model.move(step.actions);
        if (!path.empty()) step.move.label = path[number].label;
        ActionSet::Meaning chosen = actions[step.move.label];
        step.arc = system.arc(state, chosen.move);
        moved(step);
        if (step.arc.exists() && actions.labels() == Labels::after) {
            step.choice = model.choice(step.arc);
            step.label = model.label(step.choice);
            if (!path.empty()) step.label.label = path[number].relation;
            chosen.relation = step.label.label;
        }
        ++number;
        taken(step);
        system.apply(state, chosen.move, chosen.relation);
    }
    system.finish(state, actions.root_relation(), actions.spare());
}

// The weights of one classifier and the scratch of its decisions. `C` is the context in which it reads a state.
template <learn::Scorer T, learn::Context C = StateContext>
class TableClassifier {
public:
    // `depths`: the decision after each of them is recorded in `prefixes`, for calibration; none: nothing is.
    TableClassifier(const T& table, const features::Plan& plan, std::span<const learn::Exit> exits, C context,
                    std::span<const std::uint32_t> depths = {})
        : table(table),
          plan(plan),
          exits(exits),
          depths(depths),
          context(std::move(context)),
          scratch(learn::scratch_for(table)) {}

    learn::Decision decide(std::span<const Label> candidates) {
        if (!depths.empty() && candidates.size() > 1)
            learn::probe(table, plan, context, candidates, depths, scratch, prefixes);
        return learn::decide(table, plan, context, candidates, exits, scratch);
    }
    learn::Trace trace(std::span<const Label> candidates) {
        return learn::trace(table, plan, context, candidates, exits, scratch);
    }
    [[nodiscard]] double gap(Label candidate, Label best) const { return learn::gap(table, scratch, candidate, best); }

    const T& table;
    const features::Plan& plan;
    std::span<const learn::Exit> exits;
    std::span<const std::uint32_t> depths;
    C context;
    learn::ScratchOf<T> scratch;
    learn::Prefixes prefixes;
};

// Two classifiers, each with its own templates: one for moves, one for the labels of arcs.
template <learn::Scorer T, learn::Context C = StateContext>
struct SeparateModel {
    static constexpr bool one_sum = false;
    TableClassifier<T, C> moves;
    TableClassifier<T, C> labels;
    const BatchRelations& relations;

    void look_at(const State& state) noexcept {
        moves.context.look_at(state);
        labels.context.look_at(state);
    }
    learn::Decision move(std::span<const Label> candidates) {
        moves.context.refresh();
        return moves.decide(candidates);
    }
    [[nodiscard]] RelationChoice choice(Arc arc) const noexcept { return relations(arc); }
    learn::Decision label(const RelationChoice& choice) {
        labels.context.refresh(choice.arc);
        return labels.decide(choice.relations);
    }
    // How the last move and the last label came about, before the step is made.
    learn::Trace trace_move(std::span<const Label> candidates) { return moves.trace(candidates); }
    learn::Trace trace_label(const RelationChoice& choice) { return labels.trace(choice.relations); }
    [[nodiscard]] double move_gap(Label candidate, const learn::Decision& taken) const {
        return moves.gap(candidate, taken.label);
    }
    [[nodiscard]] double label_gap(Arc, Relation candidate, const learn::Decision& taken) const {
        return labels.gap(candidate, taken.label);
    }
    [[nodiscard]] double lead(const learn::Decision& move) const noexcept { return move.margin / moves.table.scale(); }
    [[nodiscard]] double move_score(Label candidate) const {
        return learn::score_of(moves.table, moves.scratch, candidate) / moves.table.scale();
    }
    [[nodiscard]] std::uint64_t rows() const { return moves.scratch.rows_read + labels.scratch.rows_read; }
    [[nodiscard]] learn::Prefixes& move_prefixes() noexcept { return moves.prefixes; }
    [[nodiscard]] learn::Prefixes& label_prefixes() noexcept { return labels.prefixes; }
};

// One classifier for moves and labels: the label goes on from the sums where the move was sure.
template <learn::Scorer T, learn::Context C = StateContext>
class SharedModel {
public:
    static constexpr bool one_sum = true;

    // `depths` and `label_depths`: as for TableClassifier.
    SharedModel(const T& table, const features::Plan& plan, const JointLabels& joint_labels,
                const BatchRelations& relations, std::span<const learn::Exit> exits,
                std::span<const learn::Exit> label_exits, C context, std::span<const std::uint32_t> depths = {},
                std::span<const std::uint32_t> label_depths = {})
        : table_(table),
          plan_(plan),
          joint_labels_(joint_labels),
          relations_(relations),
          exits_(exits),
          label_exits_(label_exits),
          depths_(depths),
          label_depths_(label_depths),
          context_(std::move(context)),
          scratch_(learn::scratch_for(table)) {}

    void look_at(const State& state) noexcept { context_.look_at(state); }
    learn::Decision move(std::span<const Label> candidates) {
        context_.refresh();
        if (!depths_.empty() && candidates.size() > 1)
            learn::probe(table_, plan_, context_, candidates, depths_, scratch_, prefixes_);
        learn::clear(table_, scratch_);
        const auto decision = learn::decide_on(table_, plan_, context_, candidates, exits_, scratch_, 0);
        reached_ = summed_ = decision.depth;
        return decision;
    }
    [[nodiscard]] RelationChoice choice(Arc arc) const noexcept { return relations_(arc); }
    learn::Decision label(const RelationChoice& choice) {
        const learn::Candidates candidates = joint_labels_.relations(choice);
        if (!label_depths_.empty() && candidates.size() > 1) {
            learn::probe(table_, plan_, context_, candidates.labels, label_depths_, scratch_, label_prefixes_);
            learn::clear(table_, scratch_);
            learn::accumulate(table_, plan_, 0, reached_, context_, scratch_);
        }
        // The label of another arc may have added more templates than the move: they stay in the sums.
        auto decision = learn::decide_on(table_, plan_, context_, candidates, label_exits_, scratch_, summed_);
        summed_ = decision.depth;
        decision.label = joint_labels_.relation(decision.label);
        return decision;
    }
    // How the last move and the last label came about, before the step is made.
    learn::Trace trace_move(std::span<const Label> candidates) {
        return learn::trace(table_, plan_, context_, candidates, exits_, scratch_);
    }
    learn::Trace trace_label(const RelationChoice& choice) {
        auto trace = learn::trace(table_, plan_, context_, joint_labels_.relations(choice).labels, label_exits_,
                                  scratch_, reached_);
        trace.decision.label = joint_labels_.relation(trace.decision.label);
        for (Label& label : trace.candidates) label = joint_labels_.relation(label);
        for (learn::Check& check : trace.checks) check.best = joint_labels_.relation(check.best);
        return trace;
    }
    [[nodiscard]] double move_gap(Label candidate, const learn::Decision& taken) const {
        return learn::gap(table_, scratch_, candidate, taken.label);
    }
    [[nodiscard]] double label_gap(Arc arc, Relation candidate, const learn::Decision& taken) const {
        const ArcKind kind = kind_of(arc);
        return learn::gap(table_, scratch_, joint_labels_.label(kind, candidate),
                          joint_labels_.label(kind, taken.label));
    }
    [[nodiscard]] double lead(const learn::Decision& move) const noexcept { return move.margin / table_.scale(); }
    [[nodiscard]] double move_score(Label candidate) const {
        return learn::score_of(table_, scratch_, candidate) / table_.scale();
    }
    [[nodiscard]] std::uint64_t rows() const noexcept { return scratch_.rows_read; }
    [[nodiscard]] learn::Prefixes& move_prefixes() noexcept { return prefixes_; }
    [[nodiscard]] learn::Prefixes& label_prefixes() noexcept { return label_prefixes_; }

private:
    const T& table_;
    const features::Plan& plan_;
    const JointLabels& joint_labels_;
    const BatchRelations& relations_;
    std::span<const learn::Exit> exits_, label_exits_;
    std::span<const std::uint32_t> depths_, label_depths_;
    C context_;
    learn::ScratchOf<T> scratch_;
    learn::Prefixes prefixes_, label_prefixes_;
    std::uint32_t reached_ = 0;  // where the move was sure
    std::uint32_t summed_ = 0;   // templates in the sums
};

}  // namespace laconic::transition
