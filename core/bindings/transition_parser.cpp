#include <array>
#include <memory>
#include <variant>

#include "bindings/handle.hpp"
#include "bindings/parser_model.hpp"
#include "transition/joint_labels.hpp"
#include "transition/systems.hpp"

namespace laconic::bindings {

namespace {

using features::Plan;
using learn::Exits;
using learn::HiddenTable;
using learn::Table;
using transition::ActionSet;
using transition::BeamOptions;
using transition::Model;
using transition::Weights;

void init_model(Model* self, const Plan& plan, const Plan& label_plan, const features::Lexicon& lexicon,
                std::vector<std::string> names, const std::string& pos, const std::string& system,
                const std::string& labels, const std::vector<std::vector<Relation>>& relations, Relation root_relation,
                Relation spare, Input<features::Atom, 1> atoms, bool single_root, const std::string& focus,
                const std::string& waits, const std::vector<std::uint64_t>& pair_keys,
                std::vector<std::uint32_t> pair_numbers, std::vector<std::vector<Relation>> pair_relations) {
    using Labelling = transition::Labels;
    const std::size_t size = atoms.shape(0);
    const auto good = [&](const std::vector<Relation>& some) {
        return !some.empty() && some.back() < size &&
               std::ranges::adjacent_find(some, std::greater_equal<>()) == some.end();
    };
    if (relations.size() != transition::arc_kinds || !std::ranges::all_of(relations, good) || root_relation >= size ||
        spare >= size || size >= transition::no_relation)
        throw std::invalid_argument("the labels of arcs do not fit together");
    ActionSet actions(
        make_system(system, system_options(single_root, focus, waits)),
        choice<Labelling>(labels, "labelling mode",
                          {{"joint", Labelling::joint}, {"after", Labelling::after}, {"none", Labelling::none}}),
        {relations[0], relations[1], relations[2]}, root_relation, spare);
    if (actions.size() > learn::max_labels) throw std::invalid_argument("too many labels for one classifier");
    transition::RelationSets sets(actions, size, std::move(pair_relations), pair_keys, std::move(pair_numbers));
    transition::JointLabels joint_labels(actions, size, sets);
    const corpus::Field tags = pos_column(pos);
    new (self) Model{plan,
                     label_plan,
                     lexicon,
                     transition::Readers(plan, label_plan, lexicon, std::move(names), tags),
                     tags,
                     std::move(actions),
                     vector_of(atoms),
                     std::move(sets),
                     std::move(joint_labels)};
}

template <learn::Scorer T>
bool fits(const T& table, const Plan& plan, std::size_t labels) {
    return table.templates() == plan.size() && table.labels() == labels;
}

bool fit(const Model& model, const Table& moves, const Table& labels) {
    return fits(moves, model.plan, model.actions.size()) && (model.actions.labels() != transition::Labels::after ||
                                                             fits(labels, model.label_plan, model.relations.size()));
}

bool fit(const Model& model, const HiddenTable& moves, const HiddenTable& labels) {
    return &moves == &labels && model.actions.labels() != transition::Labels::joint &&
           fits(moves, model.plan, model.joint_labels.size());
}

// A model with the tables of moves and of labels, both of one scorer.
class Parser {
public:
    using AnyTable = std::variant<const Table*, const HiddenTable*>;

    Parser(const Model& model, AnyTable moves, AnyTable labels) : model(model), moves_(moves), labels_(labels) {
        const bool good =
            moves.index() == labels.index() &&
            std::visit([&]<class T>(const T* table) { return fit(model, *table, *std::get<const T*>(labels)); }, moves);
        if (!good) throw std::invalid_argument("templates, tables and labels do not fit together");
        compile(true);
    }

    // Whether plans are compiled or interpreted. The outcome is the same. Rows of pairs are always interpreted.
    void compile(bool wanted) {
        std::visit(
            [&]<class T>(const T* moves) {
                const T& labels = *std::get<const T*>(labels_);
                compiled_ = wanted && dense(*moves) && dense(labels)
                                ? std::make_unique<transition::CompiledPlans>(model, *moves, labels)
                                : nullptr;
            },
            moves_);
    }
    [[nodiscard]] bool compiled() const noexcept { return compiled_ != nullptr; }

    // run(weights) without the interpreter's lock, nobody writing to the document meanwhile.
    template <class Run>
    auto decided(const Columns& columns, const Exits& exits, const Exits& label_exits, Run&& run) const {
        return std::visit(
            [&]<class T>(const T* moves) {
                const Weights<T> weights{*moves, *std::get<const T*>(labels_), exits.list, label_exits.list,
                                         compiled_.get()};
                check_exits(weights.moves, weights.exits);
                if (model.actions.labels() == transition::Labels::after)
                    check_exits(weights.labels, weights.label_exits);
                return unlocked(columns, [&] { return run(weights); });
            },
            moves_);
    }

