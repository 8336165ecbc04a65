#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/decisions.hpp"
#include "bindings/rooms.hpp"
#include "learn/trace.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::bindings {

namespace {

template <class T>
learn::Trace trace_row(const T& table, const features::Plan& plan, const Input<features::Atom, 1>& atoms,
                       const learn::LabelSets& sets, std::uint32_t candidates, const learn::Exits& exits) {
    if (plan.size() != table.templates() || atoms.shape(0) < learn::ArrayContext::columns(plan) ||
        sets.labels() != table.labels() || candidates >= sets.size() ||
        (!exits.list.empty() && exits.list.back().depth > table.templates()))
        throw std::invalid_argument("plan, table, atoms, candidates and exits do not fit together");
    for (const learn::Exit& exit : exits.list) learn::check_depth(table, exit.depth);
    learn::ArrayContext context(plan, {atoms.data(), atoms.shape(0)});
    auto scratch = learn::scratch_for(table);
    return learn::trace(table, plan, context, sets[candidates], exits.list, scratch);
}

}  // namespace

void learn_trace(nb::module_& core) {
    using learn::Trace;
    nb::module_ room = nb::cast<nb::module_>(core.attr("learn"));
    nb::class_<Trace>(room, "Trace", "One decision, step by step; see core/learn/trace.hpp.")
        .def_prop_ro("label", [](const Trace& self) { return self.decision.label; })
        .def_prop_ro("depth", [](const Trace& self) { return self.decision.depth; })
        .def_prop_ro("margin", [](const Trace& self) { return self.decision.margin; })
        .def_ro("candidates", &Trace::candidates)
        .def_prop_ro(
            "looks",
            [](const Trace& self) {
                std::vector<std::tuple<std::uint32_t, std::uint32_t>> looks;
                for (const learn::Look& look : self.looks) looks.emplace_back(look.features, look.found);
                return looks;
            },
            "Features looked up and found of each template.")
        .def(
            "scores",
            [](const Trace& self) {
                const std::size_t width = self.candidates.size();
                return as_array(std::vector<std::int32_t>(self.scores), {self.scores.size() / width, width});
            },
            "Integer scores of the candidates before the first template and after each.")
        .def_prop_ro(
            "checks",
            [](const Trace& self) {
                std::vector<std::tuple<std::uint32_t, learn::Label, std::int32_t, std::int32_t>> checks;
                for (const learn::Check& check : self.checks)
                    checks.emplace_back(check.depth, check.best, check.margin, check.needed);
                return checks;
            },
            "At each exit: depth, best label, its lead and the lead needed.");
    room.attr("NEVER") = learn::never;
    const char* what = "How the decision about one row of atoms is taken, step by step.";
    room.def("trace", &trace_row<learn::Table>, "table"_a, "plan"_a, "atoms"_a, "sets"_a, "candidates"_a, "exits"_a,
             what);
    room.def("trace", &trace_row<learn::HiddenTable>, "table"_a, "plan"_a, "atoms"_a, "sets"_a, "candidates"_a,
             "exits"_a, what);
}

}  // namespace laconic::bindings
