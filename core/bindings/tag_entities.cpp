#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "tag/entities.hpp"

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
using features::Lexicon;
using features::Plan;
using learn::Exits;
using learn::Table;

using Gazetteers = std::map<std::string, std::shared_ptr<const Gazetteer>>;

// A recogniser for one call, with what it refers to.
class Bound {
public:
    Bound(const Plan& plan, const Lexicon& lexicon, const Transitions& transitions, const Gazetteers& gazetteers,
          const Input<Atom, 1>& atoms)
        : recogniser_{plan, lexicon, {}, transitions, span_of(atoms)} {
        if (lexicon.payload_count() == 0 || transitions.sets().labels() != atoms.shape(0))
            throw std::invalid_argument("lexicon, labels and transitions do not fit together");
        for (const std::string& name : plan.arguments()) {
            const auto found = gazetteers.find(name);
            aligned_.push_back(found == gazetteers.end() ? nullptr : found->second.get());
        }
        recogniser_.gazetteers = aligned_;
    }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;

    void check(const Table& table, const Exits& exits) const {
        const std::size_t templates = recogniser_.plan.size();
        if (templates != table.templates() || recogniser_.atoms.size() != table.labels() ||
            (templates > 0 && (exits.list.empty() || exits.list.back().depth > templates)))
            throw std::invalid_argument("plan, table, labels and exits do not fit together");
    }
    const Recogniser& operator*() const noexcept { return recogniser_; }

private:
    std::vector<const Gazetteer*> aligned_;
    Recogniser recogniser_;
};

void check_labels(const Input<Label, 1>& labels, std::size_t count, const Columns& columns) {
    if (labels.shape(0) != columns.words()) throw std::invalid_argument("labels do not fit the document");
    for (std::size_t i = 0; i < labels.shape(0); ++i)
        if (labels(i) >= count) throw std::invalid_argument("no such label");
}

void check_legal(const Input<Label, 1>& labels, const Transitions& transitions,
                 std::span<const std::uint32_t> sentences, const Columns& columns) {
    for (const std::uint32_t sentence : sentences) {
        Label before = outside;
        for (std::size_t i = columns.sentences[sentence]; i < columns.sentences[sentence + 1]; ++i) {
            const auto legal =
                transitions.sets()[transitions.after(before, i + 1 == columns.sentences[sentence + 1], true)];
            if (!std::ranges::binary_search(legal, labels(i)))
                throw std::invalid_argument("the labels are no legal sequence");
            before = labels(i);
        }
    }
}

void bind_parts(nb::module_& room) {
    nb::class_<Transitions>(room, "Transitions", "Which BILOU labels may follow which; O, then B I L U of each type.")
        .def(nb::init<std::size_t>(), "types"_a)
        .def_prop_ro("sets", [](const Transitions& self) { return self.sets(); })
        .def("after", &Transitions::after, "before"_a, "last"_a, "may_start"_a);
    nb::class_<History>(room, "History", "What forms were labelled in the last 1,000 words of a document.")
        .def(nb::init<std::size_t>(), "labels"_a)
        .def_prop_ro_static("window", [](const nb::object&) { return History::window; })
        .def("start", &History::start, "A document starts: forget.")
        .def(
            "note",
            [](History& self, std::string_view form, Label label) {
                if (label >= self.labels()) throw std::invalid_argument("no such label");
                self.note(hash_bytes(form), label);
            },
            "form"_a, "label"_a)
        .def(
            "kept",
            [](const History& self) {
                std::vector<std::uint64_t> forms;
                std::vector<Label> labels;
                std::vector<std::uint16_t> ages;
                for (const History::Kept& one : self.kept()) {
                    forms.push_back(one.form);
                    labels.push_back(one.label);
                    ages.push_back(one.age);
                }
                return std::make_tuple(as_array(std::move(forms)), as_array(std::move(labels)),
                                       as_array(std::move(ages)));
            },
            "Hashes of forms, labels and ages in words of what it holds, oldest first.")
        .def(
            "restore",
            [](History& self, const Input<std::uint64_t, 1>& forms, const Input<Label, 1>& labels,
               const Input<std::uint16_t, 1>& ages) {
                if (forms.shape(0) != labels.shape(0) || forms.shape(0) != ages.shape(0))
                    throw std::invalid_argument("one label and one age per form");
                std::vector<History::Kept> notes;
                for (std::size_t i = 0; i < forms.shape(0); ++i) notes.push_back({forms(i), labels(i), ages(i)});
                self.restore(notes);
            },
            "forms"_a, "labels"_a, "ages"_a, "As if it had noted what `kept` gave.")
        .def("pass_word", &History::pass, "On to the next word.")
        .def(
            "seen", [](const History& self, std::string_view form) { return int{self.seen(hash_bytes(form))}; },
            "form"_a, "The most frequent label; 65535 if there is none.");
    nb::class_<Gazetteer>(room, "Gazetteer", "Names of one or more words.")
        .def(
            "__init__",
            [](Gazetteer* self, const Input<std::uint8_t, 1>& bytes, const Input<std::uint32_t, 1>& offsets,
               const Input<std::uint32_t, 1>& begins, const Input<std::uint32_t, 1>& entries) {
                const nb::gil_scoped_release released;
                new (self)
                    Gazetteer(features::Forms(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)),
                                              vector_of(offsets)),
                              vector_of(begins), vector_of(entries));
            },
            "bytes"_a, "offsets"_a, "begins"_a, "entries"_a)
        .def("__len__", &Gazetteer::size)
        .def_prop_ro_static("longest", [](const nb::object&) { return Gazetteer::longest; })
        .def(
            "match", [](const Gazetteer& self, const Columns& columns) { return as_array(self.match(columns)); },
            "columns"_a, "For each word the atom of its place in an entry: B, I, L, U; 1 outside of all.");
}

}  // namespace

}  // namespace laconic::tag

