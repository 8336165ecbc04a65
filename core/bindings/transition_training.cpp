#include "bindings/parser_model.hpp"
#include "bindings/settings.hpp"
#include "learn/decision_atoms.hpp"
#include "learn/hidden_freeze.hpp"
#include "transition/hidden_trainer.hpp"
#include "transition/trainer.hpp"

namespace laconic::bindings {

namespace {

using transition::Model;
using Order = Input<std::uint32_t, 1>;  // sentences

// The trees of a document that a parser learns from. Copied, because trainers refer to them.
struct Trees {
    Trees(const Model& model, const Columns& columns, const Input<std::int32_t, 1>& given_heads,
          const Input<Relation, 1>& given_relations)
        : columns(columns), heads(vector_of(given_heads)), relations(vector_of(given_relations)) {
        check_gold(model, columns, heads, relations);
    }

    [[nodiscard]] transition::Treebank treebank() const { return {columns, heads, relations}; }

    const Columns& columns;
    std::vector<std::int32_t> heads;
    std::vector<Relation> relations;
};

// Linear rows.
struct Trainer {
    Trainer(const Model& model, const Columns& columns, Input<std::int32_t, 1> heads, Input<Relation, 1> relations,
            nb::handle settings, nb::handle label_settings)
        : model(model),
          trees(model, columns, heads, relations),
          trainer(model, columns, trees.heads, trees.relations, settings_of(settings), settings_of(label_settings)) {}

    [[nodiscard]] learn::OnlineClassifier& classifier(bool labels) {
        if (!trainer.moves().begun()) throw std::invalid_argument("call begin() on the trainer first");
        return labels ? trainer.labels() : trainer.moves();
    }
    // run() on these sentences, once features were counted.
    template <class Run>
    auto learned(const Order& sentences, Run&& run) {
        (void)classifier(false);
        check_sentences(span_of(sentences), trees.columns);
        return unlocked(trees.columns, run);
    }

