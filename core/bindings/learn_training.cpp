#include <variant>

#include "bindings/scorer.hpp"
#include "bindings/settings.hpp"
#include "learn/decision_atoms.hpp"
#include "learn/examples.hpp"
#include "learn/freeze.hpp"
#include "learn/hashed.hpp"
#include "learn/learner.hpp"

namespace laconic::bindings {

namespace {

using namespace learn;
using Numbers = Input<std::uint32_t, 1>;

constexpr const char* no_example = "no such example";
constexpr const char* no_set = "an example names a set of labels that does not exist";

// Weights in single precision for use, in double precision to be compared with other implementations.
struct AnyLearner : std::variant<Learner<float, DenseWeights>, Learner<double, DenseWeights>,
                                 Learner<float, SparseWeights>, Learner<double, SparseWeights>> {
    using variant::variant;
};

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
            "add_set",
            [](Examples& self, std::vector<Label> members) {
                const corpus::Writing writing(self.access);
                return self.sets.add(std::move(members));
            },
            "members"_a, "The number of a set of labels.")
        .def(
            "add_rows",
            [](Examples& self, const features::Plan& plan, Atoms atoms, Numbers gold, Numbers candidates) {
                const corpus::Writing writing(self.access);
                check_open(self);
                check_rows(self.templates(), plan, atoms);
                if (gold.shape(0) != atoms.shape(0) || candidates.shape(0) != atoms.shape(0))
                    throw std::invalid_argument("the arrays of examples do not fit together");
                check_numbers(span_of(gold), self.sets.size(), no_set);
                check_numbers(span_of(candidates), self.sets.size(), no_set);
                each_row(plan, atoms, [&](std::size_t i, ArrayContext& context) {
                    self.add(plan, context, gold(i), candidates(i));
                });
            },
            "plan"_a, "atoms"_a, "gold"_a, "candidates"_a, Unlocked())
        .def(
            "finish",
            [](Examples& self, std::uint32_t cutoff) {
                const corpus::Writing writing(self.access);
                check_open(self);
                self.finish(cutoff);
            },
            "cutoff"_a, Unlocked())
        .def(
            "finish_like",
            [](Examples& self, const Examples& known) {
                const corpus::Writing writing(self.access);
                const corpus::Reading reading(known.access);
                if (self.templates() != known.templates() || self.sets.labels() != known.sets.labels())
                    throw std::invalid_argument("the examples were not made with the same templates and labels");
                check_open(self);
                check_finished(known);
                self.finish(known.index);
            },
            "known"_a, Unlocked(), "Decisions to be scored: features that `known` lacks are left out.")
        .def(
            "select",
            [](const Examples& self, Numbers order, Numbers chosen) {
                const corpus::Reading reading(self.access);
                std::vector<bool> taken(self.templates());
                for (std::size_t j = 0; j < order.shape(0); ++j) {
                    if (order(j) >= self.templates() || taken[order(j)])
                        throw std::invalid_argument("an order names different templates of the examples");
                    taken[order(j)] = true;
                }
                check_numbers(span_of(chosen), self.size(), no_example);
                check_finished(self);
                return self.select(span_of(order), span_of(chosen));
            },
            "order"_a, "chosen"_a, Unlocked(),
            "Some of the decisions through some of the templates, in that order; nothing is looked up again.")
        .def(
            "relabel",
            [](Examples& self, Numbers gold) {
                const corpus::Writing writing(self.access);
                if (gold.shape(0) != self.size()) throw std::invalid_argument("one set of gold labels per example");
                check_numbers(span_of(gold), self.sets.size(), no_set);
                self.relabel(vector_of(gold));
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
                return std::make_tuple(copy_of(run.features), copy_of(run.ends));
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

void bind_decision_atoms(nb::module_& room) {
    nb::class_<DecisionAtoms>(room, "DecisionAtoms", "Decisions to learn from, as one column of atoms for each slot.")
        .def(
            "__init__",
            [](DecisionAtoms* self, std::size_t slots, const LabelSets& sets) {
                new (self) DecisionAtoms(slots, sets);
            },
            "slots"_a, "sets"_a)
        .def("__len__", &DecisionAtoms::size)
        .def_prop_ro("labels", [](const DecisionAtoms& self) { return self.sets.labels(); })
        .def_prop_ro("slots", &DecisionAtoms::slots)
        .def(
            "column",
            [](const DecisionAtoms& self, std::size_t slot) {
                if (slot >= self.slots()) throw std::invalid_argument("no such slot");
                const corpus::Reading reading(self.access);
                return copy_of(self.column(slot));
            },
            "slot"_a, "The atom of each decision: 0 is unknown, 1 no such node.");
    nb::class_<HashedTable>(room, "HashedTable", "Weights at places that keys name, for trials; never saved.")
        .def(
            "__init__",
            [](HashedTable* self, std::size_t templates, Input<std::uint32_t, 1> rows, Input<float, 2> weights) {
                const std::size_t places = rows.shape(0);
                if (places == 0 || (places & (places - 1)) != 0 || weights.shape(1) == 0)
                    throw std::invalid_argument("the number of places is a power of two");
                check_numbers(span_of(rows), weights.shape(0), "a place names a row that does not exist");
                const std::span<const float> all = span_of(weights);
                new (self) HashedTable(templates, weights.shape(1), vector_of(rows), {all.begin(), all.end()});
            },
            "templates"_a, "rows"_a, "weights"_a)
        .def(
            "rows", [](const HashedTable& self) { return copy_of(self.rows()); }, "The row of each place.")
        .def(
            "weights",
            [](const HashedTable& self) {
                return as_array(std::vector<float>(self.weights()), {self.size() + 1, self.labels()});
            },
            "Row after row; the first is that of places without a feature.")
        .def(
            "plus",
            [](const HashedTable& self, const HashedTable& other) {
                if (self.rows().size() != other.rows().size() || self.labels() != other.labels())
                    throw std::invalid_argument("the tables have different shapes");
                return self.plus(other);
            },
            "other"_a, Unlocked(), "The templates of both: `other` was learned on top of this.")
        .def_prop_ro("labels", &HashedTable::labels)
        .def_prop_ro("templates", &HashedTable::templates)
        .def("__len__", &HashedTable::size);
}

void bind_learner(nb::module_& room) {
    nb::class_<AnyLearner>(room, "Learner", "Training weights and the one trainer that changes them.")
        .def(
            "__init__",
            [](AnyLearner* self, const Examples& examples, nb::handle settings, bool doubles) {
                check_finished(examples);
                new (self) AnyLearner(make_learner(settings_of(settings), examples, doubles));
            },
            "examples"_a, "settings"_a, "doubles"_a = false,
            "Settings with mode full, truncated or every-exit and all exits spelled out.")
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
            [](AnyLearner& self, const Examples& examples, Numbers order, std::size_t snapshots) {
                const corpus::Reading reading(examples.access);
                check_fit(self, examples);
                check_numbers(span_of(order), examples.size(), no_example);
                const std::size_t stride = snapshots == 0 ? 0 : std::max<std::size_t>(1, order.shape(0) / snapshots);
                return std::visit(
                    [&](auto& learner) {
                        learner.clear_loss();
                        learn_epoch(learner, examples, span_of(order), stride);
                        return learner.loss();
                    },
                    self);
            },
            "examples"_a, "order"_a, "snapshots"_a = 0, Unlocked(), "One pass; returns the summed loss.")
        .def(
            "update",
            [](AnyLearner& self, const Examples& examples, Numbers which, Input<Label, 1> labels,
               Input<double, 1> amounts) {
                check_fit(self, examples);
                if (labels.shape(0) != which.shape(0) || amounts.shape(0) != which.shape(0))
                    throw std::invalid_argument("an update needs one label and one amount per example");
                check_numbers(span_of(which), examples.size(), no_example);
                check_numbers(span_of(labels), examples.sets.labels(), "no such label");
                std::visit(
                    [&]<class Real, template <class> class W>(Learner<Real, W>& learner) {
                        std::vector<ScoreGradient<Real>> gradients;
                        for (std::size_t i = 0; i < which.shape(0); ++i)
                            gradients.push_back({examples.run(which(i)), labels(i), static_cast<Real>(amounts(i))});
                        learner.update(gradients);
                    },
                    self);
            },
            "examples"_a, "which"_a, "labels"_a, "amounts"_a, Unlocked(),
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
                unlocked([&] {
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
            [](const AnyLearner& self, const Examples& examples, Numbers which) {
                check_fit(self, examples);
                check_numbers(span_of(which), examples.size(), no_example);
                std::vector<Label> labels;
                unlocked([&] {
                    for (const std::uint32_t example : span_of(which))
                        labels.push_back(
                            std::visit([&](const auto& learner) { return learner.predict(examples, example); }, self));
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
            "examples"_a, "floor"_a = 0, Unlocked());
}

}  // namespace

void learn_training(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("learn"));
    bind_examples(room);
    bind_decision_atoms(room);
    bind_learner(room);
}

}  // namespace laconic::bindings
