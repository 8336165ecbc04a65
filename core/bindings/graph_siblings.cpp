#include "bindings/graph_common.hpp"
#include "bindings/settings.hpp"
#include "graph/sibling_trainer.hpp"

namespace laconic::bindings {

namespace {

using graph::ArcModel;
using graph::GraphModel;
using graph::SiblingModel;
using graph::SiblingTrainer;

void check_parts(const ArcModel& parts) {
    const graph::ArcReader reader(parts.plan, parts.lexicon.attributes(), parts.pos);
    for (const graph::ArcReader::Parts& one : reader.templates())
        if (!one.second_order()) throw std::invalid_argument("a template of siblings does not read SIB");
}

}  // namespace

void graph_siblings(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    nb::class_<SiblingModel>(room, "SiblingModel", "How pairs of adjacent siblings are read and scored.")
        .def(
            "__init__",
            [](SiblingModel* self, const ArcModel& parts, const learn::Table& table, double drop) {
                check_parts(parts);
                if (table.labels() != graph::part_lanes || table.templates() != parts.plan.size())
                    throw std::invalid_argument("plan and table do not fit together");
                if (!(drop > 0)) throw std::invalid_argument("the lead without siblings is above 0");
                new (self) SiblingModel{parts, table, drop};
            },
            "parts"_a, "table"_a, "drop"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            "Heads that trail the best one of their word by `drop` have no siblings.")
        .def_ro("drop", &SiblingModel::drop);
    nb::class_<SiblingTrainer>(room, "SiblingTrainer",
                               "Training weights of pairs of siblings, changed by one constraint a sentence.")
        .def(
            "__init__",
            [](SiblingTrainer* self, const ArcModel& parts, nb::handle settings,
               const std::vector<const GraphModel*>& models, Input<std::uint8_t, 1> numbers, const Columns& columns,
               Heads heads, Sentences sentences, bool projective, bool single_root) {
                check_parts(parts);
                graph::SiblingSettings own{.rules = {single_root, projective}};
                own.cost = attribute<double>(settings, "cost");
                own.drop = attribute<double>(settings, "drop");
                own.step = attribute<double>(settings, "step");
                own.cutoff = attribute<std::uint32_t>(settings, "cutoff");
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                if (numbers.shape(0) != columns.sentence_count())
                    throw std::invalid_argument("a model is needed for each sentence");
                check_numbers(span_of(numbers), models.size(), "no such model");
                unlocked(columns, [&] {
                    new (self) SiblingTrainer(parts, own, models, span_of(numbers), columns, all, span_of(sentences));
                });
            },
            "parts"_a, "settings"_a, "models"_a, "numbers"_a, "columns"_a, "heads"_a, "sentences"_a, "projective"_a,
            "single_root"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>(),
            "Arcs have the scores of models: sentence i those of models[numbers[i]].")
        .def(
            "epoch",
            [](SiblingTrainer& self, Input<std::uint32_t, 1> order) {
                check_numbers(span_of(order), self.sentences(), "no such sentence");
                const auto found = unlocked([&] { return self.epoch(span_of(order)); });
                return std::make_tuple(found.loss, found.words, found.right);
            },
            "order"_a,
            "One pass over the sentences, by their numbers among those given, a step each. Loss, words with a choice "
            "in "
            "their sentence, and how many of these were right.")
        .def_prop_ro("features", &SiblingTrainer::features)
        .def("freeze", &SiblingTrainer::freeze, "floor"_a = 0, Unlocked());
}

}  // namespace laconic::bindings