    const Model& model;
    Trees trees;
    transition::Trainer trainer;
};

void bind_trainer(nb::module_& room) {
    nb::class_<Trainer>(room, "Trainer", "Learns moves and labels from the trees of a document, online.")
        .def(nb::init<const Model&, const Columns&, Input<std::int32_t, 1>, Input<Relation, 1>, nb::handle,
                      nb::handle>(),
             "model"_a, "columns"_a, "heads"_a, "relations"_a, "settings"_a, "label_settings"_a, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), "Settings with mode full, truncated or every-exit and all exits spelled out.")
        .def(
            "begin",
            [](Trainer& self, Order sentences, std::uint32_t cutoff, std::uint32_t label_cutoff, bool keep) {
                check_sentences(span_of(sentences), self.trees.columns);
                unlocked(self.trees.columns,
                         [&] { self.trainer.begin(span_of(sentences), cutoff, label_cutoff, keep); });
            },
            "sentences"_a, "cutoff"_a, "label_cutoff"_a, "keep"_a,
            "Count features along the gold paths, then learn anew; keep the counts for explore().")
        .def(
            "explore",
            [](Trainer& self, Order sentences, std::uint32_t cutoff, std::uint32_t label_cutoff) {
                self.learned(sentences, [&] { self.trainer.explore(span_of(sentences), cutoff, label_cutoff); });
            },
            "sentences"_a, "cutoff"_a, "label_cutoff"_a,
            "Count what the parser as it is now sees off the gold paths, then learn anew.")
        .def(
            "start",
            [](Trainer& self, bool labels, std::uint32_t first, std::uint32_t depth) {
                learn::OnlineClassifier& classifier = self.classifier(labels);
                if (first > depth || depth > classifier.templates()) throw std::invalid_argument("no such templates");
                classifier.start({first, depth});
            },
            "labels"_a, "first"_a, "depth"_a, "Templates [first, depth) of one classifier learn from here on.")
        .def(
            "epoch",
            [](Trainer& self, Order order, double explore, bool early, std::size_t snapshots, std::uint64_t seed) {
                using transition::Exploration;
                const auto [loss, decisions] = self.learned(order, [&] {
                    return self.trainer.epoch(span_of(order), explore, early ? Exploration::early : Exploration::full,
                                              snapshots, seed);
                });
                return std::make_tuple(loss, decisions);
            },
            "order"_a, "explore"_a, "early"_a, "snapshots"_a, "seed"_a, "One pass: its loss and decisions.")
        .def(
            "max_violation_epoch",
            [](Trainer& self, Order order, std::size_t width, std::size_t snapshots) {
                if (width < 1) throw std::invalid_argument("a beam keeps at least one hypothesis");
                const auto [loss, decisions] = self.learned(
                    order, [&] { return self.trainer.max_violation_epoch(span_of(order), width, snapshots); });
                return std::make_tuple(loss, decisions);
            },
            "order"_a, "width"_a, "snapshots"_a,
            "One pass of max-violation training by a beam: its loss and decisions.")
        .def(
            "collect",
            [](Trainer& self, Order sentences, learn::Examples& moves, learn::Examples& labels) {
                const corpus::Writing writing_moves(moves.access), writing_labels(labels.access);
                check_sentences(span_of(sentences), self.trees.columns);
                const auto fits = [](const learn::Examples& examples, const learn::OnlineClassifier& classifier) {
                    return !examples.finished() && examples.templates() == classifier.templates() &&
                           examples.sets.labels() == classifier.labels();
                };
                if (!fits(moves, self.trainer.moves()) || !fits(labels, self.trainer.labels()))
                    throw std::invalid_argument("the examples do not fit templates and actions, or are finished");
                unlocked(self.trees.columns, [&] { self.trainer.collect(span_of(sentences), moves, labels); });
            },
            "sentences"_a, "moves"_a, "labels"_a, "The decisions of the gold paths as examples.")
        .def(
            "collect_atoms",
            [](Trainer& self, Order sentences, learn::DecisionAtoms& moves, learn::DecisionAtoms& labels,
               double random_moves, std::uint64_t seed) {
                const corpus::Writing writing_moves(moves.access), writing_labels(labels.access);
                check_sentences(span_of(sentences), self.trees.columns);
                const auto fits = [](const learn::DecisionAtoms& atoms, const features::Plan& plan,
                                     std::size_t labels) {
                    return atoms.slots() == plan.slots().size() && atoms.sets.labels() == labels;
                };
                const Model& model = self.model;
                if (!fits(moves, model.plan, self.trainer.moves().labels()) ||
                    !fits(labels, model.label_plan, self.trainer.labels().labels()))
                    throw std::invalid_argument("the decisions do not fit slots and actions");
                unlocked(self.trees.columns, [&] {
                    self.trainer.collect(span_of(sentences), moves, labels, random_moves == 0, random_moves, seed);
                });
            },
            "sentences"_a, "moves"_a, "labels"_a, "random_moves"_a, "seed"_a,
            "The same decisions by the atoms of each slot; with this probability the path takes any possible move in "
            "place of the oracle's. Without such moves the oracle's first one is the only right one.")
        .def(
            "freeze",
            [](Trainer& self, bool labels, int floor) {
                learn::OnlineClassifier& classifier = self.classifier(labels);
                return unlocked([&] { return classifier.freeze(floor); });
            },
            "labels"_a, "floor"_a)
        .def_prop_ro("features", [](Trainer& self) {
            return std::make_tuple(self.trainer.moves().features(), self.trainer.labels().features());
        });
}

// Hidden rows.
struct HiddenTrainer {
    HiddenTrainer(const Model& model, const Columns& columns, Input<std::int32_t, 1> heads,
                  Input<Relation, 1> relations, Order sentences, double random_moves, nb::handle settings)
        : model(model),
          trees(model, columns, heads, relations),
          index(counted(sentences, random_moves, attribute<std::uint32_t>(settings, "cutoff"),
                        attribute<std::uint64_t>(settings, "seed"))),
          network(learn::Shape(model.plan, exits_of(settings)), network_settings(settings), index.size(),
                  model.joint_labels.size()) {}

