#include <limits>
#include <optional>

#include "bindings/handle.hpp"
#include "bindings/tag_columns.hpp"
#include "tag/tagger.hpp"

namespace laconic::bindings {

namespace {

using features::Lexicon;
using features::Plan;
using tag::Candidates;
using tag::FormScores;

void init_candidates(Candidates* self, const learn::LabelSets& sets, std::uint32_t open,
                     const std::vector<std::string>& given, Input<std::uint64_t, 1> keys,
                     Input<std::uint32_t, 1> numbers, const tag::ScriptEvidence* evidence) {
    Candidates made{sets, open, {}, tag::CandidateTable(vector_of(keys), vector_of(numbers)), {}};
    if (evidence != nullptr) made.evidence = *evidence;
    for (const std::string& name : given) made.given.push_back(given_column(name));
    const auto exists = [&](std::uint32_t set) { return set < sets.size(); };
    if (!exists(open) || !std::ranges::all_of(made.table.sets(), exists))
        throw ModelError("the candidates name a set of labels that does not exist");
    if (!made.evidence.empty() && made.evidence.scripts() != sets.labels())
        throw ModelError("there is not one edit script per label");
    new (self) Candidates(std::move(made));
}

// Words are decided several sentences at a time, from what their forms say: for linear rows only.
struct WordClassifier : Handle<tag::Model, learn::Table> {
    WordClassifier(const Plan& plan, const Lexicon& lexicon, const Candidates& candidates,
                   Input<features::Atom, 1> atoms, const learn::Table* table, std::size_t most)
        : Handle({plan, lexicon, candidates, vector_of(atoms)}, atoms.shape(0), table) {
        if (candidates.sets.labels() != labels || lexicon.payload_count() == 0)
            throw std::invalid_argument("plan, lexicon, candidates and labels do not fit together");
        check_lexicon(lexicon, plan);
        (void)tag::TokenReader(plan);  // throws where it cannot read the plan
        if (table != nullptr) unlocked([&] { form_scores.emplace(plan, lexicon, *table, candidates, most); });
    }

    std::optional<FormScores> form_scores;  // if there is a table
};

void bind_words(nb::module_& room) {
    nb::class_<WordClassifier> words(room, "WordClassifier", "How words are read, which labels they may get, weights.");
    words
        .def(nb::init<const Plan&, const Lexicon&, const Candidates&, Input<features::Atom, 1>, const learn::Table*,
                      std::size_t>(),
             "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "table"_a.none() = nb::none(),
             "form_templates"_a = std::numeric_limits<std::size_t>::max(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 6>(),
             "Sums at most so many templates for the form of each word of the lexicon, when it is first met.")
        .def_prop_ro(
            "form_templates",
            [](const WordClassifier& self) { return self.form_scores ? self.form_scores->templates() : 0; },
            "How many templates at the head of the plan are in the sums of forms.")
        .def(
            "collect",
            [](const WordClassifier& self, learn::Examples& examples, const Columns& columns, Labels gold,
               Sentences sentences, bool types) {
                const corpus::Writing writing(examples.access);
                self.check_examples(examples, self.model.candidates.sets);
                if (gold.shape(0) != columns.words()) throw std::invalid_argument("the labels do not fit the document");
                for (const learn::Label label : span_of(gold))
                    if (label >= self.labels && !(types && label == tag::no_label))
                        throw std::invalid_argument("no such label");
                check_sentences(span_of(sentences), columns);
                unlocked(columns, [&] {
                    (types ? tag::collect_types : tag::collect<learn::Examples>)(examples, self.model, columns,
                                                                                 span_of(gold), span_of(sentences));
                });
            },
            "examples"_a, "columns"_a, "gold"_a, "sentences"_a, "types"_a = false,
            "One example per word of the sentences, gold labels to the left as history; or one per type of word.")
        .def(
            "collect_atoms",
            [](const WordClassifier& self, learn::DecisionAtoms& decisions, const Columns& columns, Labels gold,
               Sentences sentences) {
                const corpus::Writing writing(decisions.access);
                self.check_atoms(decisions, self.model.candidates.sets);
                self.check_labels(span_of(gold), columns);
                check_sentences(span_of(sentences), columns);
                unlocked(columns,
                         [&] { tag::collect(decisions, self.model, columns, span_of(gold), span_of(sentences)); });
            },
            "decisions"_a, "columns"_a, "gold"_a, "sentences"_a, "The same decisions by the atoms of each slot.");
    bind_decide(words, [](const WordClassifier& self, const learn::Table& table, const Columns& columns,
                          std::span<const learn::Exit> exits, std::span<const double> temperatures) {
        return tag::tag(self.model, table, *self.form_scores, columns, exits, temperatures);
    });
    bind_prefixes(words);
    bind_final_scores(words);
    bind_traces(words);
}

}  // namespace

void tag(nb::module_& core) {
    nb::module_ room = core.def_submodule("tag", "Core of laconic.tag: one label per word, left to right.");
    nb::class_<Candidates>(room, "Candidates", "Which labels a word may get.")
        .def("__init__", &init_candidates, "sets"_a, "open"_a, "given"_a, "keys"_a, "numbers"_a,
             "evidence"_a.none() = nb::none())
        .def_prop_ro("open", [](const Candidates& self) { return self.open; })
        .def("keys", [](const Candidates& self) { return copy_of(self.table.keys()); })
        .def("numbers", [](const Candidates& self) { return copy_of(self.table.sets()); });
    bind_words(room);
    room.def(
        "given",
        [](const Columns& columns, const std::vector<std::string>& names) {
            std::vector<corpus::Field> fields;
            for (const std::string& name : names) fields.push_back(given_column(name));
            std::vector<features::Atom> atoms;
            unlocked(columns, [&] {
                const tag::Given given(fields, columns);
                for (std::size_t level = 0; level < given.levels(); ++level)
                    for (std::size_t word = 0; word < columns.words(); ++word) atoms.push_back(given(level, word));
            });
            return as_array(std::move(atoms), {fields.size(), columns.words()});
        },
        "columns"_a, "names"_a,
        "Atoms of the first of these columns, of the first two together, and so on: a row each.");
}

}  // namespace laconic::bindings
