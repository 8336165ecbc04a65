#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "bindings/arrays.hpp"
#include "bindings/decisions.hpp"
#include "bindings/rooms.hpp"
#include "bindings/settings.hpp"
#include "learn/hidden.hpp"
#include "learn/hidden_freeze.hpp"
#include "learn/network.hpp"
#include "learn/skipgram.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::learn {

namespace {

using bindings::as_array;
using bindings::Input;
using bindings::vector_of;
using Release = nb::call_guard<nb::gil_scoped_release>;

void check_fit(const Network& network, const Examples& examples) {
    if (!examples.finished()) throw std::invalid_argument("call finish() on the examples first");
    if (network.features() != examples.index.size() || network.labels() != examples.sets.labels() ||
        network.shape().groups.size() != examples.templates())
        throw std::invalid_argument("the network was made for other examples");
}

void bind_network(nb::module_& room) {
    nb::class_<Network>(room, "Network", "Training weights of hidden rows and what changes them.")
        .def(
            "__init__",
            [](Network* self, const Examples& examples, const features::Plan& plan, const nb::handle& settings) {
                if (!examples.finished()) throw std::invalid_argument("call finish() on the examples first");
                if (plan.size() != examples.templates() || plan.size() == 0)
                    throw std::invalid_argument("the plan does not fit the examples");
                new (self) Network(Shape(plan, bindings::exits_of(settings)), bindings::network_settings(settings),
                                   examples.index.size(), examples.sets.labels());
            },
            "examples"_a, "plan"_a, "settings"_a, "Settings are those of laconic.learn.HiddenSettings.")
        .def(
            "epoch",
            [](Network& self, const Examples& examples, Input<std::uint32_t, 1> order, std::size_t batch, double first,
               double last, std::size_t snapshots) {
                check_fit(self, examples);
                if (batch == 0) throw std::invalid_argument("a batch has at least one decision");
                for (std::size_t i = 0; i < order.shape(0); ++i)
                    if (order(i) >= examples.size()) throw std::invalid_argument("no such example");
                self.clear_loss();
                const std::size_t stride = snapshots == 0 ? 0 : std::max<std::size_t>(1, order.shape(0) / snapshots);
                learn_epoch(self, examples, {order.data(), order.shape(0)}, batch, first, last, stride);
                return self.loss();
            },
            "examples"_a, "order"_a, "batch"_a, "first"_a, "last"_a, "snapshots"_a = 0, Release(),
            "One pass; the rate goes from one share of itself to another. Returns the summed loss.")
        .def(
            "gradients",
            [](Network& self, const Examples& examples) {
                check_fit(self, examples);
                std::vector<FeatureRun> runs;
                for (std::size_t i = 0; i < examples.size(); ++i) runs.push_back(examples.run(i));
                self.clear_loss();
                self.read(runs);
                for (std::size_t i = 0; i < runs.size(); ++i)
                    self.add_loss(i, examples.gold(i), examples.candidates(i));
                self.backward();
                return std::make_tuple(self.loss(), as_array(self.rows.drain()), as_array(self.matrices.drain()),
                                       as_array(self.start.drain()), as_array(self.outputs.drain()),
                                       as_array(self.offsets.drain()));
            },
            "examples"_a, "The loss on all examples, and its gradients by the parameters, part by part.")
        .def(
            "scores",
            [](Network& self, const Examples& examples) {
                check_fit(self, examples);
                std::vector<FeatureRun> runs;
                for (std::size_t i = 0; i < examples.size(); ++i) runs.push_back(examples.run(i));
                self.read(runs);
                const std::size_t exits = self.shape().exits.size();
                std::vector<float> scores;
                for (std::size_t i = 0; i < runs.size(); ++i)
                    for (std::size_t exit = 0; exit < exits; ++exit)
                        for (std::size_t y = 0; y < self.labels(); ++y)
                            scores.push_back(self.score(i, exit, static_cast<Label>(y)));
                return as_array(std::move(scores), {runs.size(), exits, self.labels()});
            },
            "examples"_a, "Scores of all labels at each exit, with dropout if there is any.")
        .def(
            "shift",
            [](Network& self, std::size_t part, std::size_t place, double by) {
                const std::array<Parameters*, 5> parts{&self.rows, &self.matrices, &self.start, &self.outputs,
                                                       &self.offsets};
                if (part >= parts.size() || place >= parts[part]->values().size()) throw nb::index_error();
                parts[part]->values()[place] += static_cast<float>(by);
            },
            "part"_a, "place"_a, "by"_a, "Changes one parameter; the parts are in the order of `gradients`.")
        .def("settle", &Network::use_average, Release(), "The average of the snapshots takes the place of the weights.")
        .def(
            "freeze",
            [](const Network& self, const Examples& examples, const features::Plan& plan,
               const features::Lexicon* lexicon, int floor) {
                check_fit(self, examples);
                return freeze(self, examples.index, plan, lexicon, floor);
            },
            "examples"_a, "plan"_a, "lexicon"_a.none() = nb::none(), "floor"_a = 0, Release())
        .def_prop_ro("exits", [](const Network& self) { return self.shape().exits; })
        .def_prop_ro("units", &Network::units);
}

void bind_table(nb::module_& room) {
    nb::class_<HiddenTable> table(room, "HiddenTable", "Frozen weights: hidden rows.");
    table
        .def(
            "__init__",
            [](HiddenTable* self, std::uint32_t units, std::uint32_t labels, std::uint32_t shift, double scale,
               Input<std::uint32_t, 1> exits, Input<std::uint32_t, 1> folds, Input<std::int16_t, 1> start,
               Input<std::int16_t, 1> outputs, Input<std::int32_t, 1> offsets, Input<std::uint32_t, 1> directory,
               Input<std::uint32_t, 1> places, Input<std::uint8_t, 1> rows) {
                const nb::gil_scoped_release release;
                new (self)
                    HiddenTable({units, labels, shift, scale, vector_of(exits), vector_of(folds), vector_of(start),
                                 vector_of(outputs), vector_of(offsets)},
                                vector_of(directory), {places.data(), places.shape(0)}, {rows.data(), rows.shape(0)});
            },
            nb::kw_only(), "units"_a, "labels"_a, "shift"_a, "scale"_a, "exits"_a, "folds"_a, "start"_a, "outputs"_a,
            "offsets"_a, "directory"_a, "places"_a, "rows"_a)
        .def_prop_ro("units", [](const HiddenTable& self) { return self.frame().units; })
        .def_prop_ro("shift", [](const HiddenTable& self) { return self.frame().shift; })
        .def_prop_ro("nbytes",
                     [](const HiddenTable& self) {
                         return self.bytes().size() + self.directory().back() * sizeof(HiddenTable::Slot);
                     })
        .def(
            "sum",
            [](const HiddenTable& self, Input<std::uint32_t, 1> rows) {
                std::vector<std::int16_t> sums;
                {
                    const nb::gil_scoped_release released;
                    sums = self.sum({rows.data(), rows.shape(0)});
                }
                return as_array(std::move(sums));
            },
            "rows"_a, "The sum of rows by their numbers: what reading so many costs at least.")
        .def("exit_depths", [](const HiddenTable& self) { return as_array(std::vector(self.frame().exits)); })
        .def("folds", [](const HiddenTable& self) { return as_array(std::vector(self.frame().merged)); })
        .def("start", [](const HiddenTable& self) { return as_array(std::vector(self.frame().start)); })
        .def("outputs", [](const HiddenTable& self) { return as_array(std::vector(self.frame().outputs)); })
        .def("offsets", [](const HiddenTable& self) { return as_array(std::vector(self.frame().offsets)); })
        .def("directory", [](const HiddenTable& self) { return as_array(std::vector(self.directory())); })
        .def("places", [](const HiddenTable& self) { return as_array(self.packed_slots()); })
        .def("rows", [](const HiddenTable& self) {
            return as_array(std::vector<std::uint8_t>(self.bytes().begin(), self.bytes().end()));
        });
    bind_decisions(table);
}

}  // namespace

}  // namespace laconic::learn

