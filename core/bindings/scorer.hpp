#pragma once
// What tables of every scorer have in common, for Python.

#include "bindings/common.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "learn/factors.hpp"
#include "learn/hidden.hpp"
#include "learn/probe.hpp"
#include "learn/trace.hpp"

namespace laconic::bindings {

// No lead can reach these.
inline double highest_lead(const learn::Table&) noexcept {
    return 65536.0;
}
inline double highest_lead(const learn::HiddenTable&) noexcept {
    return 2147483647.0;
}
inline double highest_lead(const learn::FactorTable&) noexcept {
    return 2147483647.0;
}
// Throws where the table has no scores at this depth.
inline void check_depth(const learn::Table&, std::uint32_t) noexcept {}
inline void check_depth(const learn::FactorTable&, std::uint32_t) noexcept {}
inline void check_depth(const learn::HiddenTable& table, std::uint32_t depth) {
    (void)table.exit_at(depth);
}

template <learn::Scorer T>
void check_exits(const T& table, std::span<const learn::Exit> exits) {
    for (const learn::Exit& exit : exits) check_depth(table, exit.depth);
    if (table.templates() > 0 && (exits.empty() || exits.back().depth > table.templates()))
        throw std::invalid_argument("table and exits do not fit together");
}

template <learn::Scorer T>
learn::Exits exits_from(const T& table, const std::vector<std::uint32_t>& depths, const std::vector<double>& margins) {
    if (depths.size() != margins.size()) throw std::invalid_argument("exits need one margin per depth");
    const auto last = depths.empty() ? static_cast<std::uint32_t>(table.templates()) : depths.back();
    learn::Exits exits;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (depths[i] == 0 || depths[i] > table.templates() || (i > 0 && depths[i] <= depths[i - 1]))
            throw std::invalid_argument("exits must be ascending depths between 1 and the number of templates");
        check_depth(table, depths[i]);
        // Margins were integer leads once, divided by a scale: what rounding added must not cost a step.
        const double scaled = std::ceil(margins[i] * table.scale() - 0.01);
        // A margin no sum can reach is no exit: its block joins the next one.
        if (!(scaled < highest_lead(table)) || depths[i] == last) continue;
        exits.list.push_back({depths[i], static_cast<std::int32_t>(std::max(0.0, scaled))});
    }
    if (last > 0) exits.list.push_back({last, learn::never});
    return exits;
}

inline void check_finished(const learn::Examples& examples) {
    if (!examples.finished()) throw std::invalid_argument("call finish() on the examples first");
}

// Rows of atoms that the templates of a plan read.
using Atoms = Input<features::Atom, 2>;

inline void check_rows(std::size_t templates, const features::Plan& plan, const Atoms& atoms) {
    if (plan.size() != templates || atoms.shape(1) < learn::ArrayContext::columns(plan))
        throw std::invalid_argument("plan, table and rows of atoms do not fit together");
}

// Calls visit(row, context) for each row of atoms.
template <class Visit>
void each_row(const features::Plan& plan, const Atoms& atoms, Visit&& visit) {
    for (std::size_t i = 0; i < atoms.shape(0); ++i) {
        learn::ArrayContext context(plan, {atoms.data() + i * atoms.shape(1), atoms.shape(1)});
        visit(i, context);
    }
}

template <learn::Scorer T>
void check_decisions(const T& table, const features::Plan& plan, const Atoms& atoms, const learn::LabelSets& sets,
                     const Input<std::uint32_t, 1>& candidates, const learn::Exits& exits) {
    check_rows(table.templates(), plan, atoms);
    if (candidates.shape(0) != atoms.shape(0) || sets.labels() != table.labels() ||
        (!exits.list.empty() && exits.list.back().depth > table.templates()))
        throw std::invalid_argument("table, atoms, candidates and exits do not fit together");
    check_numbers(span_of(candidates), sets.size(), "no such set of candidates");
    for (const learn::Exit& exit : exits.list) check_depth(table, exit.depth);
}

template <learn::Scorer T>
void bind_scorer(nb::class_<T>& bound) {
    using features::Plan;
    using learn::Exits;
    using learn::LabelSets;
    bound.def_prop_ro("labels", &T::labels)
        .def_prop_ro("templates", &T::templates)
        .def_prop_ro("scale", &T::scale)
        .def("__len__", &T::size)
        .def("exits", &exits_from<T>, "depths"_a, "margins"_a,
             "Exits in integer scores; margins are given in real scores. The last depth is the end: there a decision "
             "is taken anyway.")
        .def(
            "prefix_scores",
            [](const T& self, const Plan& plan, Atoms atoms, const std::vector<std::uint32_t>& depths) {
                check_rows(self.templates(), plan, atoms);
                for (std::size_t i = 0; i < depths.size(); ++i)
                    if (depths[i] > self.templates() || (i > 0 && depths[i] < depths[i - 1]))
                        throw std::invalid_argument("depths must ascend and not exceed the number of templates");
                const LabelSets sets(self.labels());
                std::vector<std::int32_t> scores;
                scores.reserve(atoms.shape(0) * depths.size() * self.labels());
                auto scratch = scratch_for(self);
                unlocked([&] {
                    each_row(plan, atoms, [&](std::size_t, learn::ArrayContext& context) {
                        learn::each_depth(self, plan, context, depths, scratch, [&](std::uint32_t depth) {
                            (void)lead(self, scratch, sets[0], depth);
                            for (const learn::Label y : sets[0]) scores.push_back(score_of(self, scratch, y));
                        });
                    });
                });
                return as_array(std::move(scores), {atoms.shape(0), depths.size(), self.labels()});
            },
            "plan"_a, "atoms"_a, "depths"_a, "Integer scores of each row of atoms after each of the depths.")
        .def(
            "decide",
            [](const T& self, const Plan& plan, Atoms atoms, Input<std::uint32_t, 1> candidates, const LabelSets& sets,
               const Exits& exits) {
                check_decisions(self, plan, atoms, sets, candidates, exits);
                const std::size_t n = atoms.shape(0);
                std::vector<learn::Label> labels(n);
                std::vector<std::uint32_t> depths(n);
                std::vector<std::int32_t> margins(n);
                auto scratch = scratch_for(self);
                unlocked([&] {
                    each_row(plan, atoms, [&](std::size_t i, learn::ArrayContext& context) {
                        const learn::Decision decision =
                            learn::decide(self, plan, context, sets[candidates(i)], exits.list, scratch);
                        labels[i] = decision.label;
                        depths[i] = decision.depth;
                        margins[i] = decision.margin;
                    });
                });
                return as_arrays(std::move(labels), std::move(depths), std::move(margins));
            },
            "plan"_a, "atoms"_a, "candidates"_a, "sets"_a, "exits"_a,
            "Labels, templates computed and leads of each row of atoms.")
        .def(
            "traces",
            [](const T& self, const Plan& plan, Atoms atoms, Input<std::uint32_t, 1> candidates, const LabelSets& sets,
               const Exits& exits) {
                check_decisions(self, plan, atoms, sets, candidates, exits);
                std::vector<learn::Trace> traces;
                auto scratch = scratch_for(self);
                unlocked([&] {
                    each_row(plan, atoms, [&](std::size_t i, learn::ArrayContext& context) {
                        traces.push_back(learn::trace(self, plan, context, sets[candidates(i)], exits.list, scratch));
                    });
                });
                return traces;
            },
            "plan"_a, "atoms"_a, "candidates"_a, "sets"_a, "exits"_a,
            "How the decision about each row of atoms is taken, step by step.");
}

}  // namespace laconic::bindings
