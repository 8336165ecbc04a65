#include "bindings/graph_common.hpp"
#include "bindings/settings.hpp"
#include "graph/factored.hpp"
#include "graph/factored_trainer.hpp"

namespace laconic::bindings {

namespace {

using graph::FactoredModel;
using graph::FactoredTable;
using graph::FactoredTrainer;
using graph::Lengths;

}  // namespace

void graph_factored(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    nb::class_<FactoredModel>(room, "FactoredModel", "How words are read as heads and as modifiers.")
        .def(
            "__init__",
            [](FactoredModel* self, const features::Plan& heads, const features::Plan& modifiers,
               const features::Lexicon& lexicon, const Lengths& lengths, const std::string& pos) {
                const corpus::Field field = pos_column(pos);
                features::AtomColumns columns(lexicon.attributes(), {}, field);
                (void)graph::WordReader(heads, columns);  // throw where they cannot read the plan
                (void)graph::WordReader(modifiers, columns);
                if (heads.size() == 0 || modifiers.size() == 0)
                    throw std::invalid_argument("heads and modifiers need templates");
                new (self) FactoredModel{heads, modifiers, lexicon, lengths, field};
            },
            "heads"_a, "modifiers"_a, "lexicon"_a, "lengths"_a, "pos"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>());
    nb::class_<FactoredTable>(room, "FactoredTable", "Frozen weights of the factored scorer.")
        .def(
            "__init__",
            [](FactoredTable* self, std::shared_ptr<learn::HiddenTable> heads,
               std::shared_ptr<learn::HiddenTable> modifiers, std::uint32_t head_shift, std::uint32_t modifier_shift,
               Input<std::int32_t, 1> pairs, Input<std::int32_t, 1> between) {
                new (self)
                    FactoredTable(heads, modifiers, head_shift, modifier_shift, vector_of(pairs), vector_of(between));
            },
            nb::kw_only(), "heads"_a, "modifiers"_a, "head_shift"_a, "modifier_shift"_a, "pairs"_a, "between"_a)
        .def_prop_ro(
            "heads", [](const FactoredTable& self) -> const learn::HiddenTable& { return *self.heads; },
            nb::rv_policy::reference_internal)
        .def_prop_ro(
            "modifiers", [](const FactoredTable& self) -> const learn::HiddenTable& { return *self.modifiers; },
            nb::rv_policy::reference_internal)
        .def_ro("head_shift", &FactoredTable::head_shift)
        .def_ro("modifier_shift", &FactoredTable::modifier_shift)
        .def_ro("scale", &FactoredTable::scale)
        .def("pairs", [](const FactoredTable& self) { return copy_of(self.pairs); })
        .def("between", [](const FactoredTable& self) { return copy_of(self.between); })
        .def(
            "scores",
            [](const FactoredTable& self, const FactoredModel& model, const Columns& columns, std::uint32_t sentence,
               double scale) {
                check_sentences(std::span(&sentence, 1), columns);
                const features::WordRows rows(model.lexicon, columns);
                graph::FactoredScorer scorer(model, self, scale, rows, columns);
                scorer.enter(sentence);
                const std::size_t words = columns.size_of(sentence);
                std::vector<std::int32_t> all(words * (words + 1), std::numeric_limits<std::int32_t>::min());
                std::vector<graph::Node> heads;
                std::vector<std::int32_t> scores;
                for (std::size_t m = 1; m <= words; ++m) {
                    heads.clear();
                    for (std::size_t h = 0; h <= words; ++h)
                        if (h != m) heads.push_back(static_cast<graph::Node>(h));
                    scores.assign(heads.size(), 0);
                    scorer.add(static_cast<graph::Node>(m), heads, scores);
                    for (std::size_t i = 0; i < heads.size(); ++i)
                        all[(m - 1) * (words + 1) + static_cast<std::size_t>(heads[i])] = scores[i];
                }
                return as_array(std::move(all), {words, words + 1});
            },
            "model"_a, "columns"_a, "sentence"_a, "scale"_a,
            "The scores of all arcs of a sentence, a row per modifier and a column per head, at this scale; the lowest "
            "number for a word as its own head.");
    nb::class_<FactoredTrainer>(room, "FactoredTrainer", "Training weights of the factored scorer.")
        .def(
            "__init__",
            [](FactoredTrainer* self, const FactoredModel& model, nb::handle settings, const Columns& columns,
               Heads heads, Sentences sentences) {
                const learn::NetworkSettings own = network_settings(settings);
                const auto cutoff = attribute<std::uint32_t>(settings, "cutoff");
                std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                unlocked(columns, [&] {
                    new (self) FactoredTrainer(model, own, {columns, std::move(all)}, span_of(sentences), cutoff);
                });
            },
            "model"_a, "settings"_a, "columns"_a, "heads"_a, "sentences"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 4>(), "Settings are those of laconic.learn.HiddenSettings.")
        .def(
            "start_vectors",
            [](FactoredTrainer& self, std::uint64_t seed, Input<std::uint32_t, 1> atoms, Input<float, 2> vectors) {
                self.start_from(seed, span_of(atoms), span_of(vectors));
            },
            "seed"_a, "atoms"_a, "vectors"_a, "Word vectors to start from, for templates with this seed.")
        .def(
            "epoch",
            [](FactoredTrainer& self, Sentences order, std::size_t batch, double first, double last,
               std::size_t snapshots) {
                if (batch == 0) throw std::invalid_argument("a batch has at least one sentence");
                const auto found = unlocked([&] { return self.epoch(span_of(order), batch, first, last, snapshots); });
                return std::make_tuple(found.loss, found.words, found.right);
            },
            "order"_a, "batch"_a, "first"_a, "last"_a, "snapshots"_a = 0,
            "One pass; the rate goes from one share of itself to another. Loss, words, and how many were right.")
        .def("settle", &FactoredTrainer::use_average, Unlocked(),
             "The average of the snapshots takes the place of the weights.")
        .def("freeze", &FactoredTrainer::freeze, "floor"_a = 0, Unlocked());
}

}  // namespace laconic::bindings
