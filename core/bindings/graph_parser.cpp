#include "bindings/graph_common.hpp"
#include "graph/parser.hpp"

namespace laconic::bindings {

namespace {

using graph::ArcModel;
using graph::FactoredModel;
using graph::FactoredTable;
using graph::GraphModel;

constexpr graph::Sum never = graph::Sum{1} << 60;  // from here on a threshold drops nothing

void init(GraphModel* self, const ArcModel& arcs, const learn::Table& table, const FactoredModel* words,
          const FactoredTable* vectors) {
    if (table.labels() != graph::lanes || table.templates() != arcs.plan.size())
        throw std::invalid_argument("plan and table do not fit together");
    if ((words == nullptr) != (vectors == nullptr))
        throw std::invalid_argument("a factored scorer has a model and a table");
    if (vectors != nullptr &&
        (!vectors->fits(graph::TagNumbers(words->lengths)) || vectors->heads->templates() != words->heads.size() ||
         vectors->modifiers->templates() != words->modifiers.size()))
        throw std::invalid_argument("the parts of the factored scorer do not fit together");
    new (self) GraphModel{arcs, table, words, vectors};
}

}  // namespace

void graph_parser(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    nb::class_<GraphModel>(room, "GraphModel", "A graph parser: how arcs are read and scored, group after group.")
        .def("__init__", &init, "arcs"_a, "table"_a, "words"_a.none() = nb::none(), "vectors"_a.none() = nb::none(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
        .def_prop_ro("groups", &GraphModel::groups)
        .def_prop_ro("scale", &GraphModel::scale)
        .def(
            "parse",
            [](const GraphModel& self, const Columns& columns, Sentences sentences, std::vector<graph::Sum> drops,
               bool projective, bool single_root, bool propagate, bool gaps,
               const std::optional<Input<graph::Node, 1>>& known) {
                check_sentences(span_of(sentences), columns);
                const std::vector<graph::Node> heads = known ? vector_of(*known) : std::vector<graph::Node>{};
                if (known && heads.size() != columns.words())
                    throw std::invalid_argument("one known head, or -1, for each word of the document");
                for (std::size_t s = 0; s < columns.sentence_count() && known; ++s)
                    for (std::size_t i = 0; i < columns.size_of(s); ++i) {
                        const graph::Node head = heads[columns.sentences[s] + i];
                        if (head < corpus::none || head > static_cast<graph::Node>(columns.size_of(s)) ||
                            head == static_cast<graph::Node>(i + 1))
                            throw std::invalid_argument("a known head is no other word of the sentence");
                    }
                if (drops.size() + 1 != self.groups() || std::ranges::any_of(drops, [](auto d) { return d < 0; }))
                    throw std::invalid_argument("one threshold from 0 on behind each group but the last");
                for (graph::Sum& drop : drops)
                    if (drop >= never) drop = graph::drop_none;
                graph::Parsed found = unlocked(columns, [&] {
                    return graph::parse(self, columns, span_of(sentences),
                                        {std::move(drops), {single_root, projective}, propagate, gaps, heads});
                });
                return std::make_tuple(as_array(std::move(found.heads)), as_array(std::move(found.depths)),
                                       as_array(std::move(found.begins)), as_array(std::move(found.gaps)),
                                       as_array(std::move(found.candidates)), found.rows, found.templates, found.arcs);
            },
            "columns"_a, "sentences"_a, "drops"_a, "projective"_a, "single_root"_a, "propagate"_a, "gaps"_a = false,
            "known"_a = nb::none(),
            "Heads and groups computed of each word of the sentences; where each word's gaps begin, the gaps and "
            "the heads that they are of; rows read, templates added to arcs, arcs that were candidates. "
            "Words whose heads are known (not -1) keep them where there is such a tree, and are not scored.")
        .def(
            "trailing",
            [](const GraphModel& self, const Columns& columns, Sentences sentences, bool projective, bool single_root) {
                check_sentences(span_of(sentences), columns);
                std::vector<graph::Sum> found = unlocked(columns, [&] {
                    return graph::trailing(self, columns, span_of(sentences), {single_root, projective});
                });
                const std::size_t exits = self.groups() - 1;
                const std::size_t rows = exits == 0 ? 0 : found.size() / exits;
                return as_array(std::move(found), {rows, exits});
            },
            "columns"_a, "sentences"_a, "projective"_a, "single_root"_a,
            "How far the head of each word in the tree of all groups trails the best one after each group but the "
            "last.")
        .def(
            "group_scores",
            [](const GraphModel& self, const Columns& columns, std::uint32_t sentence) {
                check_sentences(std::span(&sentence, 1), columns);
                const std::size_t words = columns.size_of(sentence);
                if (words > graph::EdgeLimits{}.longest) throw std::invalid_argument("the sentence is too long");
                return as_array(unlocked(columns, [&] { return graph::group_scores(self, columns, sentence); }),
                                {self.groups(), words, words + 1});
            },
            "columns"_a, "sentence"_a,
            "Scores after each group, of each modifier and head; the lowest number for what is no candidate.");
}

}  // namespace laconic::bindings