    const Model& model;
    Trees trees;
    learn::FeatureIndex index;
    learn::Network network;

private:
    [[nodiscard]] learn::FeatureIndex counted(const Order& sentences, double random_moves, std::uint32_t cutoff,
                                              std::uint64_t seed) const {
        check_sentences(span_of(sentences), trees.columns);
        return unlocked(trees.columns, [&] {
            learn::FeatureIndex counts;
            count_features(counts, model, trees.treebank(), span_of(sentences), random_moves, seed);
            counts.cut(cutoff);
            return counts;
        });
    }
};

void bind_hidden_trainer(nb::module_& room) {
    nb::class_<HiddenTrainer>(room, "HiddenTrainer",
                              "Learns moves and labels from trees, a batch of sentences at the same time.")
        .def(nb::init<const Model&, const Columns&, Input<std::int32_t, 1>, Input<Relation, 1>, Order, double,
                      nb::handle>(),
             "model"_a, "columns"_a, "heads"_a, "relations"_a, "sentences"_a, "random_moves"_a, "settings"_a,
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             "Counts features on the path of the oracle and off it: `random_moves` is the probability of another move. "
             "Settings are those of laconic.learn.HiddenSettings.")
        .def(
            "start_vectors",
            [](HiddenTrainer& self, std::size_t template_index, Input<features::Atom, 1> atoms,
               Input<float, 2> vectors) {
                if (template_index >= self.model.plan.size() || vectors.shape(0) != atoms.shape(0))
                    throw std::invalid_argument("vectors are one row for each atom of a template");
                self.network.start_from(self.index, self.model.plan.seed(template_index), span_of(atoms),
                                        span_of(vectors));
            },
            "template_index"_a, "atoms"_a, "vectors"_a, Unlocked(),
            "Word vectors to start from, for one factored template.")
        .def(
            "epoch",
            [](HiddenTrainer& self, Order order, std::size_t batch, double explore, double first, double last,
               std::size_t snapshots, std::uint64_t seed) {
                check_sentences(span_of(order), self.trees.columns);
                if (batch == 0) throw std::invalid_argument("a batch has at least one sentence");
                const std::size_t decisions = unlocked(self.trees.columns, [&] {
                    self.network.begin_epoch();
                    return learn_epoch(self.network, self.index, self.model, self.trees.treebank(), span_of(order),
                                       {batch, explore, first, last, snapshots, seed});
                });
                return std::make_tuple(self.network.loss(), decisions);
            },
            "order"_a, "batch"_a, "explore"_a, "first"_a, "last"_a, "snapshots"_a, "seed"_a,
            "One pass, the rate going from one share of itself to another: its loss and decisions.")
        .def(
            "settle", [](HiddenTrainer& self) { self.network.use_average(); }, Unlocked(),
            "The average of the snapshots takes the place of the weights.")
        .def(
            "freeze",
            [](const HiddenTrainer& self, int floor) {
                return learn::freeze(self.network, self.index, self.model.plan, &self.model.lexicon, floor);
            },
            "floor"_a, Unlocked())
        .def_prop_ro("features", [](const HiddenTrainer& self) { return self.index.size(); });
}

void bind_collecting(nb::module_& room) {
    room.def(
        "collect_joint",
        [](const Model& model, const Columns& columns, Input<std::int32_t, 1> heads, Input<Relation, 1> relations,
           Order sentences, learn::DecisionAtoms& decisions, double random_moves, std::uint64_t seed) {
            const Trees trees(model, columns, heads, relations);
            const corpus::Writing writing(decisions.access);
            check_sentences(span_of(sentences), columns);
            if (decisions.slots() != model.plan.slots().size() || decisions.sets.labels() != model.joint_labels.size())
                throw std::invalid_argument("the decisions do not fit slots and labels");
            unlocked(columns, [&] {
                collect_atoms(decisions, model, trees.treebank(), span_of(sentences), random_moves, seed);
            });
        },
        "model"_a, "columns"_a, "heads"_a, "relations"_a, "sentences"_a, "decisions"_a, "random_moves"_a, "seed"_a,
        "The decisions of hidden rows about moves and labels by the atoms of each slot; with this probability the path "
        "takes any possible move in place of the oracle's.");
}

}  // namespace

void transition_training(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("transition"));
    bind_collecting(room);
    bind_trainer(room);
    bind_hidden_trainer(room);
}

}  // namespace laconic::bindings
