#include "transition/hidden_trainer.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "base/random.hpp"
#include "learn/feature_reader.hpp"
#include "transition/oracle.hpp"

namespace laconic::transition {

namespace {

// One of the sentences that are parsed at the same time: its next decision is a row of the batch.
class BatchRow {
public:
    BatchRow(const Model& model, const BatchInputs& inputs, const Treebank& treebank)
        : treebank_(treebank),
          words_(model.readers.columns, inputs.rows, treebank.columns),
          context(model.readers.moves, words_, state, model.relations) {}

    void enter(std::size_t sentence, bool single_root) {
        const std::size_t begin = treebank_.columns.sentences[sentence];
        const std::size_t size = treebank_.columns.sentences[sentence + 1] - begin;
        words_.enter(sentence);
        state.start(size);
        gold.set(treebank_.heads.subspan(begin, size), treebank_.relations.subspan(begin, size), single_root);
    }
    // The features of the state as it is now; valid until the next call.
    learn::FeatureRun look_up(const features::Plan& plan, const learn::FeatureIndex& index) {
        read(plan, index);
        return reader_.look_up(index);
    }
    void count(const features::Plan& plan, learn::FeatureIndex& index) {
        read(plan, index);
        reader_.count(index);
    }

private:
    const Treebank& treebank_;
    void read(const features::Plan& plan, const learn::FeatureIndex& index) {
        context.refresh();
        reader_.read(plan, context, plan.size(), index);
    }

    features::SentenceAtoms words_;
    learn::FeatureReader reader_;

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

// Of moves that cost nothing, the first that makes an arc.
Move preferred(const TransitionSystem& system, const State& state, Moves best) noexcept {
    for (Move move = 0; move < max_moves; ++move)
        if (has(best, move) && system.arc(state, move).exists()) return move;
    return static_cast<Move>(std::countr_zero(best));
}

bool chance(Random& random, double share) noexcept {
    return static_cast<double>(random.next() >> 11) * 0x1p-53 < share;
}

// What the relation of the arc of a move is chosen among, and which is right.
struct RelationTask {
    std::span<const Label> candidates;  // none: the move makes no arc, or arcs have no relations
    Label right = 0;
    bool known = false;  // is the arc in the gold tree, and its relation among the candidates?

