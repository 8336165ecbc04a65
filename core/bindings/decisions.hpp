#pragma once
// What tables of linear and of hidden rows have in common, for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "learn/decide.hpp"
#include "learn/hidden.hpp"
#include "learn/probe.hpp"

namespace laconic::learn {

// No lead can reach these.
inline double highest_lead(const Table&) noexcept {
    return 65536.0;
}
inline double highest_lead(const HiddenTable&) noexcept {
    return 2147483647.0;
}
inline void check_depth(const Table&, std::uint32_t) noexcept {}
inline void check_depth(const HiddenTable& table, std::uint32_t depth) {
    (void)table.exit_at(depth);
}

template <Scorer T>
Exits exits_from(const T& table, const std::vector<std::uint32_t>& depths, const std::vector<double>& margins) {
    if (depths.size() != margins.size()) throw std::invalid_argument("exits need one margin per depth");
    const auto last = depths.empty() ? static_cast<std::uint32_t>(table.templates()) : depths.back();
    Exits exits;
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
    if (last > 0) exits.list.push_back({last, never});
    return exits;
}

template <Scorer T>
void bind_decisions(nanobind::class_<T>& bound) {
    namespace nb = nanobind;
    using namespace nb::literals;
    using bindings::as_array;
    using bindings::Input;
    bound.def_prop_ro("labels", &T::labels)
        .def_prop_ro("templates", &T::templates)
        .def_prop_ro("scale", &T::scale)
        .def("__len__", &T::size)
        .def("exits", &exits_from<T>, "depths"_a, "margins"_a,
             "Exits in integer scores; margins are given in real scores. The last depth is the end: there a decision "
             "is taken anyway.")
        .def(
            "prefix_scores",
            [](const T& self, const features::Plan& plan, Input<Atom, 2> atoms,
               const std::vector<std::uint32_t>& depths) {
                if (plan.size() != self.templates() || atoms.shape(1) < ArrayContext::columns(plan))
                    throw std::invalid_argument("the plan does not fit the table or the atoms");
                const std::size_t labels = self.labels();
                for (std::size_t i = 0; i < depths.size(); ++i)
                    if (depths[i] > self.templates() || (i > 0 && depths[i] < depths[i - 1]))
                        throw std::invalid_argument("depths must ascend and end at the number of templates");
                const LabelSets sets(labels);
                std::vector<std::int32_t> scores;
                scores.reserve(atoms.shape(0) * depths.size() * labels);
                auto scratch = scratch_for(self);
                const nb::gil_scoped_release release;
                for (std::size_t i = 0; i < atoms.shape(0); ++i) {
                    ArrayContext context(plan, {atoms.data() + i * atoms.shape(1), atoms.shape(1)});
                    each_depth(self, plan, context, depths, scratch, [&](std::uint32_t depth) {
                        (void)lead(self, scratch, sets[0], depth);
                        for (const Label y : sets[0]) scores.push_back(score_of(self, scratch, y));
                    });
                }
                const nb::gil_scoped_acquire held;
                return as_array(std::move(scores), {atoms.shape(0), depths.size(), labels});
            },
            "plan"_a, "atoms"_a, "depths"_a, "Integer scores of each row of atoms after each of the depths.")
        .def(
            "decide",
            [](const T& self, const features::Plan& plan, Input<Atom, 2> atoms, Input<std::uint32_t, 1> candidates,
               const LabelSets& sets, const Exits& exits) {
                if (plan.size() != self.templates() || atoms.shape(1) < ArrayContext::columns(plan) ||
                    candidates.shape(0) != atoms.shape(0) || sets.labels() != self.labels() ||
                    (!exits.list.empty() && exits.list.back().depth > self.templates()))
                    throw std::invalid_argument("plan, table, atoms, candidates and exits do not fit together");
                for (const Exit& exit : exits.list) check_depth(self, exit.depth);
                const std::size_t n = atoms.shape(0);
                std::vector<Label> labels(n);
                std::vector<std::uint32_t> depths(n);
                std::vector<std::int32_t> margins(n);
                auto scratch = scratch_for(self);
                const nb::gil_scoped_release release;
                for (std::size_t i = 0; i < n; ++i) {
                    if (candidates(i) >= sets.size()) throw std::invalid_argument("no such set of candidates");
                    ArrayContext context(plan, {atoms.data() + i * atoms.shape(1), atoms.shape(1)});
                    const Decision decision = decide(self, plan, context, sets[candidates(i)], exits.list, scratch);
                    labels[i] = decision.label;
                    depths[i] = decision.depth;
                    margins[i] = decision.margin;
                }
                const nb::gil_scoped_acquire held;
                return std::make_tuple(as_array(std::move(labels)), as_array(std::move(depths)),
                                       as_array(std::move(margins)));
            },
            "plan"_a, "atoms"_a, "candidates"_a, "sets"_a, "exits"_a,
            "Labels, templates computed and leads of each row of atoms.");
}

}  // namespace laconic::learn
