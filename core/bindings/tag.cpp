#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "tag/tagger.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::tag {

namespace {

using bindings::as_array;
using bindings::check_sentences;
using bindings::Input;
using bindings::span_of;
using bindings::vector_of;
using corpus::Columns;

corpus::Field field_named(const std::string& name) {
    if (name == "upos") return corpus::Field::upos;
    if (name == "xpos") return corpus::Field::xpos;
    if (name == "feats") return corpus::Field::feats;
    throw std::invalid_argument("'" + name + "' cannot be given to a tagger: upos, xpos and feats can");
}

Candidates make_candidates(const learn::LabelSets& sets, std::uint32_t open, const std::vector<std::string>& given,
                           const Input<std::uint64_t, 1>& keys, const Input<std::uint32_t, 1>& numbers,
                           const Input<std::uint32_t, 1>& needs) {
    Candidates candidates{sets, open, {}, CandidateTable(vector_of(keys), vector_of(numbers)), vector_of(needs)};
    for (const std::string& name : given) candidates.given.push_back(field_named(name));
    const auto exists = [&](std::uint32_t set) { return set < sets.size(); };
    if (!exists(open) || !std::ranges::all_of(candidates.table.sets(), exists))
        throw ModelError("the candidates name a set of labels that does not exist");
    if (!candidates.needs.empty() &&
        (candidates.needs.size() != sets.labels() || std::ranges::min(candidates.needs) > 1))
        throw ModelError("some label must fit every word");
    return candidates;
}

Model make_model(const features::Plan& plan, const features::Lexicon& lexicon, const Candidates& candidates,
                 const Input<Atom, 1>& atoms) {
    if (candidates.sets.labels() != atoms.shape(0) || lexicon.payload_count() == 0)
        throw std::invalid_argument("plan, lexicon, candidates and labels do not fit together");
    return {plan, lexicon, candidates, span_of(atoms)};
}

void check_table(const Model& model, const learn::Table& table, const learn::Exits& exits) {
    if (model.plan.size() != table.templates() || model.atoms.size() != table.labels() ||
        (model.plan.size() > 0 && (exits.list.empty() || exits.list.back().depth > model.plan.size())))
        throw std::invalid_argument("plan, table, labels and exits do not fit together");
}

void collect_any(learn::Examples& examples, const features::Plan& plan, const features::Lexicon& lexicon,
                 const Candidates& candidates, const Input<Atom, 1>& atoms, const Columns& columns,
                 const Input<Label, 1>& gold, const Input<std::uint32_t, 1>& sentences, bool types) {
    const Model model = make_model(plan, lexicon, candidates, atoms);
    check_sentences(span_of(sentences), columns.sentence_count());
    if (gold.shape(0) != columns.words()) throw std::invalid_argument("gold labels do not fit the document");
    for (std::size_t i = 0; i < gold.shape(0); ++i)
        if (gold(i) >= atoms.shape(0) && !(types && gold(i) == no_label)) throw std::invalid_argument("no such label");
    const laconic::corpus::Reading reading(columns.access);
    const nb::gil_scoped_release released;
    (types ? collect_types : collect)(examples, model, columns, span_of(gold), span_of(sentences));
}

void bind_decisions(nb::module_& room) {
    room.def(
        "tag",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const Candidates& candidates,
           Input<Atom, 1> atoms, const learn::Table& table, const FormScores& form_scores, const Columns& columns,
           const learn::Exits& exits, Input<double, 1> temperatures) {
            const Model model = make_model(plan, lexicon, candidates, atoms);
            check_table(model, table, exits);
            if (form_scores.words() != lexicon.size() || form_scores.labels() != table.labels() ||
                form_scores.lanes() != table.lanes() || form_scores.templates() > plan.size())
                throw std::invalid_argument("the scores of forms are another model's");
            const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
            if (temperatures.shape(0) > 0 &&
                (temperatures.shape(0) != plan.size() + 1 || !std::ranges::all_of(span_of(temperatures), positive)))
                throw std::invalid_argument("one temperature above 0 per template, and one confidence before them");
            Labelled result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                result = tag(model, table, form_scores, columns, exits.list, span_of(temperatures));
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)), result.rows,
                                   as_array(std::move(result.confidences)));
        },
        "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "table"_a, "form_scores"_a, "columns"_a, "exits"_a,
        "temperatures"_a,
        "Label and templates computed for each word, the cache lines of weights read in all, and confidences if there "
        "are temperatures.");
    room.def(
        "prefixes",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const Candidates& candidates,
           Input<Atom, 1> atoms, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           const std::vector<std::uint32_t>& depths, Input<std::uint32_t, 1> sentences) {
            const Model model = make_model(plan, lexicon, candidates, atoms);
            check_table(model, table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            for (std::size_t i = 0; i < depths.size(); ++i)
                if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
                    throw std::invalid_argument("depths must ascend and end at the number of templates");
            Prefixes result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                result = prefixes(model, table, columns, depths, exits.list, span_of(sentences));
            }
            const std::size_t rows = depths.empty() ? 0 : result.leads.size() / depths.size();
            return std::make_tuple(as_array(std::move(result.leads), {rows, depths.size()}),
                                   as_array(std::move(result.labels), {rows, depths.size()}));
        },
        "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "table"_a, "columns"_a, "exits"_a, "depths"_a, "sentences"_a,
        "Lead and label of each word after each of the depths, along the trajectory that the exits give.");
    room.def(
        "final_scores",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const Candidates& candidates,
           Input<Atom, 1> atoms, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           Input<std::uint32_t, 1> sentences) {
            const Model model = make_model(plan, lexicon, candidates, atoms);
            check_table(model, table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            FinalScores result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                result = final_scores(model, table, columns, exits.list, span_of(sentences));
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)),
                                   as_array(std::move(result.begins)), as_array(std::move(result.gaps)));
        },
        "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "table"_a, "columns"_a, "exits"_a, "sentences"_a,
        "How each decision ended: label, depth, and the scores of its candidates less the best one, run after run.");
    room.def(
        "traces",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const Candidates& candidates,
           Input<Atom, 1> atoms, const learn::Table& table, const Columns& columns, const learn::Exits& exits,
           Input<std::uint32_t, 1> sentences) {
            const Model model = make_model(plan, lexicon, candidates, atoms);
            check_table(model, table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            const laconic::corpus::Reading reading(columns.access);
            const nb::gil_scoped_release released;
            return traces(model, table, columns, exits.list, span_of(sentences));
        },
        "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "table"_a, "columns"_a, "exits"_a, "sentences"_a,
        "How each word of the sentences is decided, step by step.");
}

}  // namespace

}  // namespace laconic::tag

