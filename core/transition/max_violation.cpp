// Max-violation training (Huang, Fayong & Guo 2012): the loss of a sentence is how far the best hypothesis of a beam
// outscores the oracle's path where it does so most.

#include "transition/beam.hpp"
#include "transition/trainer.hpp"

namespace laconic::transition {

namespace {

// Added to the score of a move in training for each arc of the gold tree that it loses: the oracle's path must lead by
// more, the more a wrong one loses.
constexpr double cost_margin = 0.5;

// The classifiers in training, as the ActionModel of a beam.
class TrainingModel {
public:
    static constexpr bool one_sum = false;

    TrainingModel(const ActionSet& actions, const RelationSets& relations, const Gold& gold,
                  learn::OnlineClassifier& moves, learn::OnlineClassifier& labels, StateContext& move_context,
                  StateContext& label_context)
        : system_(actions.system()),
          actions_(actions),
          relations_(relations),
          gold_(gold),
          moves_(moves),
          labels_(labels),
          move_context_(move_context),
          label_context_(label_context) {}

    void look_at(const State& state) noexcept {
        state_ = &state;
        move_context_.look_at(state);
        label_context_.look_at(state);
    }
    learn::Decision move(std::span<const Label> candidates) {
        if (candidates.size() == 1) return {candidates[0], 0, learn::never};
        move_context_.refresh();
        if (system_.facts().dynamic) costs_ = system_.costs(*state_, gold_);
        return {moves_.predict(move_context_, candidates), 0, 0};
    }
    [[nodiscard]] RelationChoice choice(Arc arc) const noexcept { return relations_.of(arc); }
    learn::Decision label(const RelationChoice& choice) {
        if (choice.relations.size() == 1) return {choice.relations[0], 0, learn::never};
        label_context_.refresh(choice.arc);
        return {labels_.predict(label_context_, choice.relations), 0, 0};
    }
    [[nodiscard]] double lead(const learn::Decision&) const noexcept { return 0; }  // unknown
    [[nodiscard]] double move_score(Label candidate) const {
        return moves_.score_of(candidate) + cost_margin * cost(actions_[candidate].move);
    }
    [[nodiscard]] double move_gap(Label candidate, const learn::Decision& taken) const {
        return move_score(candidate) - move_score(taken.label);
    }
    [[nodiscard]] double label_gap(Arc, Relation candidate, const learn::Decision& taken) const {
        return labels_.score_of(candidate) - labels_.score_of(taken.label);
    }
    [[nodiscard]] std::uint64_t rows() const noexcept { return 0; }

private:
    // Arcs that a move loses; where the oracle does not know, whether the arc that it makes is wrong.
    [[nodiscard]] double cost(Move move) const {
        if (system_.facts().dynamic) return costs_[move];
        const Arc arc = system_.arc(*state_, move);
        return arc.exists() && !gold_.has(arc) ? 1 : 0;
    }

    const TransitionSystem& system_;
    const ActionSet& actions_;
    const RelationSets& relations_;
    const Gold& gold_;
    learn::OnlineClassifier& moves_;
    learn::OnlineClassifier& labels_;
    StateContext& move_context_;
    StateContext& label_context_;
    const State* state_ = nullptr;
    Costs costs_{};
};

}  // namespace

// The path of the oracle, and its score after each step, without the margin for costs: where a single root rules out
// what the arcs would allow, even the oracle's moves lose arcs, but no other path can do better.
void Trainer::follow_oracle(std::size_t size) {
    const ActionSet& actions = model_.actions;
    const TransitionSystem& system = actions.system();
    oracle_.clear();
    state_.start(size);
    double score = 0;
    while (!system.done(state_)) {
        const std::span<const Label> candidates = find_actions();
        Label taken = candidates[0];
        if (candidates.size() > 1) {
            taken = right_.front();
            move_context_.refresh();
            moves_.predict(move_context_, candidates);
            score += moves_.score_of(taken);
        }
        const auto [move, named] = actions[taken];
        const Arc arc = system.arc(state_, move);
        const Relation relation = arc.exists() && named == no_relation ? gold_.relation(arc.dependent) : named;
        oracle_.push_back({taken, relation, score});
        system.apply(state_, move, relation);
    }
}

// Makes the steps of a path again. Calls on_choice(step) before each step with a choice, and on_arc(arc) before each
// arc.
template <class OnChoice, class OnArc>
void Trainer::replay(std::size_t size, std::span<const PathStep> path, OnChoice&& on_choice, OnArc&& on_arc) {
    const TransitionSystem& system = model_.actions.system();
    state_.start(size);
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::span<const Label> candidates =
            model_.actions.candidates(system.valid(state_), system.rooted(state_));
        if (candidates.size() > 1) on_choice(i);
        const Move move = model_.actions[path[i].label].move;
        if (const Arc arc = system.arc(state_, move); arc.exists()) on_arc(arc);
        system.apply(state_, move, path[i].relation);
    }
}