    const Model& model;

private:
    static bool dense(const Table& table) noexcept { return !table.sparse(); }
    static bool dense(const HiddenTable&) noexcept { return true; }

    AnyTable moves_, labels_;
    std::unique_ptr<transition::CompiledPlans> compiled_;
};

auto with_words(learn::FinalScores&& found, std::vector<std::uint32_t>&& words) {
    return as_arrays(std::move(found.depths), std::move(found.begins), std::move(found.gaps), std::move(words));
}

std::vector<std::uint64_t> counted(const transition::ParseWork& work) {
    return {work.decisions, work.templates, work.label_decisions, work.label_templates, work.rows};
}

void bind_hashed(nb::module_& room) {
    room.def(
        "parse_hashed",
        [](const Model& model, const learn::HashedTable& moves, const learn::HashedTable& labels,
           const Columns& columns) {
            const bool after = model.actions.labels() == transition::Labels::after;
            if (!fits(moves, model.plan, model.actions.size()) ||
                (after && !fits(labels, model.label_plan, model.relations.size())))
                throw std::invalid_argument("templates, tables and labels do not fit together");
            transition::Parsed found = unlocked(columns, [&] { return parse_hashed(model, moves, labels, columns); });
            return std::make_tuple(as_array(std::move(found.heads)), as_array(std::move(found.relations)),
                                   counted(found.work));
        },
        "model"_a, "moves"_a, "labels"_a, "columns"_a,
        "Heads, labels and the work, by rows of a search. Where labels are not decided after moves, the table of "
        "labels "
        "is not read.");
}

void bind_model(nb::module_& room) {
    nb::class_<Model>(room, "Model", "What a parser knows beside its weights.")
        .def("__init__", &init_model, nb::kw_only(), "plan"_a, "label_plan"_a, "lexicon"_a, "names"_a, "pos"_a,
             "system"_a, "labels"_a, "relations"_a, "root_relation"_a, "spare"_a, "atoms"_a, "single_root"_a, "focus"_a,
             "waits"_a, "pair_keys"_a, "pair_numbers"_a, "pair_relations"_a, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def_prop_ro("actions", [](const Model& self) { return self.actions.size(); })
        .def(
            "meaning",
            [](const Model& self, learn::Label label) {
                if (label >= self.actions.size()) throw nb::index_error();
                const ActionSet::Meaning meaning = self.actions[label];
                return std::make_tuple(meaning.move, meaning.relation);
            },
            "label"_a, "The move and the label that an action stands for; 65535 is no label.");
}

void bind_arc_keys(nb::module_& room) {
    room.def(
        "arc_keys",
        [](const Columns& columns, const std::string& pos, Input<std::int32_t, 1> heads) {
            if (heads.shape(0) != columns.words()) throw std::invalid_argument("one head for each word is needed");
            for (std::size_t i = 0; i < columns.sentence_count(); ++i)
                for (std::size_t word = columns.sentences[i]; word < columns.sentences[i + 1]; ++word)
                    if (heads(word) < 0 || heads(word) > static_cast<std::int32_t>(columns.size_of(i)))
                        throw std::invalid_argument("a head lies outside of its sentence");
            return as_array(
                unlocked(columns, [&] { return transition::arc_keys(columns, pos_column(pos), span_of(heads)); }));
        },
        "columns"_a, "pos"_a, "heads"_a,
        "The key of each word's arc by the tags of its two words and its direction: what label candidates go by.");
}

void check_search(const Model& model, const BeamOptions& search) {
    check_temperatures(search.temperatures, model.plan);
    check_temperatures(search.label_temperatures, model.label_plan);
}

void bind_search(nb::module_& room) {
    nb::class_<BeamOptions>(room, "BeamOptions", "How a beam compares hypotheses and which it keeps.")
        .def(
            "__init__",
            [](BeamOptions* self, std::size_t width, double slack, bool raw_scores, Temperatures temperatures,
               Temperatures label_temperatures, std::size_t longest) {
                if (width < 1 || !(slack >= 0)) throw std::invalid_argument("a beam keeps at least one hypothesis");
                new (self) BeamOptions{.width = width,
                                       .slack = slack,
                                       .raw_scores = raw_scores,
                                       .temperatures = vector_of(temperatures),
                                       .label_temperatures = vector_of(label_temperatures),
                                       .longest = longest};
            },
            "width"_a, "slack"_a, "raw_scores"_a, "temperatures"_a, "label_temperatures"_a, "longest"_a)
        .def_static("greedy", [] { return BeamOptions{}; });
}

void bind_parsing(nb::class_<Parser>& parser) {
    parser.def(
        "parse",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits,
           const BeamOptions& search, Temperatures temperatures, Temperatures label_temperatures) {
            check_temperatures(span_of(temperatures), self.model.plan);
            check_temperatures(span_of(label_temperatures), self.model.label_plan);
            check_search(self.model, search);
            if (temperatures.shape(0) > 0 && label_temperatures.shape(0) == 0)
                throw std::invalid_argument("confidence needs temperatures for labels too");
            transition::Parsed found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return parse(self.model, weights, columns, search, span_of(temperatures), span_of(label_temperatures));
            });
            return std::make_tuple(as_array(std::move(found.heads)), as_array(std::move(found.relations)),
                                   as_array(std::move(found.head_confidences)),
                                   as_array(std::move(found.label_confidences)), counted(found.work));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "search"_a, "temperatures"_a, "label_temperatures"_a,
        "Heads, labels, confidences in both if there are temperatures, and the work: decisions and templates of moves, "
        "of labels, cache lines.");
    parser.def(
        "parse_lookahead",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits, std::size_t depth,
           double temperature, std::size_t longest) {
            if (depth < 1 || depth > 16 || !std::isfinite(temperature) || temperature <= 0)
                throw std::invalid_argument("a look-ahead has a depth from 1 to 16 and a temperature above 0");
            transition::Parsed found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return parse_lookahead(self.model, weights, columns, {depth, temperature, longest});
            });
            return std::make_tuple(as_array(std::move(found.heads)), as_array(std::move(found.relations)),
                                   counted(found.work));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "depth"_a, "temperature"_a, "longest"_a,
        "Heads and labels, looking ahead, and the work as parse() tells it, labels not counted.");
    parser.def(
        "best_trees",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits,
           const BeamOptions& search, std::size_t trees) {
            check_search(self.model, search);
            if (trees < 1) throw std::invalid_argument("at least one tree is needed");
            transition::KBest found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return best_trees(self.model, weights, columns, search, trees);
            });
            return std::make_tuple(as_array(std::move(found.counts)), as_array(std::move(found.scores)),
                                   as_array(std::move(found.heads)), as_array(std::move(found.relations)),
                                   counted(found.work));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "search"_a, "trees"_a,
        "By a beam: the number of trees of each sentence, the score of each, heads and labels tree after tree, and "
        "the work as parse() tells it.");
}

