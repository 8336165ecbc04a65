#include <map>

#include "base/hash.hpp"
#include "bindings/handle.hpp"
#include "tag/entities.hpp"

namespace laconic::bindings {

namespace {

using features::Lexicon;
using features::Plan;
using tag::Gazetteer;
using tag::History;
using tag::Transitions;
using Gazetteers = std::map<std::string, std::shared_ptr<const Gazetteer>>;

struct EntityClassifier : Handle<tag::Recogniser, learn::Table> {
    EntityClassifier(const Plan& plan, const Lexicon& lexicon, const Transitions& transitions, Gazetteers named,
                     Input<features::Atom, 1> atoms, const learn::Table* table)
        : Handle({plan, lexicon, aligned(plan, named), transitions, vector_of(atoms)}, atoms.shape(0), table),
          gazetteers(std::move(named)) {
        if (lexicon.payload_count() == 0 || transitions.sets().labels() != labels)
            throw std::invalid_argument("lexicon, labels and transitions do not fit together");
        check_lexicon(lexicon, plan);
        (void)tag::TokenReader(plan, {model.gazetteers, true});  // throws where it cannot read the plan
    }

    Gazetteers gazetteers;

private:
    static std::vector<const Gazetteer*> aligned(const Plan& plan, const Gazetteers& gazetteers) {
        std::vector<const Gazetteer*> found;
        for (const std::string& name : plan.arguments()) {
            const auto at = gazetteers.find(name);
            found.push_back(at == gazetteers.end() ? nullptr : at->second.get());
        }
        return found;
    }
};

void check_legal(std::span<const learn::Label> labels, const Transitions& transitions,
                 std::span<const std::uint32_t> sentences, const Columns& columns) {
    for (const std::uint32_t sentence : sentences) {
        learn::Label before = tag::outside;
        for (std::size_t i = columns.sentences[sentence]; i < columns.sentences[sentence + 1]; ++i) {
            const auto legal =
                transitions.sets()[transitions.after(before, i + 1 == columns.sentences[sentence + 1], true)];
            if (!std::ranges::binary_search(legal, labels[i]))
                throw std::invalid_argument("the labels are no legal sequence");
            before = labels[i];
        }
    }
}

void bind_history(nb::module_& room) {
    nb::class_<History>(room, "History", "What forms were labelled in the last 1,000 words of a document.")
        .def(nb::init<std::size_t>(), "labels"_a)
        .def_prop_ro_static("window", [](const nb::object&) { return History::window; })
        .def(
            "start",
            [](History& self) {
                const corpus::Writing writing(self.access);
                self.start();
            },
            "A document starts: forget.")
        .def(
            "note",
            [](History& self, std::string_view form, learn::Label label) {
                const corpus::Writing writing(self.access);
                if (label >= self.labels()) throw std::invalid_argument("no such label");
                self.note(hash_bytes(form), label);
            },
            "form"_a, "label"_a)
        .def(
            "kept",
            [](const History& self) {
                const corpus::Reading reading(self.access);
                std::vector<std::uint64_t> forms;
                std::vector<learn::Label> labels;
                std::vector<std::uint16_t> ages;
                for (const History::Kept& one : self.kept()) {
                    forms.push_back(one.form);
                    labels.push_back(one.label);
                    ages.push_back(one.age);
                }
                return as_arrays(std::move(forms), std::move(labels), std::move(ages));
            },
            "Hashes of forms, labels and ages in words of what it holds, oldest first.")
        .def(
            "restore",
            [](History& self, Input<std::uint64_t, 1> forms, Labels labels, Input<std::uint16_t, 1> ages) {
                const corpus::Writing writing(self.access);
                if (forms.shape(0) != labels.shape(0) || forms.shape(0) != ages.shape(0))
                    throw std::invalid_argument("one label and one age per form");
                std::vector<History::Kept> notes;
                for (std::size_t i = 0; i < forms.shape(0); ++i) notes.push_back({forms(i), labels(i), ages(i)});
                self.restore(notes);
            },
            "forms"_a, "labels"_a, "ages"_a, "As if it had noted what `kept` gave.")
        .def(
            "pass_word",
            [](History& self) {
                const corpus::Writing writing(self.access);
                self.pass();
            },
            "On to the next word.")
        .def(
            "seen",
            [](const History& self, std::string_view form) {
                const corpus::Reading reading(self.access);
                return int{self.seen(hash_bytes(form))};
            },
            "form"_a, "The most frequent label; 65535 if there is none.");
}

void bind_entities(nb::module_& room) {
    nb::class_<EntityClassifier> entities(room, "EntityClassifier", "How words are read, gazetteers, and weights.");
    entities
        .def(nb::init<const Plan&, const Lexicon&, const Transitions&, Gazetteers, Input<features::Atom, 1>,
                      const learn::Table*>(),
             "plan"_a, "lexicon"_a, "transitions"_a, "gazetteers"_a, "atoms"_a, "table"_a.none() = nb::none(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 7>())
        .def(
            "collect",
            [](const EntityClassifier& self, learn::Examples& examples, const Columns& columns, Labels gold,
               Sentences sentences, Labels noted) {
                const corpus::Writing writing(examples.access);
                self.check_examples(examples, self.model.transitions.sets());
                self.check_labels(span_of(gold), columns);
                self.check_labels(span_of(noted), columns);
                check_sentences(span_of(sentences), columns);
                check_legal(span_of(gold), self.model.transitions, span_of(sentences), columns);
                unlocked(columns, [&] {
                    collect(examples, self.model, columns, span_of(gold), span_of(noted), span_of(sentences));
                });
            },
            "examples"_a, "columns"_a, "gold"_a, "sentences"_a, "noted"_a,
            "One example per word with a choice; `noted` are the labels that history shows.")
        .def(
            "decide",
            [](const EntityClassifier& self, const Columns& columns, const learn::Exits& exits, History& history) {
                const corpus::Writing writing(history.access);
                if (history.labels() != self.labels) throw std::invalid_argument("the history is another model's");
                return as_tuple(self.decided(columns, exits, [&](const auto& table) {
                    return tag::tag(self.model, table, columns, exits.list, history);
                }));
            },
            "columns"_a, "exits"_a, "history"_a,
            "Label and templates computed for each word, the cache lines of weights read in all; no confidences.");
    bind_prefixes(entities);
    bind_traces(entities);
}

}  // namespace

void tag_entities(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("tag"));
    nb::class_<Transitions>(room, "Transitions", "Which BILOU labels may follow which; O, then B I L U of each type.")
        .def(nb::init<std::size_t>(), "types"_a)
        .def_prop_ro("sets", [](const Transitions& self) { return self.sets(); })
        .def("after", &Transitions::after, "before"_a, "last"_a, "may_start"_a);
    nb::class_<Gazetteer>(room, "Gazetteer", "Names of one or more words.")
        .def(
            "__init__",
            [](Gazetteer* self, Input<std::uint8_t, 1> bytes, Input<std::uint32_t, 1> offsets,
               Input<std::uint32_t, 1> begins, Input<std::uint32_t, 1> entries) {
                unlocked(
                    [&] { new (self) Gazetteer(forms_of(bytes, offsets), vector_of(begins), vector_of(entries)); });
            },
            "bytes"_a, "offsets"_a, "begins"_a, "entries"_a)
        .def("__len__", &Gazetteer::size)
        .def_prop_ro_static("longest", [](const nb::object&) { return Gazetteer::longest; })
        .def(
            "match",
            [](const Gazetteer& self, const Columns& columns) {
                return as_array(unlocked(columns, [&] { return self.match(columns); }));
            },
            "columns"_a, "For each word the atom of its place in an entry: B, I, L, U; 1 outside of all.");
    bind_history(room);
    bind_entities(room);
}

}  // namespace laconic::bindings
