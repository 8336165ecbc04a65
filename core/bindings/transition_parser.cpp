#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bindings/arrays.hpp"
#include "bindings/decisions.hpp"
#include "bindings/parser_model.hpp"
#include "bindings/rooms.hpp"
#include "bindings/settings.hpp"
#include "transition/systems.hpp"
#include "transition/trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::transition {

namespace {

using bindings::as_array;
using corpus::Columns;

BoundModel make_model(const features::Plan& plan, const features::Plan& label_plan, const features::Lexicon& lexicon,
                      std::vector<std::string> names, const std::string& pos, const std::string& system,
                      const std::string& labels, const std::vector<std::vector<Relation>>& relations,
                      Relation root_relation, Relation spare, const Input<Atom, 1>& atoms,
                      const SystemOptions& options) {
    const std::size_t size = atoms.shape(0);
    const auto good = [&](const std::vector<Relation>& some) {
        return !some.empty() && some.back() < size &&
               std::ranges::adjacent_find(some, std::greater_equal<>()) == some.end();
    };
    if (relations.size() != arc_kinds || !std::ranges::all_of(relations, good) || root_relation >= size ||
        spare >= size || size >= no_relation)
        throw std::invalid_argument("the labels of arcs do not fit together");
    BoundModel model{plan,
                     label_plan,
                     lexicon,
                     std::move(names),
                     bindings::choice<corpus::Field>(pos, "column for POS",
                                                     {{"upos", corpus::Field::upos}, {"xpos", corpus::Field::xpos}}),
                     ActionSet(make_system(system, options),
                               bindings::choice<Labels>(
                                   labels, "way to label",
                                   {{"joint", Labels::joint}, {"after", Labels::after}, {"none", Labels::none}}),
                               {relations[0], relations[1], relations[2]}, root_relation, spare),
                     vector_of(atoms)};
    if (model.actions.size() > learn::max_labels) throw std::invalid_argument("too many labels for one classifier");
    (void)BatchInputs(model.view(), Columns{});  // throws where templates and lexicon do not fit
    return model;
}

template <class T>
bool table_fits(const T& table, const features::Plan& plan, std::size_t labels, std::span<const learn::Exit> exits) {
    for (const learn::Exit& exit : exits) learn::check_depth(table, exit.depth);
    return table.templates() == plan.size() && table.labels() == labels &&
           (plan.size() == 0 || (!exits.empty() && exits.back().depth <= plan.size()));
}

bool fits(const BoundModel& model, const Weights<learn::Table>& weights) {
    const bool second = model.actions.labels() == Labels::after;
    return table_fits(weights.moves, model.plan, model.actions.size(), weights.exits) &&
           (!second || table_fits(weights.labels, model.label_plan, model.relations.size(), weights.label_exits));
}

bool fits(const BoundModel& model, const Weights<learn::HiddenTable>& weights) {
    const std::size_t labels = JointLabels(model.actions, model.relations.size()).size();
    return &weights.moves == &weights.labels && model.actions.labels() != Labels::joint &&
           table_fits(weights.moves, model.plan, labels, weights.exits) &&
           table_fits(weights.moves, model.plan, labels, weights.label_exits);
}

template <class T>
void check_tables(const BoundModel& model, const Weights<T>& weights) {
    if (!fits(model, weights)) throw std::invalid_argument("templates, tables, labels and exits do not fit together");
}

void check_temperatures(std::span<const double> temperatures, const features::Plan& plan) {
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!temperatures.empty() &&
        (temperatures.size() != plan.size() + 1 || !std::ranges::all_of(temperatures, positive)))
        throw std::invalid_argument("one temperature above 0 per template, and one confidence before them");
}

void check_depths(std::span<const std::uint32_t> depths, const features::Plan& plan) {
    for (std::size_t i = 0; i < depths.size(); ++i)
        if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
            throw std::invalid_argument("depths must ascend and end at the number of templates");
}

auto as_tuple(learn::FinalScores&& final_scores, std::vector<std::uint32_t>&& words) {
    return std::make_tuple(as_array(std::move(final_scores.depths)), as_array(std::move(final_scores.begins)),
                           as_array(std::move(final_scores.gaps)), as_array(std::move(words)));
}

std::vector<std::uint64_t> counted(const ParseWork& work) {
    return {work.decisions, work.templates, work.label_decisions, work.label_templates, work.rows};
}