void laconic::bindings::tag_entities(nb::module_& core) {
    using namespace laconic::tag;
    nb::module_ room = nb::cast<nb::module_>(core.attr("tag"));
    bind_parts(room);
    room.def(
        "collect_entities",
        [](laconic::learn::Examples& examples, const Plan& plan, const Lexicon& lexicon, const Transitions& transitions,
           const Gazetteers& gazetteers, Input<Atom, 1> atoms, const Columns& columns, Input<Label, 1> gold,
           Input<Label, 1> noted, Input<std::uint32_t, 1> sentences) {
            const Bound bound(plan, lexicon, transitions, gazetteers, atoms);
            check_sentences(span_of(sentences), columns.sentence_count());
            check_labels(gold, atoms.shape(0), columns);
            check_labels(noted, atoms.shape(0), columns);
            check_legal(gold, transitions, span_of(sentences), columns);
            const laconic::corpus::Reading reading(columns.access);
            const nb::gil_scoped_release released;
            collect_entities(examples, *bound, columns, span_of(gold), span_of(noted), span_of(sentences));
        },
        "examples"_a, "plan"_a, "lexicon"_a, "transitions"_a, "gazetteers"_a, "atoms"_a, "columns"_a, "gold"_a,
        "noted"_a, "sentences"_a, "One example per word with a choice; `noted` are the labels that history shows.");
    room.def(
        "tag_entities",
        [](const Plan& plan, const Lexicon& lexicon, const Transitions& transitions, const Gazetteers& gazetteers,
           Input<Atom, 1> atoms, const Table& table, const Columns& columns, const Exits& exits, History& history) {
            const Bound bound(plan, lexicon, transitions, gazetteers, atoms);
            bound.check(table, exits);
            if (history.labels() != atoms.shape(0)) throw std::invalid_argument("the history is another model's");
            Labelled result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                result = tag_entities(*bound, table, columns, exits.list, history);
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)), result.rows);
        },
        "plan"_a, "lexicon"_a, "transitions"_a, "gazetteers"_a, "atoms"_a, "table"_a, "columns"_a, "exits"_a,
        "history"_a, "Label and templates computed for each word, and the cache lines of weights read in all.");
    room.def(
        "entity_prefixes",
        [](const Plan& plan, const Lexicon& lexicon, const Transitions& transitions, const Gazetteers& gazetteers,
           Input<Atom, 1> atoms, const Table& table, const Columns& columns, const std::vector<std::uint32_t>& depths,
           const Exits& exits, Input<std::uint32_t, 1> sentences) {
            const Bound bound(plan, lexicon, transitions, gazetteers, atoms);
            bound.check(table, exits);
            check_sentences(span_of(sentences), columns.sentence_count());
            for (std::size_t i = 0; i < depths.size(); ++i)
                if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
                    throw std::invalid_argument("depths must ascend and end at the number of templates");
            EntityPrefixes result;
            {
                const laconic::corpus::Reading reading(columns.access);
                const nb::gil_scoped_release released;
                result = entity_prefixes(*bound, table, columns, depths, exits.list, span_of(sentences));
            }
            const std::size_t rows = result.taken.size();
            return std::make_tuple(as_array(std::move(result.prefixes.leads), {rows, depths.size()}),
                                   as_array(std::move(result.prefixes.labels), {rows, depths.size()}),
                                   as_array(std::move(result.taken)));
        },
        "plan"_a, "lexicon"_a, "transitions"_a, "gazetteers"_a, "atoms"_a, "table"_a, "columns"_a, "depths"_a,
        "exits"_a, "sentences"_a, "Lead and label of each word after each of the depths, and the label taken.");
    room.def(
        "entity_traces",
        [](const Plan& plan, const Lexicon& lexicon, const Transitions& transitions, const Gazetteers& gazetteers,
           Input<Atom, 1> atoms, const Table& table, const Columns& columns, const Exits& exits) {
            const Bound bound(plan, lexicon, transitions, gazetteers, atoms);
            bound.check(table, exits);
            const laconic::corpus::Reading reading(columns.access);
            const nb::gil_scoped_release released;
            return entity_traces(*bound, table, columns, exits.list);
        },
        "plan"_a, "lexicon"_a, "transitions"_a, "gazetteers"_a, "atoms"_a, "table"_a, "columns"_a, "exits"_a,
        "How each word is decided, step by step.");
}
