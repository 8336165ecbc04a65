#pragma once
// Beam search: several hypotheses of a sentence at once, of which the best survive each step. For every transition
// system.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "learn/decision.hpp"
#include "transition/action_model.hpp"

namespace laconic::transition {

// How a beam compares hypotheses and which it keeps.
struct BeamOptions {
    std::size_t width = 1;  // hypotheses kept after each step; 1 is greedy
    // A hypothesis scores the sum of its moves' log-probabilities; one that is further behind the best than this is
    // dropped. With `raw_scores`, as max-violation training learns them, it scores the sum of the classifier's scores,
    // which have no common scale: none is dropped but for the width.
    double slack = 0;
    bool raw_scores = false;
    // Scores with what all hypotheses share: where they are asked for, and not only the best tree.
    bool exact_scores = false;
    // By depth, as for confidences; empty: 1.
    std::vector<double> temperatures{}, label_temperatures{};
    // A sentence with more words is parsed greedily: a hypothesis costs a copy of the state.
    std::size_t longest = 1000;
};

// All hypotheses make their n-th move at the same time; finished ones wait for the others. While there is one, and no
// rival of its best move is within the slack by its own score, without a label's, a move costs what it costs a greedy
// parser (not with exact_scores, which may so find other trees). Memory is reused from sentence to sentence.
template <ActionModel A>
class Beam {
public:
    struct Hypothesis {
        State state;
        double score = 0;         // up to what all hypotheses share
        std::uint32_t moves = 0;  // of this one, in `made_`: the number of the last, counted from 1
    };

    Beam(const ActionSet& actions, A& model, BeamOptions options)
        : system_(actions.system()), actions_(actions), model_(model), options_(options) {}

    // Parses the sentence that `state` was started for: the hypotheses that are left, the best first. Calls
    // taken(decision, labels, templates of labels) for every state in which the model decides. Valid until the next
    // call.
    template <class Taken>
    std::span<const Hypothesis> walk(const State& state, Taken&& taken) {
        start(state);
        while (!done()) {
            if (count_ > 1 || !advance_alone(taken)) advance(taken);
        }
        for (Hypothesis& one : std::span(hypotheses_).first(count_))
            system_.finish(one.state, actions_.root_relation(), actions_.spare());
        return hypotheses();
    }

    // The same step by step.
    void start(const State& state) {
        width_ = static_cast<std::size_t>(state.words()) > options_.longest ? 1 : options_.width;
        if (hypotheses_.empty()) hypotheses_.resize(1);
        count_ = 1;
        hypotheses_[0].state = state;
        hypotheses_[0].score = 0;
        hypotheses_[0].moves = 0;
        made_.clear();
    }
    [[nodiscard]] bool done() const {
        return std::ranges::all_of(hypotheses(), [&](const Hypothesis& one) { return system_.done(one.state); });
    }
    template <class Taken>
    void advance(Taken&& taken) {
        steps_.clear();
        for (std::uint32_t i = 0; i < count_; ++i) extend(i, taken);
        if (!options_.raw_scores) {
            const double least = steps_.front().score - options_.slack;
            while (steps_.back().score < least) steps_.pop_back();
        }
        apply_steps();
    }
    [[nodiscard]] std::span<const Hypothesis> hypotheses() const noexcept {
        return std::span(hypotheses_).first(count_);
    }

    // The moves of a hypothesis, in their order. Valid until the next call.
    std::span<const Chosen> path(const Hypothesis& hypothesis) {
        path_.clear();
        for (std::uint32_t at = hypothesis.moves; at != 0; at = made_[at - 1].before)
            path_.push_back(made_[at - 1].action);
        std::ranges::reverse(path_);
        return path_;
    }

    // How each hypothesis came about in the last step.
    struct Origin {
        double score;
        std::uint32_t parent;  // the hypothesis before the step
        Label label;
        Relation relation;
        bool moves;  // false: the parent was finished
    };
    [[nodiscard]] std::span<const Origin> origins() const noexcept { return steps_; }

private:
    struct Better {
        bool operator()(const Origin& a, const Origin& b) const noexcept {
            if (a.score != b.score) return a.score > b.score;
            return a.parent != b.parent ? a.parent < b.parent : a.label < b.label;
        }
    };

    // Whether a step with this score may still be kept.
    [[nodiscard]] bool may_survive(double score) const noexcept {
        if (steps_.empty()) return true;
        if (!options_.raw_scores && score < steps_.front().score - options_.slack) return false;
        return steps_.size() < width_ || score > steps_.back().score;
    }
    void add(const Origin& step) {
        if (!may_survive(step.score)) return;
        if (steps_.size() == width_) steps_.pop_back();
        steps_.insert(std::ranges::upper_bound(steps_, step, Better{}), step);
    }

    void make(Hypothesis& hypothesis, Chosen action) {
        system_.apply(hypothesis.state, actions_[action.label].move, action.relation);
        made_.push_back({hypothesis.moves, action});
        hypothesis.moves = static_cast<std::uint32_t>(made_.size());
    }

    [[nodiscard]] static double temperature(std::span<const double> all, std::uint32_t depth) noexcept {
        return all.empty() ? 1 : all[depth];
    }

