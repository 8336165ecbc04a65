#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <variant>

#include "base/random.hpp"
#include "bindings/arrays.hpp"
#include "bindings/decisions.hpp"
#include "bindings/rooms.hpp"
#include "bindings/settings.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "learn/freeze.hpp"
#include "learn/learner.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::learn {

namespace {

using bindings::as_array;
using bindings::Input;
using Release = nb::call_guard<nb::gil_scoped_release>;

// Runs work that touches nothing of Python without the GIL.
template <class Work>
void released(Work&& work) {
    const nb::gil_scoped_release release;
    work();
}

// Weights in single precision for use, in double precision to be compared with other implementations.
using AnyLearner = std::variant<Learner<float, DenseWeights>, Learner<double, DenseWeights>,
                                Learner<float, SparseWeights>, Learner<double, SparseWeights>>;

AnyLearner make_learner(const Settings& settings, const Examples& examples, bool doubles) {
    const std::size_t features = examples.index.size();
    const std::size_t labels = examples.sets.labels();
    const auto templates = static_cast<std::uint32_t>(examples.templates());
    const bool sparse = labels > max_dense_labels;
    if (sparse && doubles) return Learner<double, SparseWeights>(settings, features, labels, templates);
    if (sparse) return Learner<float, SparseWeights>(settings, features, labels, templates);
    if (doubles) return Learner<double, DenseWeights>(settings, features, labels, templates);
    return Learner<float, DenseWeights>(settings, features, labels, templates);
}

void check_open(const Examples& examples) {
    if (examples.finished()) throw std::invalid_argument("the examples are finished: nothing can be added");
}

void check_finished(const Examples& examples) {
    if (!examples.finished()) throw std::invalid_argument("call finish() on the examples first");
}

// Learners and tables know features by number or key: they are at home with the examples they were made from.
void check_fit(const AnyLearner& learner, const Examples& examples) {
    check_finished(examples);
    const bool fits = std::visit(
        [&](const auto& one) {
            return one.features() == examples.index.size() && one.labels() == examples.sets.labels() &&
                   one.templates() == examples.templates();
        },
        learner);
    if (!fits) throw std::invalid_argument("the learner was made for other examples");
}

void bind_examples(nb::module_& room) {
    nb::class_<Examples>(room, "Examples", "Decisions to learn from, with their features looked up.")
        .def(nb::init<std::size_t, std::size_t>(), "templates"_a, "labels"_a)
        .def(nb::init<std::size_t, LabelSets>(), "templates"_a, "sets"_a)
        .def(
            "add_set", [](Examples& self, std::vector<Label> members) { return self.sets.add(std::move(members)); },
            "members"_a, "The number of a set of labels.")
        .def(
            "add_rows",
            [](Examples& self, const features::Plan& plan, Input<Atom, 2> atoms, Input<std::uint32_t, 1> gold,
               Input<std::uint32_t, 1> candidates) {
                check_open(self);
                if (plan.size() != self.templates() || atoms.shape(1) < ArrayContext::columns(plan) ||
                    gold.shape(0) != atoms.shape(0) || candidates.shape(0) != atoms.shape(0))
                    throw std::invalid_argument("the arrays of examples do not fit together");
                for (std::size_t i = 0; i < atoms.shape(0); ++i) {
                    if (gold(i) >= self.sets.size() || candidates(i) >= self.sets.size())
                        throw std::invalid_argument("an example names a set of labels that does not exist");
                    ArrayContext context(plan, {atoms.data() + i * atoms.shape(1), atoms.shape(1)});
                    self.add(plan, context, gold(i), candidates(i));
                }
            },
            "plan"_a, "atoms"_a, "gold"_a, "candidates"_a, Release())
        .def(
            "finish",
            [](Examples& self, std::uint32_t cutoff) {
                check_open(self);
                self.finish(cutoff);
            },
            "cutoff"_a, Release())
        .def(
            "finish_like",
            [](Examples& self, const Examples& known) {
                if (self.templates() != known.templates() || self.sets.labels() != known.sets.labels())
                    throw std::invalid_argument("the examples were not made with the same templates and labels");
                check_open(self);
                check_finished(known);
                self.finish(known.index);
            },
            "known"_a, Release(), "Decisions to be scored: features that `known` lacks are left out.")
        .def(
            "select",
            [](const Examples& self, Input<std::uint32_t, 1> order, Input<std::uint32_t, 1> chosen) {
                std::vector<bool> taken(self.templates());
                for (std::size_t j = 0; j < order.shape(0); ++j) {
                    if (order(j) >= self.templates() || taken[order(j)])
                        throw std::invalid_argument("an order names different templates of the examples");
                    taken[order(j)] = true;
                }
                for (std::size_t i = 0; i < chosen.shape(0); ++i)
                    if (chosen(i) >= self.size()) throw std::invalid_argument("no such example");
                check_finished(self);
                return self.select({order.data(), order.shape(0)}, {chosen.data(), chosen.shape(0)});
            },
            "order"_a, "chosen"_a, Release(),
            "Some of the decisions through some of the templates, in that order; nothing is looked up again.")
        .def(
            "relabel",
            [](Examples& self, Input<std::uint32_t, 1> gold) {
                if (gold.shape(0) != self.size()) throw std::invalid_argument("one set of gold labels per example");
                for (std::size_t i = 0; i < gold.shape(0); ++i)
                    if (gold(i) >= self.sets.size())
                        throw std::invalid_argument("an example names a set of labels that does not exist");
                self.relabel({gold.data(), gold.data() + gold.shape(0)});
            },
            "gold"_a, "Other gold labels: one number of a set for each example.")
        .def("keys",
             [](const Examples& self) {
                 std::vector<std::uint64_t> keys(self.index.size());
                 for (Feature f = 0; f < keys.size(); ++f) keys[f] = self.index.key(f);
                 return as_array(std::move(keys));
             })
        .def("template_of",
             [](const Examples& self) {
                 std::vector<std::uint16_t> templates(self.index.size());
                 for (Feature f = 0; f < templates.size(); ++f) templates[f] = self.index.template_of(f);
                 return as_array(std::move(templates));
             })
        .def(
            "run",
            [](const Examples& self, std::size_t example) {
                check_finished(self);
                if (example >= self.size()) throw nb::index_error();
                const FeatureRun run = self.run(example);
                return std::make_tuple(as_array(std::vector<Feature>(run.features.begin(), run.features.end())),
                                       as_array(std::vector<std::uint32_t>(run.ends.begin(), run.ends.end())));
            },
            "example"_a, "Features of one example, and where those of each template end.")
        .def(
            "gold",
            [](const Examples& self, std::size_t example) {
                if (example >= self.size()) throw nb::index_error();
                return self.gold(example).front();
            },
            "example"_a, "The first gold label of an example.")
        .def("label_sets", [](const Examples& self) { return self.sets; })
        .def("__len__", &Examples::size)
        .def_prop_ro("templates", &Examples::templates)
        .def_prop_ro("features", [](const Examples& self) { return self.index.size(); })
        .def_prop_ro("labels", [](const Examples& self) { return self.sets.labels(); });
}

void bind_learner(nb::module_& room) {
    nb::class_<AnyLearner>(room, "Learner", "Training weights and the one trainer that changes them.")
        .def(
            "__init__",
            [](AnyLearner* self, const Examples& examples, const std::string& mode, const std::string& loss,
               const std::string& update, double margin, double rate, double l2, double stability, bool average,
               std::vector<std::uint32_t> exits, bool doubles) {
                check_finished(examples);
                const Settings settings =
                    bindings::settings_from(mode, loss, update, margin, rate, l2, stability, average, std::move(exits));
                new (self) AnyLearner(make_learner(settings, examples, doubles));
            },
            "examples"_a, nb::kw_only(), "mode"_a, "loss"_a, "update"_a, "margin"_a, "rate"_a, "l2"_a, "stability"_a,
            "average"_a, "exits"_a, "doubles"_a = false)
        .def(
            "start",
            [](AnyLearner& self, std::uint32_t first, std::uint32_t depth) {
                std::visit(
                    [&](auto& learner) {
                        if (first > depth || depth > learner.templates())
                            throw std::invalid_argument("no such templates");
                        learner.start({first, depth});
                    },
                    self);
            },
            "first"_a, "depth"_a, "Templates [first, depth) learn from here on; those before keep their weights.")
        .def(
            "epoch",
            [](AnyLearner& self, const Examples& examples, Input<std::uint32_t, 1> order, std::size_t snapshots) {
                check_fit(self, examples);
                for (std::size_t i = 0; i < order.shape(0); ++i)
                    if (order(i) >= examples.size()) throw std::invalid_argument("no such example");
                const std::span<const std::uint32_t> span(order.data(), order.shape(0));
                const std::size_t stride = snapshots == 0 ? 0 : std::max<std::size_t>(1, span.size() / snapshots);
                return std::visit(
                    [&](auto& learner) {
                        learner.clear_loss();
                        learn_epoch(learner, examples, span, stride);
                        return learner.loss();
                    },
                    self);
            },
            "examples"_a, "order"_a, "snapshots"_a = 0, Release(), "One pass; returns the summed loss.")
        .def(
            "update",
            [](AnyLearner& self, const Examples& examples, Input<std::uint32_t, 1> which, Input<Label, 1> labels,
               Input<double, 1> amounts) {
                check_fit(self, examples);
                if (labels.shape(0) != which.shape(0) || amounts.shape(0) != which.shape(0))
                    throw std::invalid_argument("an update needs one label and one amount per example");
                for (std::size_t i = 0; i < which.shape(0); ++i)
                    if (which(i) >= examples.size() || labels(i) >= examples.sets.labels())
                        throw std::invalid_argument("no such example or label");
                std::visit(
                    [&]<class Real, template <class> class W>(Learner<Real, W>& learner) {
                        std::vector<ScoreGradient<Real>> gradients;
                        for (std::size_t i = 0; i < which.shape(0); ++i)
                            gradients.push_back({examples.run(which(i)), labels(i), static_cast<Real>(amounts(i))});
                        learner.update(gradients);
                    },
                    self);
            },
            "examples"_a, "which"_a, "labels"_a, "amounts"_a, Release(),
            "One step of a loss of several examples, given its slope in the score of a label of each: for structured "
            "training.")
        .def(
            "scores",
            [](const AnyLearner& self, const Examples& examples, std::size_t example, std::uint32_t depth) {
                check_fit(self, examples);
                if (example >= examples.size() || depth > examples.templates())
                    throw std::invalid_argument("no such example or depth");
                return std::visit(
                    [&]<class Real, template <class> class W>(const Learner<Real, W>& learner) {
                        std::vector<Real> scores(learner.labels());
                        learner.score(examples.run(example), depth, scores);
                        return as_array(std::vector<double>(scores.begin(), scores.end()));
                    },
                    self);
            },
            "examples"_a, "example"_a, "depth"_a)
        .def(
            "weights",
            [](const AnyLearner& self, const Examples& examples) {
                check_fit(self, examples);
                const std::size_t labels = examples.sets.labels();
                std::vector<double> weights(examples.index.size() * labels);
                released([&] {
                    std::visit(
                        [&](const auto& learner) {
                            for (Feature f = 0; f < examples.index.size(); ++f)
                                learner.final_row(f, examples.index.template_of(f),
                                                  std::span(weights).subspan(f * labels, labels));
                        },
                        self);
                });
                return as_array(std::move(weights), {examples.index.size(), labels});
            },
            "examples"_a, "One row per feature, one column per label; averaged if so set.")
        .def(
            "predict",
            [](const AnyLearner& self, const Examples& examples, Input<std::uint32_t, 1> which) {
                check_fit(self, examples);
                std::vector<Label> labels(which.shape(0));
                released([&] {
                    for (std::size_t i = 0; i < labels.size(); ++i) {
                        if (which(i) >= examples.size()) throw std::invalid_argument("no such example");
                        labels[i] =
                            std::visit([&](const auto& learner) { return learner.predict(examples, which(i)); }, self);
                    }
                });
                return as_array(std::move(labels));
            },
            "examples"_a, "which"_a, "The best candidates of some examples by the final weights, before freezing.")
        .def(
            "freeze",
            [](const AnyLearner& self, const Examples& examples, int floor) {
                check_fit(self, examples);
                return std::visit(
                    [&](const auto& learner) { return freeze(learner, examples.index, examples.templates(), floor); },
                    self);
            },
            "examples"_a, "floor"_a = 0, Release());
}

void bind_table(nb::module_& room) {
    nb::class_<Exits>(room, "Exits", "Depths at which a decision may stop, and the lead it takes to do so.")
        .def("__len__", [](const Exits& self) { return self.list.size(); })
        .def("__getitem__", [](const Exits& self, std::size_t i) {
            if (i >= self.list.size()) throw nb::index_error();
            return std::make_tuple(self.list[i].depth, self.list[i].margin);
        });

    nb::class_<Table> table(room, "Table", "Frozen weights: linear rows.");
    table
        .def(
            "__init__",
            [](Table* self, std::size_t labels, double scale, Input<std::uint64_t, 1> directory,
               Input<std::uint8_t, 1> buckets, Input<std::uint32_t, 1> pairs) {
                const nb::gil_scoped_release release;
                new (self) Table(labels, scale, {directory.data(), directory.data() + directory.shape(0)},
                                 {buckets.data(), buckets.shape(0)}, {pairs.data(), pairs.data() + pairs.shape(0)});
            },
            "labels"_a, "scale"_a, "directory"_a, "buckets"_a, "pairs"_a)
        .def_prop_ro("sparse", &Table::sparse)
        .def_prop_ro("stride", &Table::stride)
        .def_prop_ro("nbytes", [](const Table& self) { return self.bytes().size() + self.packed_pairs().size() * 4; })
        .def("directory", [](const Table& self) { return as_array(std::vector<std::uint64_t>(self.directory())); })
        .def("buckets",
             [](const Table& self) {
                 return as_array(std::vector<std::uint8_t>(self.bytes().begin(), self.bytes().end()));
             })
        .def("pairs", [](const Table& self) { return as_array(self.packed_pairs()); })
        .def(
            "contains",
            [](const Table& self, Input<std::uint64_t, 1> keys, std::size_t template_index) {
                if (template_index >= self.templates()) throw nb::index_error();
                std::vector<std::uint8_t> found(keys.shape(0));
                for (std::size_t i = 0; i < found.size(); ++i)
                    found[i] = self.find(template_index, keys(i), self.bucket(template_index, keys(i))) != nullptr;
                return as_array(std::move(found));
            },
            "keys"_a, "template_index"_a)
        .def(
            "row",
            [](const Table& self, std::uint64_t key, std::size_t template_index) {
                if (template_index >= self.templates()) throw nb::index_error();
                std::vector<std::int8_t> row(self.labels());
                const std::uint8_t* slot = self.find(template_index, key, self.bucket(template_index, key));
                if (slot != nullptr && self.sparse())
                    for (const Pair pair : self.pairs(slot)) row[pair.label] = pair.weight;
                else if (slot != nullptr)
                    for (std::size_t y = 0; y < row.size(); ++y)
                        row[y] = static_cast<std::int8_t>(slot[dead_lanes + y]);
                return as_array(std::move(row));
            },
            "key"_a, "template_index"_a)
        .def(
            "accumulate",
            [](const Table& self, const features::Plan& plan, Input<Atom, 2> atoms, std::size_t first,
               std::size_t last) {
                if (plan.size() != self.templates() || atoms.shape(1) < ArrayContext::columns(plan) || first > last ||
                    last > plan.size())
                    throw std::invalid_argument("plan, table, atoms and templates do not fit together");
                const std::size_t labels = self.labels();
                std::vector<std::int32_t> sums(atoms.shape(0) * labels);
                Scratch scratch(self);
                const nb::gil_scoped_release release;
                for (std::size_t i = 0; i < atoms.shape(0); ++i) {
                    ArrayContext context(plan, {atoms.data() + i * atoms.shape(1), atoms.shape(1)});
                    accumulate(self, plan, first, last, context, scratch, std::span(sums).subspan(i * labels, labels));
                }
                const nb::gil_scoped_acquire held;
                return as_array(std::move(sums), {atoms.shape(0), labels});
            },
            "plan"_a, "atoms"_a, "first"_a, "last"_a,
            "Integer scores of each row of atoms by templates [first, last), in 32 bits: they never saturate.")
        .def(
            "predict",
            [](const Table& self, const Examples& examples, Input<std::uint32_t, 1> which) {
                check_finished(examples);
                if (examples.sets.labels() != self.labels() || examples.templates() != self.templates())
                    throw std::invalid_argument("the examples do not fit the table");
                std::vector<Label> labels(which.shape(0));
                Scratch scratch(self);
                const nb::gil_scoped_release release;
                for (std::size_t i = 0; i < labels.size(); ++i) {
                    if (which(i) >= examples.size()) throw std::invalid_argument("no such example");
                    std::ranges::fill(scratch.sums, std::int16_t{0});
                    for (const Feature feature : examples.run(which(i)).features)
                        add_feature(self, examples.index.template_of(feature), examples.index.key(feature),
                                    scratch.sums);
                    labels[i] = lead(self, scratch, examples.candidates(which(i)), 0).label;
                }
                const nb::gil_scoped_acquire held;
                return as_array(std::move(labels));
            },
            "examples"_a, "which"_a, "The best candidates of some examples by the frozen weights.");
    bind_decisions(table);

    nb::class_<LabelSets>(room, "LabelSets", "Sets of labels, each stored once; set 0 holds every label.")
        .def(nb::init<std::size_t>(), "labels"_a)
        .def(
            "__init__",
            [](LabelSets* self, std::size_t labels, Input<std::uint32_t, 1> begins, Input<Label, 1> members) {
                new (self) LabelSets(labels, {begins.data(), begins.data() + begins.shape(0)},
                                     {members.data(), members.data() + members.shape(0)});
            },
            "labels"_a, "begins"_a, "members"_a)
        .def("add", &LabelSets::add, "members"_a)
        .def("__len__", &LabelSets::size)
        .def("__getitem__",
             [](const LabelSets& self, std::size_t set) {
                 if (set >= self.size()) throw nb::index_error();
                 return std::vector<Label>(self[set].begin(), self[set].end());
             })
        .def("begins", [](const LabelSets& self) { return as_array(std::vector<std::uint32_t>(self.begins())); })
        .def("members", [](const LabelSets& self) { return as_array(std::vector<Label>(self.members())); });
}

// Time of reading that many random rows of a table, in the given number of independent chains: the limit for any
// decision.
std::uint64_t read_random_rows(const Table& table, std::size_t reads, std::uint64_t seed) {
    Random random(seed);
    const std::size_t rows = table.bytes().size() / cache_line;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < reads; ++i)
        sum += table.bytes()[random.below(static_cast<std::uint32_t>(rows)) * cache_line];
    return sum;
}

}  // namespace

}  // namespace laconic::learn

void laconic::bindings::learn(nb::module_& core) {
    namespace learn = laconic::learn;
    nb::module_ room = core.def_submodule("learn", "Core of laconic.learn: the dynamic prefix classifier.");
    learn::bind_examples(room);
    learn::bind_learner(room);
    learn::bind_table(room);
    learn_hidden(room);
    room.def(
        "shuffled",
        [](std::uint32_t size, std::uint64_t seed) {
            std::vector<std::uint32_t> order(size);
            for (std::uint32_t i = 0; i < size; ++i) order[i] = i;
            Random random(seed);
            shuffle(std::span(order), random);
            return as_array(std::move(order));
        },
        "size"_a, "seed"_a, "The numbers below `size` in an order that depends on the seed alone.");
    room.def("read_random_rows", &learn::read_random_rows, "table"_a, "reads"_a, "seed"_a, learn::Release(),
             "Reads that many random cache lines of a table: what the memory allows at best.");
    room.def("instruction_set", &learn::instruction_set);
    room.def("use_instruction_set", &learn::use_instruction_set, "name"_a);
}
