#include "transition/lockstep.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "base/random.hpp"
#include "learn/key.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

namespace {

// One of the sentences in lockstep.
class Lane {
public:
    Lane(const Model& model, const Sight& sight, const Treebank& treebank)
        : treebank_(treebank),
          words_(sight.layout, sight.rows, treebank.columns),
          context(sight.moves, words_, state, model.relations) {}

    void enter(std::size_t sentence, bool single_root) {
        const std::size_t begin = treebank_.columns.sentences[sentence];
        const std::size_t size = treebank_.columns.sentences[sentence + 1] - begin;
        words_.enter(sentence);
        state.start(size);
        gold.set(treebank_.heads.subspan(begin, size), treebank_.relations.subspan(begin, size), single_root);
    }
    // The features of the state as it is now.
    void look_up(const features::Plan& plan, const learn::FeatureIndex& index) {
        features_.clear();
        ends_.clear();
        context.refresh();
        for (std::size_t j = 0; j < plan.size(); ++j) {
            learn::visit_keys(plan, j, context, [&](std::uint64_t key) {
                const learn::Feature feature = index.find(key);
                if (feature != learn::no_feature) features_.push_back(feature);
            });
            ends_.push_back(static_cast<std::uint32_t>(features_.size()));
        }
    }
    [[nodiscard]] learn::FeatureRun run() const noexcept { return {features_, ends_}; }

private:
    const Treebank& treebank_;
    features::SentenceAtoms words_;
    std::vector<learn::Feature> features_;
    std::vector<std::uint32_t> ends_;

public:
    State state;
    Gold gold;
    StateContext context;
};

// The relation of the arc that a move makes, if the gold tree has that arc.
Relation gold_relation(const Gold& gold, Arc arc) noexcept {
    return arc.exists() && gold.has(arc) ? gold.relation(arc.dependent) : no_relation;
}

Move any_of(Moves moves, Random& random) noexcept {
    auto skip = random.below(static_cast<std::uint32_t>(std::popcount(moves)));
    for (Move move = 0;; ++move)
        if (has(moves, move) && skip-- == 0) return move;
}

// Of moves that cost nothing, the one that arcs come from first.
Move preferred(const TransitionSystem& system, const State& state, Moves best) noexcept {
    for (Move move = 0; move < max_moves; ++move)
        if (has(best, move) && system.arc(state, move).exists()) return move;
    return static_cast<Move>(std::countr_zero(best));
}

bool chance(Random& random, double share) noexcept {
    return static_cast<double>(random.next() >> 11) * 0x1p-53 < share;
}

}  // namespace

void count_features(learn::FeatureIndex& index, const Model& model, const Treebank& treebank,
                    std::span<const std::uint32_t> sentences, double stray, std::uint64_t seed) {
    const Sight sight(model, treebank.columns);
    Lane lane(model, sight, treebank);
    Random random(seed);
    const TransitionSystem& system = model.classes.system();
    for (const std::uint32_t sentence : sentences) {
        lane.enter(sentence, system.single_root());
        while (!system.done(lane.state)) {
            lane.context.refresh();
            for (std::size_t j = 0; j < model.plan.size(); ++j)
                learn::visit_keys(model.plan, j, lane.context,
                                  [&](std::uint64_t key) { index.count(key, static_cast<std::uint16_t>(j)); });
            const Moves valid = system.valid(lane.state);
            const Moves best = cheapest(system.costs(lane.state, lane.gold), valid);
            const bool off = system.facts().dynamic && chance(random, stray);
            const Move move = off ? any_of(valid, random) : preferred(system, lane.state, best);
            const Relation relation = gold_relation(lane.gold, system.arc(lane.state, move));
            system.apply(lane.state, move, relation);
        }
    }
}

std::size_t learn_epoch(learn::Network& network, const learn::FeatureIndex& index, const Model& model,
                        const Treebank& treebank, std::span<const std::uint32_t> order, const Lesson& lesson) {
    const Sight sight(model, treebank.columns);
    const Questions questions(model.classes, model.relations.size());
    std::vector<std::unique_ptr<Lane>> lanes;
    std::size_t next = 0;
    std::size_t decisions = 0;
    std::size_t photographed = 0;
    Random random(lesson.seed);
    std::vector<learn::FeatureRun> runs;
    const TransitionSystem& system = model.classes.system();
    const bool dynamic = system.facts().dynamic;
    // A lane whose sentence is done takes the next one; false if there is none.
    const auto ready = [&](Lane& lane) {
        while (system.done(lane.state)) {
            if (next == order.size()) return false;
            lane.enter(order[next++], system.single_root());
        }
        return true;
    };
    for (std::size_t i = 0; i < std::min(lesson.batch, order.size()); ++i) {
        lanes.push_back(std::make_unique<Lane>(model, sight, treebank));
        lanes.back()->state.start(0);
    }
    for (;;) {
        std::erase_if(lanes, [&](const auto& lane) { return !ready(*lane); });
        if (lanes.empty()) break;
        runs.clear();
        for (const auto& lane : lanes) {
            lane->look_up(model.plan, index);
            runs.push_back(lane->run());
        }
        network.read(runs);
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            Lane& lane = *lanes[i];
            const Moves valid = system.valid(lane.state);
            const Moves best = cheapest(system.costs(lane.state, lane.gold), valid);
            const std::span<const Label> candidates = model.classes.candidates(valid, false);
            if (candidates.size() > 1) network.ask(i, model.classes.candidates(best, false), candidates);
            Move taken = preferred(system, lane.state, best);
            if (dynamic && chance(random, lesson.exploration)) taken = static_cast<Move>(network.best(i, candidates));
            Relation relation = no_relation;
            for (Move move = 0; move < max_moves; ++move) {
                if (!has(valid, move) || (move != taken && !has(best, move))) continue;
                const Arc arc = system.arc(lane.state, move);
                if (!arc.exists() || model.classes.labels() == Labels::none) continue;
                const auto relations = questions.relations(kind_of(arc));
                if (move == taken) relation = questions.relation(network.best(i, relations));
                const Relation right = gold_relation(lane.gold, arc);
                if (right == no_relation || relations.size() < 2) continue;
                const Label label = questions.label(kind_of(arc), right);
                if (std::ranges::binary_search(relations, label)) network.ask(i, {&label, 1}, relations);
            }
            system.apply(lane.state, taken, relation);
        }
        network.learn(lesson.first +
                      (lesson.last - lesson.first) * static_cast<double>(next) / static_cast<double>(order.size()));
        decisions += lanes.size();
        if (next * lesson.snapshots >= (photographed + 1) * order.size()) {
            network.snapshot();
            ++photographed;
        }
    }
    return decisions;
}

}  // namespace laconic::transition
