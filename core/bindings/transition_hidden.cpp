#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/parser_model.hpp"
#include "bindings/rooms.hpp"
#include "bindings/settings.hpp"
#include "learn/hidden_freeze.hpp"
#include "transition/hidden_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::transition {

namespace {

using corpus::Columns;

// A network in training and what it refers to.
struct BoundNetwork {
    BoundNetwork(const BoundModel& model, const Columns& columns, std::vector<std::int32_t> heads,
                 std::vector<Relation> relations, std::span<const std::uint32_t> sentences, double random_moves,
                 std::uint32_t cutoff, std::vector<std::uint32_t> exits, const learn::NetworkSettings& settings)
        : model(model),
          columns(columns),
          heads(std::move(heads)),
          relations(std::move(relations)),
          index(counted(sentences, random_moves, cutoff, settings.seed)),
          network(learn::Shape(model.plan, std::move(exits)), settings, index.size(),
                  JointLabels(model.actions, model.relations.size()).size()) {}

    [[nodiscard]] Treebank treebank() const { return {columns, heads, relations}; }

    const BoundModel& model;
    const Columns& columns;
    std::vector<std::int32_t> heads;
    std::vector<Relation> relations;
    learn::FeatureIndex index;
    learn::Network network;

private:
    [[nodiscard]] learn::FeatureIndex counted(std::span<const std::uint32_t> sentences, double random_moves,
                                              std::uint32_t cutoff, std::uint64_t seed) const {
        learn::FeatureIndex counts;
        count_features(counts, model.view(), treebank(), sentences, random_moves, seed);
        counts.cut(cutoff);
        return counts;
    }
};

}  // namespace

}  // namespace laconic::transition

void laconic::bindings::transition_hidden(nb::module_& core) {
    using namespace laconic::transition;
    nb::module_ room = nb::cast<nb::module_>(core.attr("transition"));
    nb::class_<BoundNetwork>(room, "HiddenTrainer",
                             "Learns moves and labels from trees, a batch of sentences at the same time.")
        .def(
            "__init__",
            [](BoundNetwork* self, const BoundModel& model, const Columns& columns, Input<std::int32_t, 1> heads,
               Input<Relation, 1> relations, Input<std::uint32_t, 1> sentences, double random_moves,
               const nb::handle& settings) {
                check_gold(model, columns, span_of(heads), span_of(relations));
                check_sentences(span_of(sentences), columns.sentence_count());
                const auto cutoff = nb::cast<std::uint32_t>(settings.attr("cutoff"));
                std::vector<std::uint32_t> exits = exits_of(settings);
                const laconic::learn::NetworkSettings own = network_settings(settings);
                reading<void>(columns, [&] {
                    new (self) BoundNetwork(model, columns, vector_of(heads), vector_of(relations), span_of(sentences),
                                            random_moves, cutoff, std::move(exits), own);
                });
            },
            "model"_a, "columns"_a, "heads"_a, "relations"_a, "sentences"_a, "random_moves"_a, "settings"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            "Counts features on the path of the oracle and off it: `random_moves` is the probability of another move. "
            "Settings are those of "
            "laconic.learn.HiddenSettings.")
        .def(
            "start_vectors",
            [](BoundNetwork& self, std::size_t template_index, Input<Atom, 1> atoms, Input<float, 2> vectors) {
                if (template_index >= self.model.plan.size() || vectors.shape(0) != atoms.shape(0))
                    throw std::invalid_argument("vectors are one row for each atom of a template");
                self.network.start_from(self.index, self.model.plan.seed(template_index), span_of(atoms),
                                        {vectors.data(), vectors.shape(0) * vectors.shape(1)});
            },
            "template_index"_a, "atoms"_a, "vectors"_a, "Word vectors to start from, for one factored template.")
        .def(
            "epoch",
            [](BoundNetwork& self, Input<std::uint32_t, 1> order, std::size_t batch, double explore, double first,
               double last, std::size_t snapshots, std::uint64_t seed) {
                check_sentences(span_of(order), self.columns.sentence_count());
                if (batch == 0) throw std::invalid_argument("a batch has at least one sentence");
                const auto decisions = reading<std::size_t>(self.columns, [&] {
                    self.network.clear_loss();
                    return learn_epoch(self.network, self.index, self.model.view(), self.treebank(), span_of(order),
                                       {batch, explore, first, last, snapshots, seed});
                });
                return std::make_tuple(self.network.loss(), decisions);
            },
            "order"_a, "batch"_a, "explore"_a, "first"_a, "last"_a, "snapshots"_a, "seed"_a,
            "One pass, the rate going from one share of itself to another: its loss and decisions.")
        .def(
            "settle", [](BoundNetwork& self) { self.network.use_average(); },
            "The average of the snapshots takes the place of the weights.")
        .def(
            "freeze",
            [](const BoundNetwork& self, int floor) {
                const nb::gil_scoped_release released;
                return laconic::learn::freeze(self.network, self.index, self.model.plan, &self.model.lexicon, floor);
            },
            "floor"_a)
        .def_prop_ro("features", [](const BoundNetwork& self) { return self.index.size(); });
}
