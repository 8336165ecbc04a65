#include "bindings/graph_common.hpp"
#include "bindings/settings.hpp"
#include "graph/arc_model.hpp"
#include "graph/arc_scorer.hpp"
#include "graph/head_selection.hpp"
#include "graph/lengths.hpp"
#include "graph/mira.hpp"

namespace laconic::bindings {

namespace {

using graph::ArcModel;
using graph::HeadSelection;
using graph::Lengths;
using graph::Mira;

void init_model(ArcModel* self, const features::Plan& plan, const features::Lexicon& lexicon, const Lengths& lengths,
                const std::string& pos, std::vector<std::uint32_t> groups) {
    check_depths(groups, plan);
    if (groups.empty() || groups.front() == 0 || groups.back() != plan.size())
        throw std::invalid_argument("groups end behind templates, the last behind all of them");
    const corpus::Field field = pos_column(pos);
    (void)graph::ArcReader(plan, lexicon.attributes(), field);  // throws where it cannot read the plan
    new (self) ArcModel{plan, lexicon, lengths, field, std::move(groups)};
}

void check_table(const ArcModel& model, const learn::Table& table) {
    if (table.labels() != graph::lanes || table.templates() != model.plan.size())
        throw std::invalid_argument("plan and table do not fit together");
}

}  // namespace

void graph_arcs(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    nb::class_<Lengths>(room, "Lengths", "How long arcs between two tags may be.")
        .def(nb::init<>())
        .def(
            "__init__",
            [](Lengths* self, Input<std::uint32_t, 1> fine, Input<std::uint32_t, 1> coarse,
               Input<std::uint8_t, 1> fine_limits, Input<std::uint8_t, 1> coarse_limits, Input<std::uint8_t, 1> roots) {
                new (self) Lengths({vector_of(fine), vector_of(coarse), vector_of(fine_limits),
                                    vector_of(coarse_limits), vector_of(roots)});
            },
            "fine"_a, "coarse"_a, "fine_limits"_a, "coarse_limits"_a, "roots"_a)
        .def_static(
            "learn",
            [](const Columns& columns, Heads heads, Sentences sentences, std::uint32_t minimum) {
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                return unlocked(columns, [&] { return Lengths::learn(columns, all, span_of(sentences), minimum); });
            },
            "columns"_a, "heads"_a, "sentences"_a, "minimum"_a, "The longest arc of each pair of tags in these trees.")
        .def("arrays", [](const Lengths& self) {
            const Lengths::Arrays& all = self.arrays();
            nb::dict found;
            found["fine"] = copy_of(all.fine);
            found["coarse"] = copy_of(all.coarse);
            found["fine_limits"] = copy_of(all.fine_limits);
            found["coarse_limits"] = copy_of(all.coarse_limits);
            found["roots"] = copy_of(all.roots);
            return found;
        });
    nb::class_<ArcModel>(room, "ArcModel", "How possible arcs are read, and which of them are candidates.")
        .def("__init__", &init_model, "plan"_a, "lexicon"_a, "lengths"_a, "pos"_a, "groups"_a, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def(
            "keys",
            [](const ArcModel& self, const Columns& columns, std::uint32_t sentence, graph::Node head,
               graph::Node modifier, graph::Node sibling) {
                check_sentences(std::span(&sentence, 1), columns);
                const graph::ArcReader reader(self.plan, self.lexicon.attributes(), self.pos);
                const features::WordRows rows(self.lexicon, columns);
                graph::ArcContext context(reader, rows, columns);
                context.enter(sentence);
                const auto inside = [&](graph::Node node, graph::Node first) {
                    return node >= first && node <= context.size();
                };
                if (!inside(head, 0) || !inside(modifier, 1) || !inside(sibling, -1) || head == modifier)
                    throw std::invalid_argument("no such arc");
                std::vector<std::vector<std::uint64_t>> keys(self.plan.size());
                for (std::size_t t = 0; t < keys.size(); ++t)
                    context.visit_keys(t, head, modifier, sibling, [&](std::uint64_t key) { keys[t].push_back(key); });
                return keys;
            },
            "columns"_a, "sentence"_a, "head"_a, "modifier"_a, "sibling"_a = -1,
            "The keys of the features of an arc, by template.")
        .def(
            "scores",
            [](const ArcModel& self, const learn::Table& table, const Columns& columns, std::uint32_t sentence,
               std::size_t groups) {
                check_table(self, table);
                check_sentences(std::span(&sentence, 1), columns);
                if (groups > self.groups.size()) throw std::invalid_argument("there are not so many groups");
                const features::WordRows rows(self.lexicon, columns);
                graph::ArcScorer scorer(self, table, rows, columns);
                scorer.enter(sentence);
                const auto words = static_cast<std::size_t>(scorer.context().size());
                constexpr std::int32_t dead = std::numeric_limits<std::int32_t>::min();
                std::vector<std::int32_t> all(words * (words + 1), dead);
                std::vector<graph::Node> heads;
                std::vector<std::int32_t> scores;
                for (std::size_t m = 1; m <= words; ++m) {
                    scorer.candidates().heads(static_cast<graph::Node>(m), heads);
                    scores.assign(heads.size(), 0);
                    for (std::size_t g = 0; g < groups; ++g) scorer.add(g, static_cast<graph::Node>(m), heads, scores);
                    for (std::size_t i = 0; i < heads.size(); ++i)
                        all[(m - 1) * (words + 1) + static_cast<std::size_t>(heads[i])] = scores[i];
                }
                return as_array(std::move(all), {words, words + 1});
            },
            "table"_a, "columns"_a, "sentence"_a, "groups"_a,
            "The scores of all candidates of a sentence after some groups, a row per modifier and a column per head; "
            "the "
            "lowest number for what is no candidate.");
    nb::class_<HeadSelection>(room, "HeadSelection", "Training weights of possible arcs and what changes them.")
        .def(
            "__init__",
            [](HeadSelection* self, const ArcModel& model, nb::handle settings, const Columns& columns, Heads heads,
               Sentences sentences, const graph::FactoredModel* words,
               const std::vector<const graph::FactoredTable*>& tables, Input<std::uint8_t, 1> numbers) {
                graph::HeadSelectionSettings own;
                own.rate = attribute<double>(settings, "rate");
                own.l2 = attribute<double>(settings, "l2");
                own.drop = attribute<double>(settings, "drop");
                own.exit_weight = attribute<double>(settings, "exit_weight");
                own.dropout = attribute<double>(settings, "dropout");
                own.seed = attribute<std::uint64_t>(settings, "seed");
                own.cutoff = attribute<std::uint32_t>(settings, "cutoff");
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                if (!tables.empty()) {
                    if (words == nullptr || numbers.shape(0) != columns.sentence_count())
                        throw std::invalid_argument("a table is needed for each sentence");
                    check_numbers(span_of(numbers), tables.size(), "no such table");
                }
                unlocked(columns, [&] {
                    new (self) HeadSelection(model, own, columns, all, span_of(sentences),
                                             {words, tables, vector_of(numbers)});
                });
            },
            "model"_a, "settings"_a, "columns"_a, "heads"_a, "sentences"_a, "words"_a.none(), "tables"_a, "numbers"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(),
            "Scores go on from those of a factored scorer, if there are tables of one: sentence i has those of table "
            "numbers[i].")
        .def(
            "epoch",
            [](HeadSelection& self, const Columns& columns, Heads heads, Sentences sentences, double first,
               double last) {
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                const auto found =
                    unlocked(columns, [&] { return self.epoch(columns, all, span_of(sentences), first, last); });
                return std::make_tuple(found.loss, found.words, found.right);
            },
            "columns"_a, "heads"_a, "sentences"_a, "first"_a, "last"_a,
            "One pass; the rate goes from one share of itself to another. Loss, words, and how many were right.")
        .def("snapshot", &HeadSelection::snapshot, Unlocked())
        .def_prop_ro("features", &HeadSelection::features)
        .def("freeze", &HeadSelection::freeze, "floor"_a = 0, Unlocked());
    nb::class_<Mira>(room, "Mira", "Training weights of possible arcs, changed by one constraint a sentence.")
        .def(
            "__init__",
            [](Mira* self, const ArcModel& model, nb::handle settings, const Columns& columns, Heads heads,
               Sentences sentences, bool projective, bool single_root) {
                const graph::MiraSettings own{{single_root, projective},
                                              attribute<double>(settings, "cost"),
                                              attribute<std::uint32_t>(settings, "cutoff")};
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                unlocked(columns, [&] { new (self) Mira(model, own, columns, all, span_of(sentences)); });
            },
            "model"_a, "settings"_a, "columns"_a, "heads"_a, "sentences"_a, "projective"_a, "single_root"_a,
            nb::keep_alive<1, 2>())
        .def(
            "epoch",
            [](Mira& self, const Columns& columns, Heads heads, Sentences sentences) {
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                const auto found = unlocked(columns, [&] { return self.epoch(columns, all, span_of(sentences)); });
                return std::make_tuple(found.loss, found.words, found.right);
            },
            "columns"_a, "heads"_a, "sentences"_a, "One pass, a step a sentence. Loss, words, and how many were right.")
        .def_prop_ro("features", &Mira::features)
        .def("freeze", &Mira::freeze, "floor"_a = 0, Unlocked());
}

}  // namespace laconic::bindings