template <learn::Scorer T>
void bind_parsing(nb::module_& room) {
    room.def(
        "parse",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, Input<double, 1> temperatures,
           Input<double, 1> label_temperatures) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            check_temperatures(span_of(temperatures), model.plan);
            check_temperatures(span_of(label_temperatures), model.label_plan);
            if (temperatures.shape(0) > 0 && label_temperatures.shape(0) == 0)
                throw std::invalid_argument("confidence needs temperatures for labels too");
            Parsed result = reading<Parsed>(columns, [&] {
                return parse(model.view(), weights, columns, span_of(temperatures), span_of(label_temperatures));
            });
            return std::make_tuple(as_array(std::move(result.heads)), as_array(std::move(result.relations)),
                                   as_array(std::move(result.head_confidences)),
                                   as_array(std::move(result.label_confidences)), counted(result.work));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "temperatures"_a,
        "label_temperatures"_a,
        "Heads, labels, confidences in both if there are temperatures, and the work: decisions and templates of moves, "
        "of labels, cache lines.");
    room.def(
        "fits",
        [](const BoundModel& model, const T& moves, const T& labels) {
            const std::vector<learn::Exit> end{{static_cast<std::uint32_t>(moves.templates()), learn::never}};
            const std::vector<learn::Exit> label_end{{static_cast<std::uint32_t>(labels.templates()), learn::never}};
            return fits(model, Weights<T>{moves, labels, end, label_end});
        },
        "model"_a, "moves"_a, "labels"_a, "Were the tables made for this model?");
    room.def(
        "parse_lookahead",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, std::size_t depth, double temperature,
           std::size_t longest) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            if (depth < 1 || depth > 16 || !std::isfinite(temperature) || temperature <= 0)
                throw std::invalid_argument("a look-ahead has a depth from 1 to 16 and a temperature above 0");
            Parsed result = reading<Parsed>(columns, [&] {
                return parse_lookahead(model.view(), weights, columns, {depth, temperature, longest});
            });
            return std::make_tuple(as_array(std::move(result.heads)), as_array(std::move(result.relations)),
                                   counted(result.work));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "depth"_a, "temperature"_a,
        "longest"_a, "Heads and labels, looking ahead, and the work as parse() tells it, labels not counted.");
    room.def(
        "parse_beam",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, Input<double, 1> temperatures,
           Input<double, 1> label_temperatures, std::size_t width, double slack, bool raw_scores, std::size_t longest,
           std::size_t trees) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            check_temperatures(span_of(temperatures), model.plan);
            check_temperatures(span_of(label_temperatures), model.label_plan);
            if (width < 1 || trees < 1 || !(slack >= 0))
                throw std::invalid_argument("a beam keeps at least one hypothesis");
            const BeamOptions options{width,  slack, raw_scores, span_of(temperatures), span_of(label_temperatures),
                                      longest};
            KBest result =
                reading<KBest>(columns, [&] { return parse_beam(model.view(), weights, columns, options, trees); });
            return std::make_tuple(as_array(std::move(result.counts)), as_array(std::move(result.scores)),
                                   as_array(std::move(result.heads)), as_array(std::move(result.relations)),
                                   counted(result.work));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "temperatures"_a,
        "label_temperatures"_a, "width"_a, "slack"_a, "raw_scores"_a, "longest"_a, "trees"_a,
        "By a beam: the number of trees of each sentence, the score of each, heads and labels tree after tree, and "
        "the work as parse() tells it.");
    room.def(
        "prefixes",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, const std::vector<std::uint32_t>& depths,
           const std::vector<std::uint32_t>& label_depths, Input<std::uint32_t, 1> sentences) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            check_depths(depths, model.plan);
            check_depths(label_depths, model.label_plan);
            check_sentences(span_of(sentences), columns.sentence_count());
            ArcPrefixes result = reading<ArcPrefixes>(columns, [&] {
                return prefixes(model.view(), weights, columns, depths, label_depths, span_of(sentences));
            });
            const std::size_t rows = depths.empty() ? 0 : result.moves.leads.size() / depths.size();
            const std::size_t label_rows = label_depths.empty() ? 0 : result.labels.leads.size() / label_depths.size();
            return std::make_tuple(as_array(std::move(result.moves.leads), {rows, depths.size()}),
                                   as_array(std::move(result.moves.labels), {rows, depths.size()}),
                                   as_array(std::move(result.labels.leads), {label_rows, label_depths.size()}),
                                   as_array(std::move(result.labels.labels), {label_rows, label_depths.size()}));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "depths"_a, "label_depths"_a,
        "sentences"_a, "Leads and actions after each depth of decisions with a choice: of moves, then of labels.");
    room.def(
        "final_scores",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, Input<std::uint32_t, 1> sentences) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            check_sentences(span_of(sentences), columns.sentence_count());
            ArcFinalScores result = reading<ArcFinalScores>(
                columns, [&] { return final_scores(model.view(), weights, columns, span_of(sentences)); });
            return std::make_tuple(as_tuple(std::move(result.moves), std::move(result.move_words)),
                                   as_tuple(std::move(result.labels), std::move(result.label_words)),
                                   as_array(std::move(result.heads)), as_array(std::move(result.relations)));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "sentences"_a,
        "The decisions that made arcs where they were taken: depths, begins, gaps and words, of moves and of labels; "
        "then the "
        "heads and labels.");
    room.def(
        "traces",
        [](const BoundModel& model, const T& moves, const T& labels, const learn::Exits& exits,
           const learn::Exits& label_exits, const Columns& columns, Input<std::uint32_t, 1> sentences) {
            const Weights<T> weights{moves, labels, exits.list, label_exits.list};
            check_tables(model, weights);
            check_sentences(span_of(sentences), columns.sentence_count());
            ArcTraces result =
                reading<ArcTraces>(columns, [&] { return traces(model.view(), weights, columns, span_of(sentences)); });
            return std::make_tuple(std::move(result.words), std::move(result.heads), std::move(result.moves),
                                   std::move(result.labels));
        },
        "model"_a, "moves"_a, "labels"_a, "exits"_a, "label_exits"_a, "columns"_a, "sentences"_a,
        "Dependents and heads (-1: the root) of the arcs that moves made, how each move came about, and each label if "
        "that was decided after it.");
}