void laconic::bindings::learn_hidden(nb::module_& room) {
    namespace learn = laconic::learn;
    learn::bind_network(room);
    learn::bind_table(room);
    room.def(
        "skip_grams",
        [](Input<std::uint32_t, 1> text, Input<std::uint32_t, 1> sentences, std::uint32_t types, std::uint32_t width,
           std::uint32_t window, std::uint32_t epochs, std::uint64_t seed) {
            for (std::size_t i = 0; i < text.shape(0); ++i)
                if (text(i) >= types) throw std::invalid_argument("a word has no type");
            for (std::size_t i = 0; i < sentences.shape(0); ++i)
                if (sentences(i) > text.shape(0) || (i > 0 && sentences(i) < sentences(i - 1)))
                    throw std::invalid_argument("the bounds of sentences must ascend within the text");
            std::vector<float> vectors;
            {
                const nb::gil_scoped_release release;
                vectors = learn::skip_grams({text.data(), text.shape(0)}, {sentences.data(), sentences.shape(0)}, types,
                                            {width, window, epochs, seed});
            }
            return as_array(std::move(vectors), {types, width});
        },
        "text"_a, "sentences"_a, "types"_a, nb::kw_only(), "width"_a, "window"_a, "epochs"_a, "seed"_a,
        "A vector for each word type, from the words around it.");
}
