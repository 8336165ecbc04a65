#include "bindings/handle.hpp"
#include "label/labeler.hpp"

namespace laconic::bindings {

namespace {

using label::LabelCandidates;
using label::Order;
using ArcClassifier = Handle<label::Model, learn::Table, learn::HiddenTable>;

void init(ArcClassifier* self, const features::Plan& plan, const features::Lexicon& lexicon,
          const LabelCandidates& candidates, Input<features::Atom, 1> atoms, const std::string& pos,
          const std::string& order, ArcClassifier::AnyTable table) {
    if (candidates.sets().labels() != atoms.shape(0))
        throw std::invalid_argument("candidates and labels do not fit together");
    check_lexicon(lexicon, plan);
    const corpus::Field field = pos_column(pos);
    (void)label::EdgeReader(plan, lexicon.attributes(), field);  // throws where it cannot read the plan
    const auto walked = choice<Order>(order, "order of arcs", {{"down", Order::down}, {"up", Order::up}});
    new (self) ArcClassifier({plan, lexicon, candidates, vector_of(atoms), field, walked}, atoms.shape(0), table);
}

}  // namespace

void label(nb::module_& core) {
    nb::module_ room = core.def_submodule("label", "Core of laconic.label: one label per arc of a finished tree.");
    nb::class_<LabelCandidates>(room, "LabelCandidates",
                                "Which labels an arc may bear, by the tags of its two words and its direction.")
        .def(nb::init<const learn::LabelSets&, const std::vector<std::uint64_t>&, const std::vector<std::uint32_t>&,
                      const std::vector<float>&>(),
             "sets"_a, "keys"_a, "numbers"_a, "priors"_a = std::vector<float>())
        .def("keys", [](const LabelCandidates& self) { return copy_of(self.keys()); })
        .def("numbers", [](const LabelCandidates& self) { return copy_of(self.numbers()); })
        .def("sets", &LabelCandidates::sets, "The sets that the numbers are those of.")
        .def("priors", [](const LabelCandidates& self) { return copy_of(self.priors()); });
    nb::class_<ArcClassifier> arcs(room, "ArcClassifier",
                                   "How arcs are read, which labels they may bear, and weights.");
    arcs.def("__init__", &init, "plan"_a, "lexicon"_a, "candidates"_a, "atoms"_a, "pos"_a, "order"_a,
             "table"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
             nb::keep_alive<1, 8>());
    arcs.def(
        "collect",
        [](const ArcClassifier& self, learn::Examples& examples, const Columns& columns, Labels gold,
           Sentences sentences, Input<std::uint8_t, 1> teach) {
            const corpus::Writing writing(examples.access);
            self.check_examples(examples, self.model.candidates.sets());
            self.check_labels(span_of(gold), columns);
            check_sentences(span_of(sentences), columns);
            if (teach.shape(0) != columns.words()) throw std::invalid_argument("one mark per word of the document");
            unlocked(columns, [&] {
                collect(examples, self.model, columns, span_of(gold), span_of(teach), span_of(sentences));
            });
        },
        "examples"_a, "columns"_a, "gold"_a, "sentences"_a, "teach"_a,
        "One example per arc of the sentences that has something to teach, gold labels as history.");
    bind_decide(arcs, [](const ArcClassifier& self, const auto& table, const Columns& columns,
                         std::span<const learn::Exit> exits, std::span<const double> temperatures) {
        return label::label(self.model, table, columns, exits, temperatures);
    });
    bind_prefixes(arcs);
    bind_final_scores(arcs);
    room.def(
        "pair_keys",
        [](const Columns& columns, const std::string& pos) {
            const corpus::Field field = pos_column(pos);
            return as_array(unlocked(columns, [&] { return label::pair_keys(columns, field); }));
        },
        "columns"_a, "pos"_a, "The key of the pair of tags of every arc.");
    room.def("any_root_key", &label::any_root_key, "The key of arcs from the root to words with rare tags.");
}

}  // namespace laconic::bindings