// A trainer and what it refers to.
struct BoundTrainer {
    BoundTrainer(const BoundModel& model, const Columns& columns, std::vector<std::int32_t> heads,
                 std::vector<Relation> relations, learn::Settings settings, learn::Settings label_settings)
        : heads(std::move(heads)),
          relations(std::move(relations)),
          columns(columns),
          trainer(model.view(), columns, this->heads, this->relations, std::move(settings), std::move(label_settings)) {
    }

    std::vector<std::int32_t> heads;
    std::vector<Relation> relations;
    const Columns& columns;
    Trainer trainer;
};

void check_begun(BoundTrainer& self) {
    if (!self.trainer.moves().begun()) throw std::invalid_argument("call begin() on the trainer first");
}

learn::Settings settings_of(const nb::handle& given) {
    const auto text = [&](const char* name) { return nb::cast<std::string>(given.attr(name)); };
    const auto real = [&](const char* name) { return nb::cast<double>(given.attr(name)); };
    return bindings::settings_from(text("mode"), text("loss"), text("update"), real("margin"), real("rate"), real("l2"),
                                   real("stability"), nb::cast<bool>(given.attr("average")),
                                   nb::cast<std::vector<std::uint32_t>>(given.attr("exits")));
}

void bind_trainer(nb::module_& room) {
    nb::class_<BoundTrainer>(room, "Trainer", "Learns moves and labels from the trees of a document, online.")
        .def(
            "__init__",
            [](BoundTrainer* self, const BoundModel& model, const Columns& columns, Input<std::int32_t, 1> heads,
               Input<Relation, 1> relations, nb::handle settings, nb::handle label_settings) {
                check_gold(model, columns, span_of(heads), span_of(relations));
                new (self) BoundTrainer(model, columns, vector_of(heads), vector_of(relations), settings_of(settings),
                                        settings_of(label_settings));
            },
            "model"_a, "columns"_a, "heads"_a, "relations"_a, "settings"_a, "label_settings"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), "Settings with mode full, truncated or every-exit and all exits spelled out.")
        .def(
            "begin",
            [](BoundTrainer& self, Input<std::uint32_t, 1> sentences, std::uint32_t cutoff, std::uint32_t label_cutoff,
               bool keep) {
                check_sentences(span_of(sentences), self.trainer.sentences());
                reading<void>(self.columns,
                              [&] { self.trainer.begin(span_of(sentences), cutoff, label_cutoff, keep); });
            },
            "sentences"_a, "cutoff"_a, "label_cutoff"_a, "keep"_a,
            "Count features along the gold paths, then learn anew; keep the counts for explore().")
        .def(
            "explore",
            [](BoundTrainer& self, Input<std::uint32_t, 1> sentences, std::uint32_t cutoff,
               std::uint32_t label_cutoff) {
                check_begun(self);
                check_sentences(span_of(sentences), self.trainer.sentences());
                reading<void>(self.columns, [&] { self.trainer.explore(span_of(sentences), cutoff, label_cutoff); });
            },
            "sentences"_a, "cutoff"_a, "label_cutoff"_a,
            "Count what the parser as it is now sees off the gold paths, then learn anew.")
        .def(
            "start",
            [](BoundTrainer& self, bool labels, std::uint32_t first, std::uint32_t depth) {
                check_begun(self);
                learn::OnlineClassifier& classifier = labels ? self.trainer.labels() : self.trainer.moves();
                if (first > depth || depth > classifier.templates()) throw std::invalid_argument("no such templates");
                classifier.start({first, depth});
            },
            "labels"_a, "first"_a, "depth"_a, "Templates [first, depth) of one classifier learn from here on.")
        .def(
            "epoch",
            [](BoundTrainer& self, Input<std::uint32_t, 1> order, double explore, bool early, std::size_t snapshots,
               std::uint64_t seed) {
                check_begun(self);
                check_sentences(span_of(order), self.trainer.sentences());
                const auto exploration = early ? Exploration::early : Exploration::full;
                const auto result = reading<Trainer::Epoch>(self.columns, [&] {
                    return self.trainer.epoch(span_of(order), explore, exploration, snapshots, seed);
                });
                return std::make_tuple(result.loss, result.decisions);
            },
            "order"_a, "explore"_a, "early"_a, "snapshots"_a, "seed"_a, "One pass: its loss and decisions.")
        .def(
            "max_violation_epoch",
            [](BoundTrainer& self, Input<std::uint32_t, 1> order, std::size_t width, std::size_t snapshots) {
                check_begun(self);
                check_sentences(span_of(order), self.trainer.sentences());
                if (width < 1) throw std::invalid_argument("a beam keeps at least one hypothesis");
                const auto result = reading<Trainer::Epoch>(
                    self.columns, [&] { return self.trainer.max_violation_epoch(span_of(order), width, snapshots); });
                return std::make_tuple(result.loss, result.decisions);
            },
            "order"_a, "width"_a, "snapshots"_a,
            "One pass of max-violation training by a beam: its loss and decisions.")
        .def(
            "collect",
            [](BoundTrainer& self, Input<std::uint32_t, 1> sentences, learn::Examples& moves, learn::Examples& labels) {
                check_sentences(span_of(sentences), self.trainer.sentences());
                const auto fits = [](const learn::Examples& examples, const learn::OnlineClassifier& classifier) {
                    return !examples.finished() && examples.templates() == classifier.templates() &&
                           examples.sets.labels() == classifier.labels();
                };
                if (!fits(moves, self.trainer.moves()) || !fits(labels, self.trainer.labels()))
                    throw std::invalid_argument("the examples do not fit templates and actions, or are finished");
                reading<void>(self.columns, [&] { self.trainer.collect(span_of(sentences), moves, labels); });
            },
            "sentences"_a, "moves"_a, "labels"_a, "The decisions of the gold paths as examples.")
        .def(
            "freeze",
            [](BoundTrainer& self, bool labels, int floor) {
                check_begun(self);
                const nb::gil_scoped_release released;
                return (labels ? self.trainer.labels() : self.trainer.moves()).freeze(floor);
            },
            "labels"_a, "floor"_a)
        .def_prop_ro("features", [](BoundTrainer& self) {
            return std::make_tuple(self.trainer.moves().features(), self.trainer.labels().features());
        });
}

}  // namespace

}  // namespace laconic::transition