void laconic::bindings::tag(nb::module_& core) {
    using namespace laconic::tag;
    nb::module_ room = core.def_submodule("tag", "Core of laconic.tag: one label per word, left to right.");
    nb::class_<Candidates>(room, "Candidates", "Which labels a word may get.")
        .def(
            "__init__",
            [](Candidates* self, const learn::LabelSets& sets, std::uint32_t open,
               const std::vector<std::string>& given, Input<std::uint64_t, 1> keys, Input<std::uint32_t, 1> numbers,
               Input<std::uint32_t, 1> needs) {
                new (self) Candidates(make_candidates(sets, open, given, keys, numbers, needs));
            },
            "sets"_a, "open"_a, "given"_a, "keys"_a, "numbers"_a, "needs"_a)
        .def_prop_ro("open", [](const Candidates& self) { return self.open; })
        .def("keys", [](const Candidates& self) { return as_array(std::vector(self.table.keys())); })
        .def("numbers", [](const Candidates& self) { return as_array(std::vector(self.table.sets())); });
    nb::class_<FormScores>(room, "FormScores",
                           "What the form of each word of a lexicon says, summed before any text is seen.")
        .def(nb::init<const features::Plan&, const features::Lexicon&, const learn::Table&, const Candidates&,
                      std::size_t>(),
             "plan"_a, "lexicon"_a, "table"_a, "candidates"_a, "most"_a = std::numeric_limits<std::size_t>::max(),
             "At most so many templates are summed.", nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("templates", &FormScores::templates,
                     "How many templates at the head of the plan are in the sums.");
    room.def(
        "given",
        [](const corpus::Columns& columns, const std::vector<std::string>& names) {
            std::vector<corpus::Field> fields;
            for (const std::string& name : names) fields.push_back(field_named(name));
            const Given given(fields, columns);
            std::vector<Atom> atoms;
            for (std::size_t level = 0; level < given.levels(); ++level)
                for (std::size_t word = 0; word < columns.words(); ++word) atoms.push_back(given(level, word));
            return as_array(std::move(atoms), {fields.size(), columns.words()});
        },
        "columns"_a, "names"_a,
        "Atoms of the first of these columns, of the first two together, and so on: a row each.");
    room.def("collect", &collect_any, "examples"_a, "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "columns"_a,
             "gold"_a, "sentences"_a, "types"_a = false,
             "One example per word of the sentences, gold labels to the left as history; or one per type of word.");
    bind_decisions(room);
}
