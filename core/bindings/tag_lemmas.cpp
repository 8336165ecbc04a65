#include "bindings/common.hpp"
#include "bindings/tag_columns.hpp"
#include "tag/candidate_table.hpp"
#include "tag/lemmas.hpp"
#include "tag/script_evidence.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::tag;
using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, std::string>;

Script script_of(const Row& row) {
    const auto& [letters, cut_front, cut_back, front, back] = row;
    if (letters >= letters_count || cut_front > Script::all || cut_back > Script::all)
        throw ModelError("an edit script is damaged");
    return {static_cast<Letters>(letters), cut_front, cut_back, front, back};
}

Row row_of(const Script& script) {
    return {static_cast<std::uint32_t>(script.letters), script.cut_front, script.cut_back, script.front, script.back};
}

struct Scripts {
    std::vector<Script> list;
};

}  // namespace

void tag_lemmas(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("tag"));
    nb::class_<Scripts>(room, "Scripts", "Edit scripts by number: how lemmas are made from forms.")
        .def(
            "__init__",
            [](Scripts* self, const std::vector<Row>& rows) {
                Scripts scripts;
                for (const Row& row : rows) scripts.list.push_back(script_of(row));
                new (self) Scripts(std::move(scripts));
            },
            "rows"_a)
        .def("__len__", [](const Scripts& self) { return self.list.size(); })
        .def(
            "cut_keys",
            [](const Scripts& self, const std::vector<std::string>& forms, Input<Label, 1> labels) {
                if (labels.shape(0) != forms.size()) throw std::invalid_argument("one script per form, please");
                check_numbers(span_of(labels), self.list.size(), "no such script");
                std::vector<std::uint64_t> keys;
                for (std::size_t i = 0; i < forms.size(); ++i)
                    keys.push_back(cut_key(labels.data()[i], self.list[labels.data()[i]], forms[i]));
                return as_array(std::move(keys));
            },
            "forms"_a, "labels"_a, "What each form loses to a script, with the number of the script, as a key.");
    nb::class_<ScriptEvidence>(room, "ScriptEvidence", "Which scripts may make the lemma of a word never seen.")
        .def(
            "__init__",
            [](ScriptEvidence* self, const Scripts& scripts, Input<std::uint64_t, 1> cuts,
               Input<std::uint32_t, 1> counts, Input<Atom, 1> bases, std::uint32_t minimum) {
                new (self) ScriptEvidence(scripts.list, vector_of(cuts), vector_of(counts), vector_of(bases), minimum);
            },
            "scripts"_a, "cuts"_a, "counts"_a, "bases"_a, "minimum"_a)
        .def("cuts", [](const ScriptEvidence& self) { return copy_of(self.cuts().keys()); })
        .def("counts", [](const ScriptEvidence& self) { return copy_of(self.cuts().numbers()); })
        .def("bases", [](const ScriptEvidence& self) { return copy_of(self.bases()); });
    room.def(
        "base_atoms",
        [](const Columns& columns, const std::string& given, bool lemmas) {
            std::vector<Atom> atoms;
            const corpus::Field field = lemmas ? corpus::Field::lemma : corpus::Field::form;
            unlocked(columns, [&] {
                const Given values({given_column(given)}, columns);
                for (std::size_t word = 0; word < columns.words(); ++word)
                    atoms.push_back(base_atom(values(0, word), columns.view(field, word)));
            });
            return as_array(std::move(atoms));
        },
        "columns"_a, "given"_a, "lemmas"_a = false,
        "The form of each word, or its lemma, with its value of a given column, as an atom.");
    nb::class_<Entries>(room, "Entries", "A user's word on lemmas.")
        .def(
            "__init__",
            [](Entries* self, const std::vector<std::vector<std::string>>& rows) {
                std::vector<Entry> entries;
                for (const std::vector<std::string>& row : rows) {
                    if (row.size() != 5) throw std::invalid_argument("an entry is form, upos, xpos, feats and lemma");
                    entries.push_back({row[0], {row[1], row[2], row[3]}, row[4]});
                }
                new (self) Entries(std::move(entries));
            },
            "rows"_a);
    room.def(
        "derive", [](const std::string& form, const std::string& lemma) { return row_of(derive(form, lemma)); },
        "form"_a, "lemma"_a, "The script that makes the lemma from the form.");
    room.def(
        "apply",
        [](const Row& script, const std::string& form) {
            std::string lemma;
            apply(script_of(script), form, lemma);
            return lemma;
        },
        "script"_a, "form"_a, "What a script makes of a form.");
    room.def(
        "write_lemmas",
        [](Columns& columns, const Scripts& scripts, const Entries& entries, Input<Label, 1> labels) {
            if (labels.shape(0) != columns.words()) throw std::invalid_argument("one label per word, please");
            check_numbers(span_of(labels), scripts.list.size(), "no such script");
            const corpus::Writing writing(columns.access);
            unlocked([&] { tag::write_lemmas(columns, scripts.list, entries, span_of(labels)); });
        },
        "columns"_a, "scripts"_a, "entries"_a, "labels"_a, "Makes the lemma of every word.");
}

}  // namespace laconic::bindings