void laconic::bindings::transition_parser(nb::module_& core) {
    using namespace laconic::transition;
    nb::module_ room = nb::cast<nb::module_>(core.attr("transition"));
    nb::class_<BoundModel>(room, "Model", "What a parser knows beside its weights.")
        .def(
            "__init__",
            [](BoundModel* self, const features::Plan& plan, const features::Plan& label_plan,
               const features::Lexicon& lexicon, std::vector<std::string> names, const std::string& pos,
               const std::string& system, const std::string& labels,
               const std::vector<std::vector<Relation>>& relations, Relation root_relation, Relation spare,
               Input<Atom, 1> atoms, bool single_root, const std::string& focus, const std::string& waits) {
                new (self)
                    BoundModel(make_model(plan, label_plan, lexicon, std::move(names), pos, system, labels, relations,
                                          root_relation, spare, atoms, system_options(single_root, focus, waits)));
            },
            nb::kw_only(), "plan"_a, "label_plan"_a, "lexicon"_a, "names"_a, "pos"_a, "system"_a, "labels"_a,
            "relations"_a, "root_relation"_a, "spare"_a, "atoms"_a, "single_root"_a, "focus"_a, "waits"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def_prop_ro("actions", [](const BoundModel& self) { return self.actions.size(); })
        .def(
            "meaning",
            [](const BoundModel& self, Label label) {
                if (label >= self.actions.size()) throw nb::index_error();
                const ActionSet::Meaning meaning = self.actions[label];
                return std::make_tuple(meaning.move, meaning.relation);
            },
            "label"_a, "The move and the label that an action stands for; 65535 is no label.");
    bind_parsing<laconic::learn::Table>(room);
    bind_parsing<laconic::learn::HiddenTable>(room);
    bind_trainer(room);
}
