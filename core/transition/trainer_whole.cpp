// Training of whole ways through a sentence, as a beam compares them (max-violation: Huang, Fayong & Guo 2012).

#include "transition/beam.hpp"
#include "transition/trainer.hpp"

namespace laconic::transition {

namespace {

// What a move that loses an arc of the gold tree is given for it in training: the right way must lead by more, the more
// a wrong one loses.
constexpr double price = 0.5;

// The parser in training as a beam asks it.
class PupilBrain {
public:
    static constexpr bool one_sum = false;

    PupilBrain(const Classes& classes, const Gold& gold, Pupil& moves, Pupil& labels, StateContext& move_context,
               StateContext& label_context)
        : system_(classes.system()),
          classes_(classes),
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
    learn::Decision label(Arc arc, std::span<const Relation> candidates) {
        if (candidates.size() == 1) return {candidates[0], 0, learn::never};
        label_context_.refresh(arc);
        return {labels_.predict(label_context_, candidates), 0, 0};
    }
    [[nodiscard]] double move_score(Label candidate) const {
        return moves_.score_of(candidate) + price * cost(classes_[candidate].move);
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
    const Classes& classes_;
    const Gold& gold_;
    Pupil& moves_;
    Pupil& labels_;
    StateContext& move_context_;
    StateContext& label_context_;
    const State* state_ = nullptr;
    Costs costs_{};
};

}  // namespace

// The way of the oracle, and what it is worth after each step. It pays no price: where a single root rules out what the
// arcs would allow, even its moves lose arcs, but no way can do better.
void Trainer::follow_oracle(std::size_t size) {
    const Classes& classes = model_.classes;
    const TransitionSystem& system = classes.system();
    oracle_.clear();
    state_.start(size);
    double worth = 0;
    while (!system.done(state_)) {
        const bool from_root = system.rooted(state_);
        const Moves valid = system.valid(state_);
        const std::span<const Label> candidates = classes.candidates(valid, from_root);
        Label taken = candidates[0];
        if (candidates.size() > 1) {
            gold_classes(cheapest(system.costs(state_, gold_), valid), candidates, from_root);
            taken = right_.front();
            move_context_.refresh();
            moves_.predict(move_context_, candidates);
            worth += moves_.score_of(taken);
        }
        const auto [move, named] = classes[taken];
        const Arc arc = system.arc(state_, move);
        const Relation relation = arc.exists() && named == no_relation ? gold_.relation(arc.dependent) : named;
        oracle_.push_back({taken, relation, worth});
        system.apply(state_, move, relation);
    }
}

// Goes a way again. Calls see(step) before each step with a choice, and made(arc) before each arc.
template <class See, class Made>
void Trainer::go_again(std::size_t size, std::span<const Stride> way, See&& see, Made&& made) {
    const TransitionSystem& system = model_.classes.system();
    state_.start(size);
    for (std::size_t i = 0; i < way.size(); ++i) {
        const std::span<const Label> candidates =
            model_.classes.candidates(system.valid(state_), system.rooted(state_));
        if (candidates.size() > 1) see(i);
        const Move move = model_.classes[way[i].label].move;
        if (const Arc arc = system.arc(state_, move); arc.exists()) made(arc);
        system.apply(state_, move, way[i].relation);
    }
}

Trainer::Epoch Trainer::whole_epoch(std::span<const std::uint32_t> order, std::size_t width, std::size_t snapshots) {
    Epoch result;
    const Classes& classes = model_.classes;
    const std::size_t stride = snapshots == 0 ? 0 : std::max<std::size_t>(1, order.size() / snapshots);
    const auto nothing = [](auto&&...) {};
    PupilBrain brain(classes, gold_, moves_, labels_, move_context_, label_context_);
    Beam beam(classes, brain, Breadth{.width = width, .whole = true});
    using Origins = std::vector<decltype(beam)::Origin>;
    std::vector<Origins> past;
    std::vector<Stride> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t begin = columns_.sentences[order[i]];
        const std::size_t size = columns_.sentences[order[i] + 1] - begin;
        sight_.words.enter(order[i]);
        gold_.set(heads_.subspan(begin, size), relations_.subspan(begin, size), classes.system().single_root());
        follow_oracle(size);

        past.clear();
        state_.start(size);
        double worst = 0;
        std::size_t when = 0;      // steps until the violation is greatest
        std::ptrdiff_t right = 0;  // the way that is the oracle's so far; -1: it was lost
        for (beam.start(state_); !beam.done();) {
            beam.advance([&](auto&&...) { ++result.decisions; });
            past.emplace_back(beam.origins().begin(), beam.origins().end());
            const std::size_t step = std::min(past.size(), oracle_.size()) - 1;
            const auto same = [&](const auto& origin) {
                return origin.way == right && (!origin.moves || origin.label == oracle_[step].label);
            };
            const auto at = std::ranges::find_if(past.back(), same);
            right = at == past.back().end() ? -1 : at - past.back().begin();
            const double violation = past.back().front().worth - oracle_[step].worth;
            if (right != 0 && (violation > worst || when == 0)) worst = violation, when = past.size();
        }
        // The best way after so many steps.
        const auto way_to = [&](std::size_t steps) {
            found.clear();
            std::uint32_t way = 0;
            for (std::size_t at = steps; at-- > 0; way = past[at][way].way)
                if (past[at][way].moves) found.push_back({past[at][way].label, past[at][way].relation, 0});
            std::ranges::reverse(found);
        };
        brain.look_at(state_);
        if (classes.labels() == Labels::after) {
            way_to(past.size());
            go_again(size, found, nothing, [&](Arc arc) {
                const std::span<const Relation> possible = classes.relations(kind_of(arc));
                const Relation wanted = gold_.relation(arc.dependent);
                if (possible.size() < 2 || !gold_.has(arc) || !std::ranges::binary_search(possible, wanted)) return;
                label_context_.refresh(arc);
                labels_.step(label_context_, {&wanted, 1}, possible);
            });
        }
        if (right != 0) {
            result.loss += worst;
            way_to(when);
            const std::span<const Stride> gold = std::span(oracle_).first(std::min(when, oracle_.size()));
            const auto [first, other] =
                std::ranges::mismatch(gold, found, [](const Stride& a, const Stride& b) { return a.label == b.label; });
            const std::size_t parting = static_cast<std::size_t>(first - gold.begin());
            const auto pull = [&](std::span<const Stride> way, float amount) {
                const auto learn = [&](std::size_t step) {
                    if (step < parting) return;
                    move_context_.refresh();
                    moves_.push(move_context_, way[step].label, amount);
                };
                go_again(size, way, learn, nothing);
            };
            pull(gold, -1.0F);
            pull(found, 1.0F);
        }
        if (stride > 0 && (i + 1) % stride == 0) {
            moves_.snapshot();
            labels_.snapshot();
        }
    }
    result.loss += labels_.take_loss();
    return result;
}

}  // namespace laconic::transition