    [[nodiscard]] bool is_learned() const noexcept { return known && candidates.size() > 1; }
};
RelationTask relation_task(const Model& model, const State& state, const Gold& gold, Move move) {
    const Arc arc = model.actions.system().arc(state, move);
    if (!arc.exists() || model.actions.labels() == Labels::none) return {};
    RelationTask task{model.joint_labels.relations(model.relation_sets.of(arc)).labels};
    const Relation right = gold_relation(gold, arc);
    if (right == no_relation) return task;
    task.right = model.joint_labels.label(kind_of(arc), right);
    task.known = std::ranges::binary_search(task.candidates, task.right);
    return task;
}

// Visits the states on the path of the oracle, with the possible moves and the best of them; with the probability
// `random_moves` the path goes on with any possible move.
template <class Visit>
void walk(const Model& model, const Treebank& treebank, std::span<const std::uint32_t> sentences, double random_moves,
          std::uint64_t seed, Visit&& visit) {
    const BatchInputs inputs(model, treebank.columns);
    BatchRow row(model, inputs, treebank);
    Random random(seed);
    const TransitionSystem& system = model.actions.system();
    for (const std::uint32_t sentence : sentences) {
        row.enter(sentence, system.single_root());
        while (!system.done(row.state)) {
            const Moves valid = system.valid(row.state);
            const Moves best = cheapest(system.costs(row.state, row.gold), valid);
            visit(row, valid, best);
            const bool off = system.facts().dynamic && chance(random, random_moves);
            const Move move = off ? any_of(valid, random) : preferred(system, row.state, best);
            system.apply(row.state, move, gold_relation(row.gold, system.arc(row.state, move)));
        }
    }
}

}  // namespace

void count_features(learn::FeatureIndex& index, const Model& model, const Treebank& treebank,
                    std::span<const std::uint32_t> sentences, double random_moves, std::uint64_t seed) {
    walk(model, treebank, sentences, random_moves, seed,
         [&](BatchRow& row, Moves, Moves) { row.count(model.plan, index); });
}

void collect_atoms(learn::DecisionAtoms& decisions, const Model& model, const Treebank& treebank,
                   std::span<const std::uint32_t> sentences, double random_moves, std::uint64_t seed) {
    const auto add = [&](BatchRow& row, std::span<const Label> gold, std::span<const Label> candidates) {
        const std::uint32_t right = decisions.sets.add({gold.begin(), gold.end()});
        decisions.add(model.plan, row.context, right, decisions.sets.add({candidates.begin(), candidates.end()}));
    };
    walk(model, treebank, sentences, random_moves, seed, [&](BatchRow& row, Moves valid, Moves best) {
        row.context.refresh();
        const std::span<const Label> candidates = model.actions.candidates(valid, false);
        if (candidates.size() > 1) add(row, model.actions.candidates(best, false), candidates);
        for (Move move = 0; move < max_moves; ++move) {
            if (!has(best, move)) continue;
            const RelationTask task = relation_task(model, row.state, row.gold, move);
            if (task.is_learned()) add(row, {&task.right, 1}, task.candidates);
        }
    });
}

std::size_t learn_epoch(learn::Network& network, const learn::FeatureIndex& index, const Model& model,
                        const Treebank& treebank, std::span<const std::uint32_t> order, const EpochOptions& options) {
    const BatchInputs inputs(model, treebank.columns);
    const JointLabels& joint_labels = model.joint_labels;
    std::vector<std::unique_ptr<BatchRow>> rows;
    std::size_t next = 0;
    std::size_t decisions = 0;
    std::size_t snapshots_taken = 0;
    Random random(options.seed);
    std::vector<learn::FeatureRun> runs;
    const TransitionSystem& system = model.actions.system();
    const bool dynamic = system.facts().dynamic;
    // A row whose sentence is done takes the next one; false if there is none.
    const auto ready = [&](BatchRow& row) {
        while (system.done(row.state)) {
            if (next == order.size()) return false;
            row.enter(order[next++], system.single_root());
        }
        return true;
    };
    for (std::size_t i = 0; i < std::min(options.batch, order.size()); ++i) {
        rows.push_back(std::make_unique<BatchRow>(model, inputs, treebank));
        rows.back()->state.start(0);
    }
    for (;;) {
        std::erase_if(rows, [&](const auto& row) { return !ready(*row); });
        if (rows.empty()) break;
        runs.clear();
        for (const auto& row : rows) runs.push_back(row->look_up(model.plan, index));
        network.read(runs);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            BatchRow& row = *rows[i];
            const Moves valid = system.valid(row.state);
            const Moves best = cheapest(system.costs(row.state, row.gold), valid);
            const std::span<const Label> candidates = model.actions.candidates(valid, false);
            if (candidates.size() > 1) network.add_loss(i, model.actions.candidates(best, false), candidates);
            Move taken = preferred(system, row.state, best);
            if (dynamic && chance(random, options.exploration)) taken = static_cast<Move>(network.best(i, candidates));
            Relation relation = no_relation;
            for (Move move = 0; move < max_moves; ++move) {
                if (!has(valid, move) || (move != taken && !has(best, move))) continue;
                const RelationTask task = relation_task(model, row.state, row.gold, move);
                if (move == taken && !task.candidates.empty())
                    relation = joint_labels.relation(network.best(i, task.candidates));
                if (task.is_learned()) network.add_loss(i, {&task.right, 1}, task.candidates);
            }
            system.apply(row.state, taken, relation);
        }
        network.learn(options.first +
                      (options.last - options.first) * static_cast<double>(next) / static_cast<double>(order.size()));
        decisions += rows.size();
        if (next * options.snapshots >= (snapshots_taken + 1) * order.size()) {
            network.snapshot();
            ++snapshots_taken;
        }
    }
    return decisions;
}

}  // namespace laconic::transition