Trainer::Epoch Trainer::max_violation_epoch(std::span<const std::uint32_t> order, std::size_t width,
                                            std::size_t snapshots) {
    Epoch result;
    const ActionSet& actions = model_.actions;
    const auto nothing = [](auto&&...) {};
    TrainingModel model(actions, model_.relation_sets, gold_, moves_, labels_, move_context_, label_context_);
    Beam beam(actions, model, BeamOptions{.width = width, .raw_scores = true});
    using Origins = std::vector<decltype(beam)::Origin>;
    std::vector<Origins> past;
    std::vector<PathStep> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t size = enter(order[i]);
        follow_oracle(size);

        past.clear();
        state_.start(size);
        double worst = 0;
        std::size_t when = 0;      // steps until the violation is greatest
        std::ptrdiff_t right = 0;  // the hypothesis that is the oracle's path so far; -1: it was dropped
        for (beam.start(state_); !beam.done();) {
            beam.advance([&](auto&&...) { ++result.decisions; });
            past.emplace_back(beam.origins().begin(), beam.origins().end());
            const std::size_t step = std::min(past.size(), oracle_.size()) - 1;
            const auto same = [&](const auto& origin) {
                return origin.parent == right && (!origin.moves || origin.label == oracle_[step].label);
            };
            const auto at = std::ranges::find_if(past.back(), same);
            right = at == past.back().end() ? -1 : at - past.back().begin();
            const double violation = past.back().front().score - oracle_[step].score;
            if (right != 0 && (violation > worst || when == 0)) worst = violation, when = past.size();
        }
        // The path of the best hypothesis after so many steps.
        const auto best_path = [&](std::size_t steps) {
            found.clear();
            std::uint32_t hypothesis = 0;
            for (std::size_t at = steps; at-- > 0; hypothesis = past[at][hypothesis].parent) {
                const auto& origin = past[at][hypothesis];
                if (origin.moves) found.push_back({origin.label, origin.relation, 0});
            }
            std::ranges::reverse(found);
        };
        model.look_at(state_);
        if (actions.labels() == Labels::after) {
            best_path(past.size());
            replay(size, found, nothing, [&](Arc arc) {
                const std::span<const Relation> possible = actions.relations(kind_of(arc));
                const Relation wanted = gold_.relation(arc.dependent);
                if (possible.size() < 2 || !gold_.has(arc) || !std::ranges::binary_search(possible, wanted)) return;
                label_context_.refresh(arc);
                labels_.step(label_context_, {&wanted, 1}, possible);
            });
        }
        gradients_.clear();
        if (right != 0) {
            result.loss += worst;
            best_path(when);
            const std::span<const PathStep> gold = std::span(oracle_).first(std::min(when, oracle_.size()));
            const auto [first, other] = std::ranges::mismatch(
                gold, found, [](const PathStep& a, const PathStep& b) { return a.label == b.label; });
            const std::size_t parting = static_cast<std::size_t>(first - gold.begin());
            const auto add_gradients = [&](std::span<const PathStep> path, float amount) {
                const auto on_choice = [&](std::size_t step) {
                    if (step < parting) return;
                    move_context_.refresh();
                    gradients_.add(moves_.read(move_context_), path[step].label, amount);
                };
                replay(size, path, on_choice, nothing);
            };
            add_gradients(gold, -1.0F);
            add_gradients(found, 1.0F);
        }
        moves_.update(gradients_.gradients());
        snapshot_after(i + 1, order.size(), snapshots);
    }
    result.loss += labels_.take_loss();
    return result;
}

}  // namespace laconic::transition
