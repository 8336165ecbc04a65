#include "transition/trainer.hpp"

#include <algorithm>
#include <utility>

#include "learn/decision_atoms.hpp"

namespace laconic::transition {

Trainer::Trainer(const Model& model, const corpus::Columns& columns, std::span<const std::int32_t> heads,
                 std::span<const Relation> relations, learn::Settings settings, learn::Settings label_settings)
    : model_(model),
      columns_(columns),
      heads_(heads),
      relations_(relations),
      inputs_(model, columns),
      moves_(model.plan, model.actions.size(), settings),
      labels_(model.label_plan, model.relations.size(), std::move(label_settings)),
      margin_(static_cast<float>(settings.margin)),
      move_context_(model_.readers.moves, inputs_.words, state_, model.relations),
      label_context_(model_.readers.labels, inputs_.words, state_, model.relations) {}

std::size_t Trainer::enter(std::size_t sentence) {
    const std::size_t begin = columns_.sentences[sentence];
    const std::size_t size = columns_.sentences[sentence + 1] - begin;
    inputs_.words.enter(sentence);
    gold_.set(heads_.subspan(begin, size), relations_.subspan(begin, size), model_.actions.system().single_root());
    return size;
}

std::span<const Label> Trainer::find_actions() {
    const ActionSet& actions = model_.actions;
    const TransitionSystem& system = actions.system();
    const bool rooted = system.rooted(state_);
    const Moves valid = system.valid(state_);
    const std::span<const Label> candidates = actions.candidates(valid, rooted);
    if (candidates.size() == 1) return candidates;
    const Moves best = cheapest(system.costs(state_, gold_), valid);
    right_.clear();
    for (const Label label : candidates) {
        const auto [move, relation] = actions[label];
        if (!has(best, move)) continue;
        const Arc arc = system.arc(state_, move);
        const bool named = relation != no_relation && arc.exists() && gold_.has(arc) &&
                           std::ranges::any_of(actions.of(move, rooted), [&](Label one) {
                               return actions[one].relation == gold_.relation(arc.dependent);
                           });
        if (!named || relation == gold_.relation(arc.dependent)) right_.push_back(label);
    }
    return candidates;
}

void Trainer::snapshot_after(std::size_t done, std::size_t sentences, std::size_t snapshots) {
    if (snapshots == 0 || done % std::max<std::size_t>(1, sentences / snapshots) != 0) return;
    moves_.snapshot();
    labels_.snapshot();
}

template <class OnMove, class OnLabel, class Follow>
void Trainer::walk(std::size_t sentence, OnMove&& on_move, OnLabel&& on_label, Follow&& follow) {
    const ActionSet& actions = model_.actions;
    const TransitionSystem& system = actions.system();
    state_.start(enter(sentence));
    while (!system.done(state_)) {
        const std::span<const Label> candidates = find_actions();
        Label taken = candidates[0];
        if (candidates.size() > 1) {
            move_context_.refresh();
            const Label own = on_move(std::span<const Label>(right_), candidates);
            const bool is_right = std::ranges::find(right_, own) != right_.end();
            // A static oracle has one right move, and knows nothing beyond it.
            taken = is_right || (system.facts().dynamic && follow()) ? own : right_.front();
        }
        auto [move, relation] = actions[taken];
        const Arc arc = system.arc(state_, move);
        if (arc.exists() && actions.labels() == Labels::after) {
            const std::span<const Relation> possible = actions.relations(kind_of(arc));
            relation = possible[0];
            if (possible.size() > 1) {
                const Relation wanted = gold_.relation(arc.dependent);
                const bool known = gold_.has(arc) && std::ranges::binary_search(possible, wanted);
                label_context_.refresh(arc);
                relation = on_label(known ? std::span(&wanted, 1) : std::span<const Relation>{}, possible);
                if (known && !follow()) relation = wanted;
            }
        }
        system.apply(state_, move, relation);
    }
}

void Trainer::begin(std::span<const std::uint32_t> sentences, std::uint32_t cutoff, std::uint32_t label_cutoff,
                    bool keep) {
    std::uint32_t number = 0;
    for (const std::uint32_t sentence : sentences) {
        ++number;
        walk(
            sentence,
            [&](std::span<const Label> gold, std::span<const Label>) {
                moves_.count(move_context_, number, true);
                return gold.front();
            },
            [&](std::span<const Relation> gold, std::span<const Relation> possible) {
                if (!gold.empty()) labels_.count(label_context_, number, true);
                return gold.empty() ? possible[0] : gold.front();
            },
            [] { return false; });
    }
    moves_.begin(cutoff, keep);
    labels_.begin(label_cutoff, keep);
}

void Trainer::explore(std::span<const std::uint32_t> sentences, std::uint32_t cutoff, std::uint32_t label_cutoff) {
    std::uint32_t number = 0;
    for (const std::uint32_t sentence : sentences) {
        ++number;
        walk(
            sentence,
            [&](std::span<const Label>, std::span<const Label> candidates) {
                moves_.count(move_context_, number, false);
                return moves_.predict(move_context_, candidates);
            },
            [&](std::span<const Relation> gold, std::span<const Relation> possible) {
                if (!gold.empty()) labels_.count(label_context_, number, false);
                return labels_.predict(label_context_, possible);
            },
            [] { return true; });
    }
    moves_.begin(cutoff, false);
    labels_.begin(label_cutoff, false);
}

template <class Store>
void Trainer::collect(std::span<const std::uint32_t> sentences, Store& moves, Store& labels, bool one_gold,
                      double random_moves, std::uint64_t seed) {
    Random random(seed);
    const auto bound = static_cast<std::uint32_t>(random_moves * 1'000'000);
    const auto add = [](Store& examples, const features::Plan& plan, StateContext& context, std::span<const Label> gold,
                        std::span<const Label> candidates) {
        const std::uint32_t right = examples.sets.add({gold.begin(), gold.end()});
        examples.add(plan, context, right, examples.sets.add({candidates.begin(), candidates.end()}));
        return gold.front();
    };
    for (const std::uint32_t sentence : sentences)
        walk(
            sentence,
            [&](std::span<const Label> gold, std::span<const Label> candidates) {
                const Label right = add(moves, model_.plan, move_context_, one_gold ? gold.first(1) : gold, candidates);
                const bool any = random.below(1'000'000) < bound;
                return any ? candidates[random.below(static_cast<std::uint32_t>(candidates.size()))] : right;
            },
            [&](std::span<const Relation> gold, std::span<const Relation> possible) {
                if (gold.empty()) return possible[0];
                return add(labels, model_.label_plan, label_context_, gold, possible);
            },
            [] { return true; });
}
template void Trainer::collect(std::span<const std::uint32_t>, learn::Examples&, learn::Examples&, bool, double,
                               std::uint64_t);
template void Trainer::collect(std::span<const std::uint32_t>, learn::DecisionAtoms&, learn::DecisionAtoms&, bool,
                               double, std::uint64_t);

Trainer::Epoch Trainer::epoch(std::span<const std::uint32_t> order, double explore, Exploration exploration,
                              std::size_t snapshots, std::uint64_t seed) {
    Epoch result;
    Random random(seed);
    const auto bound = static_cast<std::uint32_t>(explore * 1'000'000);
    const auto follow = [&] { return random.below(1'000'000) < bound; };
    for (std::size_t i = 0; i < order.size(); ++i) {
        walk(
            order[i],
            [&](std::span<const Label> gold, std::span<const Label> candidates) {
                ++result.decisions;
                if (exploration == Exploration::full) return moves_.step(move_context_, gold, candidates);
                const Label early = moves_.predict_early(move_context_, candidates, margin_);
                moves_.step(move_context_, gold, candidates);
                return early;
            },
            [&](std::span<const Relation> gold, std::span<const Relation> possible) {
                if (gold.empty()) return labels_.predict(label_context_, possible);
                return labels_.step(label_context_, gold, possible);
            },
            follow);
        snapshot_after(i + 1, order.size(), snapshots);
    }
    result.loss = moves_.take_loss() + labels_.take_loss();
    return result;
}

}  // namespace laconic::transition
