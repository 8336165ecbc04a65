#include <array>

#include "bindings/scorer.hpp"
#include "bindings/settings.hpp"
#include "learn/hidden_freeze.hpp"
#include "learn/network.hpp"
#include "learn/skipgram.hpp"

namespace laconic::bindings {

namespace {

using namespace learn;
using Numbers = Input<std::uint32_t, 1>;

void check_fit(const Network& network, const Examples& examples) {
    check_finished(examples);
    if (network.features() != examples.index.size() || network.labels() != examples.sets.labels() ||
        network.shape().groups.size() != examples.templates())
        throw std::invalid_argument("the network was made for other examples");
}

std::vector<FeatureRun> runs_of(const Examples& examples) {
    std::vector<FeatureRun> runs;
    for (std::size_t i = 0; i < examples.size(); ++i) runs.push_back(examples.run(i));
    return runs;
}

void bind_network(nb::module_& room) {
    nb::class_<Network>(room, "Network", "Training weights of hidden rows and what changes them.")
        .def(
            "__init__",
            [](Network* self, const Examples& examples, const features::Plan& plan, nb::handle settings) {
                check_finished(examples);
                if (plan.size() != examples.templates() || plan.size() == 0)
                    throw std::invalid_argument("the plan does not fit the examples");
                new (self) Network(Shape(plan, exits_of(settings)), network_settings(settings), examples.index.size(),
                                   examples.sets.labels());
            },
            "examples"_a, "plan"_a, "settings"_a, "Settings are those of laconic.learn.HiddenSettings.")
        .def(
            "epoch",
            [](Network& self, const Examples& examples, Numbers order, std::size_t batch, double first, double last,
               std::size_t snapshots) {
                const corpus::Reading reading(examples.access);
                check_fit(self, examples);
                if (batch == 0) throw std::invalid_argument("a batch has at least one decision");
                check_numbers(span_of(order), examples.size(), "no such example");
                self.begin_epoch();
                const std::size_t stride = snapshots == 0 ? 0 : std::max<std::size_t>(1, order.shape(0) / snapshots);
                learn_epoch(self, examples, span_of(order), batch, first, last, stride);
                return self.loss();
            },
            "examples"_a, "order"_a, "batch"_a, "first"_a, "last"_a, "snapshots"_a = 0, Unlocked(),
            "One pass; the rate goes from one share of itself to another. Returns the summed loss.")
        .def(
            "gradients",
            [](Network& self, const Examples& examples) {
                check_fit(self, examples);
                self.begin_epoch();
                self.read(runs_of(examples));
                for (std::size_t i = 0; i < examples.size(); ++i)
                    self.add_loss(i, examples.gold(i), examples.candidates(i));
                self.backward();
                return std::tuple_cat(std::make_tuple(self.loss()),
                                      as_arrays(self.rows.drain(), self.matrices.drain(), self.start.drain(),
                                                self.outputs.drain(), self.offsets.drain()));
            },
            "examples"_a, "The loss on all examples, and its gradients by the parameters, part by part.")
        .def(
            "scores",
            [](Network& self, const Examples& examples) {
                check_fit(self, examples);
                self.read(runs_of(examples));
                const std::size_t exits = self.shape().exits.size();
                std::vector<float> scores;
                for (std::size_t i = 0; i < examples.size(); ++i)
                    for (std::size_t exit = 0; exit < exits; ++exit)
                        for (std::size_t y = 0; y < self.labels(); ++y)
                            scores.push_back(self.score(i, exit, static_cast<Label>(y)));
                return as_array(std::move(scores), {examples.size(), exits, self.labels()});
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
        .def("settle", &Network::use_average, Unlocked(),
             "The average of the snapshots takes the place of the weights.")
        .def(
            "freeze",
            [](const Network& self, const Examples& examples, const features::Plan& plan,
               const features::Lexicon* lexicon, int floor) {
                check_fit(self, examples);
                return freeze(self, examples.index, plan, lexicon, floor);
            },
            "examples"_a, "plan"_a, "lexicon"_a.none() = nb::none(), "floor"_a = 0, Unlocked())
        .def_prop_ro("exits", [](const Network& self) { return self.shape().exits; })
        .def_prop_ro("units", &Network::units);
}

void bind_table(nb::module_& room) {
    nb::class_<HiddenTable> table(room, "HiddenTable", "Frozen weights: hidden rows.");
    table
        .def(
            "__init__",
            [](HiddenTable* self, std::uint32_t units, std::uint32_t labels, std::uint32_t shift, double scale,
               Numbers exits, Numbers folds, Input<std::int16_t, 1> start, Input<std::int16_t, 1> outputs,
               Input<std::int32_t, 1> offsets, Numbers directory, Numbers places, Input<std::uint8_t, 1> rows) {
                unlocked([&] {
                    new (self) HiddenTable({units, labels, shift, scale, vector_of(exits), vector_of(folds),
                                            vector_of(start), vector_of(outputs), vector_of(offsets)},
                                           vector_of(directory), span_of(places), span_of(rows));
                });
            },
            nb::kw_only(), "units"_a, "labels"_a, "shift"_a, "scale"_a, "exits"_a, "folds"_a, "start"_a, "outputs"_a,
            "offsets"_a, "directory"_a, "slots"_a, "rows"_a)
        .def_prop_ro("units", [](const HiddenTable& self) { return self.frame().units; })
        .def_prop_ro("shift", [](const HiddenTable& self) { return self.frame().shift; })
        .def_prop_ro("nbytes", [](const HiddenTable& self) { return self.bytes().size() + self.index().bytes(); })
        .def(
            "sum",
            [](const HiddenTable& self, Numbers rows) {
                return as_array(unlocked([&] { return self.sum(span_of(rows)); }));
            },
            "rows"_a, "The sum of rows by their numbers: what reading so many costs at least.")
        .def(
            "lead",
            [](const HiddenTable& self, Input<std::int16_t, 1> sums, std::uint32_t depth, std::vector<Label> labels) {
                if (sums.shape(0) != self.lanes()) throw std::invalid_argument("one sum for each unit is needed");
                if (labels.size() < 2 || labels.back() >= self.labels() ||
                    std::ranges::adjacent_find(labels, std::greater_equal<>()) != labels.end())
                    throw std::invalid_argument("candidates are two labels or more, ascending");
                HiddenScratch scratch(self);
                std::ranges::copy(span_of(sums), scratch.sums.begin());
                const BlockedLabels candidates(std::move(labels));
                const Decision found = learn::lead(self, scratch, candidates.candidates(), depth);
                std::vector<std::int32_t> scores;
                for (const Label label : candidates.labels()) scores.push_back(scratch.scores[label]);
                return std::make_tuple(found.label, found.margin, as_array(std::move(scores)));
            },
            "sums"_a, "depth"_a, "labels"_a,
            "Of some labels at the exit of that depth, given the sums of the units: the best, its lead over the "
            "second, "
            "and the scores of all.")
        .def("exit_depths", [](const HiddenTable& self) { return copy_of(self.frame().exits); })
        .def("folds", [](const HiddenTable& self) { return copy_of(self.frame().merged); })
        .def("start", [](const HiddenTable& self) { return copy_of(self.frame().start); })
        .def("outputs", [](const HiddenTable& self) { return copy_of(self.frame().outputs); })
        .def("offsets", [](const HiddenTable& self) { return copy_of(self.frame().offsets); })
        .def("directory", [](const HiddenTable& self) { return copy_of(self.index().directory()); })
        .def("slots", [](const HiddenTable& self) { return as_array(self.index().packed_slots()); })
        .def("rows", [](const HiddenTable& self) { return copy_of(self.bytes()); });
    bind_scorer(table);
}

}  // namespace

void learn_hidden(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("learn"));
    bind_network(room);
    bind_table(room);
    room.def(
        "merged_templates", [](const Plan& plan) { return as_array(Shape(plan, {}).merged); }, "plan"_a,
        "Of each template: how many, itself and those behind it, the row of a known form stands for.");
    room.def(
        "skip_grams",
        [](Numbers text, Numbers sentences, std::uint32_t types, std::uint32_t width, std::uint32_t window,
           std::uint32_t epochs, std::uint64_t seed) {
            check_numbers(span_of(text), types, "a word has no type");
            for (std::size_t i = 0; i < sentences.shape(0); ++i)
                if (sentences(i) > text.shape(0) || (i > 0 && sentences(i) < sentences(i - 1)))
                    throw std::invalid_argument("the bounds of sentences must ascend within the text");
            std::vector<float> vectors = unlocked([&] {
                return learn::skip_grams(span_of(text), span_of(sentences), types, {width, window, epochs, seed});
            });
            return as_array(std::move(vectors), {types, width});
        },
        "text"_a, "sentences"_a, "types"_a, nb::kw_only(), "width"_a, "window"_a, "epochs"_a, "seed"_a,
        "A vector for each word type, from the words around it.");
}

}  // namespace laconic::bindings
