#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "label/labeler.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::label {

namespace {

using bindings::as_array;
using bindings::check_sentences;
using bindings::Input;
using bindings::span_of;
using corpus::Columns;

corpus::Field tag_named(const std::string& name) {
    if (name == "upos") return corpus::Field::upos;
    if (name == "xpos") return corpus::Field::xpos;
    throw std::invalid_argument("'" + name + "' is no column of tags: upos and xpos are");
}

Order order_named(const std::string& name) {
    if (name == "down") return Order::down;
    if (name == "up") return Order::up;
    throw std::invalid_argument("'" + name + "' is no order of arcs: down and up are");
}

// The parts of a trained labeler, held together: Python keeps what they point to alive.
struct ArcClassifier {
    features::Plan plan;
    const features::Lexicon& lexicon;
    const LabelCandidates& candidates;
    std::vector<Atom> atoms;
    corpus::Field pos;
    Order order;

    [[nodiscard]] Model model() const { return {plan, lexicon, candidates, atoms, pos, order}; }
};

void check_table(const ArcClassifier& arcs, const learn::Table& table, const learn::Exits& exits) {
    if (arcs.plan.size() != table.templates() || arcs.atoms.size() != table.labels() ||
        (arcs.plan.size() > 0 && (exits.list.empty() || exits.list.back().depth > arcs.plan.size())))
        throw std::invalid_argument("plan, table, labels and exits do not fit together");
}

void bind_decisions(nb::class_<ArcClassifier>& arcs) {
    arcs.def(
        "collect",
        [](const ArcClassifier& self, learn::Examples& examples, const Columns& columns, Input<Label, 1> gold,
           Input<std::uint8_t, 1> teach, Input<std::uint32_t, 1> sentences) {
            check_sentences(span_of(sentences), columns.sentence_count());
            if (gold.shape(0) != columns.words() || teach.shape(0) != columns.words())
                throw std::invalid_argument("gold labels do not fit the document");
            for (const Label label : span_of(gold))
                if (label >= self.atoms.size()) throw std::invalid_argument("no such label");
            const laconic::corpus::Reading reading(columns.access);
            const nb::gil_scoped_release released;
            check_heads(columns);
            collect(examples, self.model(), columns, span_of(gold), span_of(teach), span_of(sentences));
        },
        "examples"_a, "columns"_a, "gold"_a, "teach"_a, "sentences"_a,
        "One example per arc of the sentences that has something to teach, gold labels as history.");
    arcs.def(
        "label",
        [](const ArcClassifier& self, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           Input<double, 1> temperatures) {
            check_table(self, table, exits);
            const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
            if (temperatures.shape(0) > 0 && (temperatures.shape(0) != self.plan.size() + 1 ||
                                              !std::ranges::all_of(span_of(temperatures), positive)))
                throw std::invalid_argument("one temperature above 0 per template, and one confidence before them");
            Labelled result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                check_heads(columns);
                result = label(self.model(), table, columns, exits.list, span_of(temperatures));
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)), result.rows,
                                   as_array(std::move(result.confidences)));
        },
        "table"_a, "columns"_a, "exits"_a, "temperatures"_a,
        "Label and templates computed for each arc, the cache lines of weights read in all, and confidences if there "
        "are temperatures.");
    arcs.def(
        "prefixes",
        [](const ArcClassifier& self, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           const std::vector<std::uint32_t>& depths, Input<std::uint32_t, 1> sentences) {
            check_table(self, table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            for (std::size_t i = 0; i < depths.size(); ++i)
                if (depths[i] > self.plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
                    throw std::invalid_argument("depths must ascend and end at the number of templates");
            Prefixes result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                check_heads(columns);
                result = prefixes(self.model(), table, columns, depths, exits.list, span_of(sentences));
            }
            const std::size_t rows = depths.empty() ? 0 : result.leads.size() / depths.size();
            return std::make_tuple(as_array(std::move(result.leads), {rows, depths.size()}),
                                   as_array(std::move(result.labels), {rows, depths.size()}));
        },
        "table"_a, "columns"_a, "exits"_a, "depths"_a, "sentences"_a,
        "Lead and label of each arc after each of the depths, along the trajectory that the exits give.");
    arcs.def(
        "final_scores",
        [](const ArcClassifier& self, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           Input<std::uint32_t, 1> sentences) {
            check_table(self, table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            FinalScores result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                check_heads(columns);
                result = final_scores(self.model(), table, columns, exits.list, span_of(sentences));
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)),
                                   as_array(std::move(result.begins)), as_array(std::move(result.gaps)));
        },
        "table"_a, "columns"_a, "exits"_a, "sentences"_a,
        "How each decision ended: label, depth, and the scores of its candidates less the best one, run after run.");
}

}  // namespace

}  // namespace laconic::label

void laconic::bindings::label(nb::module_& core) {
    using namespace laconic::label;
    nb::module_ room = core.def_submodule("label", "Core of laconic.label: one label per arc of a finished tree.");
    nb::class_<LabelCandidates>(room, "LabelCandidates",
                                "Which labels an arc may bear, by the tags of its two words and its direction.")
        .def(
            "__init__",
            [](LabelCandidates* self, const learn::LabelSets& sets, const std::vector<std::uint64_t>& keys,
               const std::vector<std::uint32_t>& numbers) { new (self) LabelCandidates(sets, keys, numbers); },
            "sets"_a, "keys"_a, "numbers"_a)
        .def("keys", [](const LabelCandidates& self) { return as_array(std::vector(self.keys())); })
        .def("numbers", [](const LabelCandidates& self) { return as_array(std::vector(self.numbers())); });
    nb::class_<ArcClassifier> arcs(room, "ArcClassifier",
                                   "How arcs are read and which labels they may bear; weights are given per call.");
    arcs.def(
        "__init__",
        [](ArcClassifier* self, const features::Plan& plan, const features::Lexicon& lexicon,
           const LabelCandidates& candidates, Input<Atom, 1> atoms, const std::string& pos, const std::string& order) {
            if (candidates.sets().labels() != atoms.shape(0))
                throw std::invalid_argument("candidates and labels do not fit together");
            const corpus::Field field = tag_named(pos);
            if (lexicon.attributes() != features::WordColumns(plan).attributes)
                throw std::invalid_argument("plan and lexicon do not fit together");
            const EdgeReader readable(plan, lexicon.attributes(), field);
            new (self) ArcClassifier{
                plan, lexicon, candidates, {atoms.data(), atoms.data() + atoms.shape(0)}, field, order_named(order)};
        },
        "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "pos"_a, "order"_a, nb::keep_alive<1, 3>(),
        nb::keep_alive<1, 4>());
    bind_decisions(arcs);
    room.def(
        "pair_keys",
        [](const Columns& columns, const std::string& pos) {
            const corpus::Field field = tag_named(pos);
            const laconic::corpus::Reading reading(columns.access);
            check_heads(columns);
            return as_array(pair_keys(columns, field));
        },
        "columns"_a, "pos"_a, "The key of the pair of tags of every arc.");
}