void bind_decisions(nb::class_<Parser>& parser) {
    parser.def(
        "prefixes",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits,
           const Depths& depths, const Depths& label_depths, Sentences sentences) {
            check_depths(depths, self.model.plan);
            check_depths(label_depths, self.model.label_plan);
            check_sentences(span_of(sentences), columns);
            transition::ArcPrefixes found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return prefixes(self.model, weights, columns, depths, label_depths, span_of(sentences));
            });
            return std::tuple_cat(as_tuple(std::move(found.moves), depths.size()),
                                  as_tuple(std::move(found.labels), label_depths.size()));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "depths"_a, "label_depths"_a, "sentences"_a,
        "Leads and actions after each depth of decisions with a choice: of moves, then of labels.");
    parser.def(
        "final_scores",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits,
           Sentences sentences) {
            check_sentences(span_of(sentences), columns);
            transition::ArcFinalScores found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return final_scores(self.model, weights, columns, span_of(sentences));
            });
            return std::make_tuple(with_words(std::move(found.moves), std::move(found.move_words)),
                                   with_words(std::move(found.labels), std::move(found.label_words)),
                                   as_array(std::move(found.heads)), as_array(std::move(found.relations)));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "sentences"_a,
        "The decisions that made arcs where they were taken: depths, begins, gaps and words, of moves and of labels; "
        "then the heads and labels.");
    parser.def(
        "traces",
        [](const Parser& self, const Columns& columns, const Exits& exits, const Exits& label_exits,
           Sentences sentences, const BeamOptions& search) {
            check_sentences(span_of(sentences), columns);
            check_search(self.model, search);
            transition::ArcTraces found = self.decided(columns, exits, label_exits, [&](const auto& weights) {
                return traces(self.model, weights, columns, search, span_of(sentences));
            });
            return std::make_tuple(std::move(found.words), std::move(found.heads), std::move(found.moves),
                                   std::move(found.labels));
        },
        "columns"_a, "exits"_a, "label_exits"_a, "sentences"_a, "search"_a,
        "Dependents and heads (-1: the root) of the arcs that moves made, how each move came about, and each label if "
        "that was decided after it.");
}

}  // namespace

void transition_parser(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("transition"));
    bind_model(room);
    bind_hashed(room);
    bind_arc_keys(room);
    bind_search(room);
    nb::class_<Parser> parser(room, "Parser", "A model with its weights; hidden rows are one table for both.");
    parser.def(nb::init<const Model&, Parser::AnyTable, Parser::AnyTable>(), "model"_a, "moves"_a, "labels"_a,
               nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
    parser.def_prop_rw("compiled", &Parser::compiled, &Parser::compile,
                       "Are plans compiled, or interpreted? The outcome is the same. Not while another thread parses.");
    bind_parsing(parser);
    bind_decisions(parser);
}

}  // namespace laconic::bindings