    [[nodiscard]] std::span<const Label> candidates_in(const State& state) const {
        return actions_.candidates(system_.valid(state), system_.rooted(state));
    }

    // One step of the only hypothesis; false, and nothing done, where a rival of its best move is within the slack.
    template <class Taken>
    bool advance_alone(Taken&& taken) {
        if (options_.raw_scores || options_.exact_scores) return false;
        Hypothesis& only = hypotheses_[0];
        model_.look_at(only.state);
        const learn::Decision decided = model_.move(candidates_in(only.state));
        const double enough = options_.slack * temperature(options_.temperatures, decided.depth);
        if (width_ > 1 && model_.lead(decided) <= enough) {
            decided_ = decided;
            return false;
        }
        auto [move, relation] = actions_[decided.label];
        const Arc arc = system_.arc(only.state, move);
        std::uint32_t labelled = 0, label_templates = 0;
        if (arc.exists() && actions_.labels() == Labels::after) {
            const learn::Decision label = model_.label(model_.choice(arc));
            labelled = 1;
            label_templates = label.depth - (A::one_sum ? decided.depth : 0);
            relation = label.label;
        }
        taken(decided, labelled, label_templates);
        make(only, {decided.label, relation});
        return true;
    }

    template <class Taken>
    void extend(std::uint32_t number, Taken&& taken) {
        const Hypothesis& parent = hypotheses_[number];
        if (system_.done(parent.state)) return add({parent.score, number, 0, no_relation, false});
        const std::span<const Label> candidates = candidates_in(parent.state);
        if (!decided_) {
            model_.look_at(parent.state);
            decided_ = model_.move(candidates);
        }
        const learn::Decision decision = *std::exchange(decided_, std::nullopt);
        std::uint32_t labelled = 0, label_templates = 0;
        // In the order of the candidates: the score of each move by itself.
        scores_.assign(candidates.size(), 0.0);
        if (candidates.size() > 1) {
            double sum = 0;
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                scores_[i] = options_.raw_scores ? model_.move_score(candidates[i])
                                                 : model_.move_gap(candidates[i], decision) /
                                                       temperature(options_.temperatures, decision.depth);
                sum += std::exp(scores_[i]);
            }
            if (!options_.raw_scores)
                for (double& score : scores_) score -= std::log(sum);
        }
        const auto consider = [&](std::size_t i) {
            double score = parent.score + scores_[i];
            if (!may_survive(score)) return;
            auto [move, relation] = actions_[candidates[i]];
            const Arc arc = system_.arc(parent.state, move);
            if (arc.exists() && actions_.labels() == Labels::after) {
                const RelationChoice choice = model_.choice(arc);
                const learn::Decision label = model_.label(choice);
                ++labelled;
                label_templates += label.depth - (A::one_sum ? decision.depth : 0);
                relation = label.label;
                if (!options_.raw_scores) score += std::log(label_probability(choice, label));
            }
            add({score, number, candidates[i], relation, true});
        };
        // The best first: the others may then be dropped before their labels are decided.
        const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(scores_) - scores_.begin());
        consider(best);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (i != best) consider(i);
        taken(decision, labelled, label_templates);
    }
    [[nodiscard]] double label_probability(const RelationChoice& choice, const learn::Decision& label) const {
        if (choice.relations.size() == 1) return 1;
        // Most labels are far behind: leaving them out changes the probability by less than e^-10 for each.
        constexpr double least = -10;
        const double divisor = temperature(options_.label_temperatures, label.depth);
        double sum = 0;
        for (const Relation y : choice.relations)
            if (const double gap = model_.label_gap(choice.arc, y, label) / divisor; gap > least) sum += std::exp(gap);
        return 1 / sum;
    }

    // Makes the steps that were kept. A state is copied for all but the last of the moves made from it.
    void apply_steps() {
        uses_.assign(count_, 0);
        for (const Origin& step : steps_) ++uses_[step.parent];
        if (next_.size() < steps_.size()) next_.resize(steps_.size());
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const Origin& step = steps_[i];
            if (--uses_[step.parent] == 0)
                std::swap(next_[i].state, hypotheses_[step.parent].state);
            else
                next_[i].state = hypotheses_[step.parent].state;
            next_[i].score = step.score;
            next_[i].moves = hypotheses_[step.parent].moves;
            if (step.moves) make(next_[i], {step.label, step.relation});
        }
        std::swap(hypotheses_, next_);
        count_ = steps_.size();
    }

    const TransitionSystem& system_;
    const ActionSet& actions_;
    A& model_;
    BeamOptions options_;
    std::vector<Hypothesis> hypotheses_, next_;
    std::size_t count_ = 0, width_ = 1;
    std::vector<Origin> steps_;               // the best so far, in order
    std::optional<learn::Decision> decided_;  // about the only hypothesis, for the step to come
    struct Made {
        std::uint32_t before;  // as Hypothesis::moves
        Chosen action;
    };
    std::vector<Made> made_;  // all moves of all hypotheses
    std::vector<Chosen> path_;
    std::vector<double> scores_;
    std::vector<std::uint32_t> uses_;
};

}  // namespace laconic::transition
