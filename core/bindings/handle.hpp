#pragma once
// The one class by which Python holds a room's model. A handle is built once from its parts, checks once whether they
// fit together, and keeps them alive. The functions below bind what rooms that decide about the words of a document
// have in common, under one name and with one order of arguments, and call what the room offers for its Model: decide,
// prefixes, final_scores, traces; a room binds those that it has. The segmenter, which works on text, binds methods of
// its own, and the parser, which has two tables, has a class of its own.

#include <variant>

#include "bindings/common.hpp"
#include "bindings/scorer.hpp"
#include "learn/decision_atoms.hpp"
#include "learn/examples.hpp"
#include "learn/outcomes.hpp"

namespace laconic::bindings {

using Depths = std::vector<std::uint32_t>;
using Sentences = Input<std::uint32_t, 1>;
using Labels = Input<learn::Label, 1>;
using Temperatures = Input<double, 1>;

inline auto as_tuple(learn::Labelled&& found) {
    return std::make_tuple(as_array(std::move(found.labels)), as_array(std::move(found.depths)), found.rows,
                           as_array(std::move(found.confidences)));
}

// A row per decision, a column per depth.
inline auto as_tuple(learn::Prefixes&& found, std::size_t depths) {
    const std::size_t rows = depths == 0 ? 0 : found.leads.size() / depths;
    return std::make_tuple(as_array(std::move(found.leads), {rows, depths}),
                           as_array(std::move(found.labels), {rows, depths}));
}

inline auto as_tuple(learn::FinalScores&& found) {
    return as_arrays(std::move(found.labels), std::move(found.depths), std::move(found.begins), std::move(found.gaps));
}

// A model and the table that decides, of any of the scorers that serve the room; a null table: there are no weights
// yet, and all a handle can do is collect examples to learn them from.
template <class Model, learn::Scorer... Scorers>
class Handle {
public:
    using AnyTable = std::variant<const Scorers*...>;

    Handle(Model parts, std::size_t label_count, AnyTable weights)
        : model(std::move(parts)), labels(label_count), table_(weights) {
        std::visit(
            [&](const auto* table) {
                if (table != nullptr && (table->templates() != model.plan.size() || table->labels() != labels))
                    throw std::invalid_argument("plan, table and labels do not fit together");
            },
            table_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    // run(table), with the type that the table has.
    template <class Run>
    auto with_table(Run&& run) const {
        return std::visit(
            [&](const auto* table) {
                if (table == nullptr) throw std::invalid_argument("there are no weights to decide with");
                return run(*table);
            },
            table_);
    }
    // The same for decisions about a document: without the interpreter's lock, nobody writing to it meanwhile.
    template <class Run>
    auto decided(const Columns& columns, const learn::Exits& exits, Run&& run) const {
        return with_table([&](const auto& table) {
            check_exits(table, exits.list);
            return unlocked(columns, [&] { return run(table); });
        });
    }

    // Examples get the numbers of `sets`, those of the candidates, so they must have these sets under these numbers.
    void check_examples(const learn::Examples& examples, const learn::LabelSets& sets) const {
        if (examples.finished() || examples.templates() != model.plan.size() || !examples.sets.begin_with(sets))
            throw std::invalid_argument("the examples do not fit templates and labels, or are finished");
    }
    // The same for decisions by their atoms.
    void check_atoms(const learn::DecisionAtoms& decisions, const learn::LabelSets& sets) const {
        if (decisions.slots() != model.plan.slots().size() || !decisions.sets.begin_with(sets))
            throw std::invalid_argument("the decisions do not fit slots and labels");
    }
    void check_labels(std::span<const learn::Label> given, const Columns& columns) const {
        if (given.size() != columns.words()) throw std::invalid_argument("the labels do not fit the document");
        check_numbers(given, labels, "no such label");
    }

    const Model model;
    const std::size_t labels;

private:
    AnyTable table_;
};

// decide(handle, table, columns, exits, temperatures) labels every word.
template <class Bound, class Decide>
void bind_decide(nb::class_<Bound>& handle, Decide decide) {
    handle.def(
        "decide",
        [decide](const Bound& self, const Columns& columns, const learn::Exits& exits, Temperatures temperatures) {
            check_temperatures(span_of(temperatures), self.model.plan);
            return as_tuple(self.decided(columns, exits, [&](const auto& table) {
                return decide(self, table, columns, exits.list, span_of(temperatures));
            }));
        },
        "columns"_a, "exits"_a, "temperatures"_a,
        "Label and templates computed for each word, the cache lines of weights read in all, and confidences if there "
        "are temperatures.");
}

template <class Bound>
void bind_prefixes(nb::class_<Bound>& handle) {
    handle.def(
        "prefixes",
        [](const Bound& self, const Columns& columns, const learn::Exits& exits, const Depths& depths,
           Sentences sentences) {
            check_depths(depths, self.model.plan);
            check_sentences(span_of(sentences), columns);
            auto found = self.decided(columns, exits, [&](const auto& table) {
                return prefixes(self.model, table, columns, depths, exits.list, span_of(sentences));
            });
            return as_tuple(std::move(found), depths.size());
        },
        "columns"_a, "exits"_a, "depths"_a, "sentences"_a,
        "Lead and label of each word after each of the depths, along the trajectory that the exits give.");
}

template <class Bound>
void bind_final_scores(nb::class_<Bound>& handle) {
    handle.def(
        "final_scores",
        [](const Bound& self, const Columns& columns, const learn::Exits& exits, Sentences sentences) {
            check_sentences(span_of(sentences), columns);
            return as_tuple(self.decided(columns, exits, [&](const auto& table) {
                return final_scores(self.model, table, columns, exits.list, span_of(sentences));
            }));
        },
        "columns"_a, "exits"_a, "sentences"_a,
        "How each decision ended: label, depth, and the scores of its candidates less the best one, run after run.");
}

template <class Bound>
void bind_traces(nb::class_<Bound>& handle) {
    handle.def(
        "traces",
        [](const Bound& self, const Columns& columns, const learn::Exits& exits, Sentences sentences) {
            check_sentences(span_of(sentences), columns);
            return self.decided(columns, exits, [&](const auto& table) {
                return traces(self.model, table, columns, exits.list, span_of(sentences));
            });
        },
        "columns"_a, "exits"_a, "sentences"_a, "How each word of the sentences is decided, step by step.");
}

}  // namespace laconic::bindings
