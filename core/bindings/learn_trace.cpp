#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "learn/trace.hpp"

namespace nb = nanobind;

namespace laconic::bindings {

void learn_trace(nb::module_& core) {
    using learn::Trace;
    nb::module_ room = nb::cast<nb::module_>(core.attr("learn"));
    nb::class_<Trace>(room, "Trace", "One decision, step by step; see core/learn/trace.hpp.")
        .def_prop_ro("label", [](const Trace& self) { return self.decision.label; })
        .def_prop_ro("depth", [](const Trace& self) { return self.decision.depth; })
        .def_ro("candidates", &Trace::candidates)
        .def_prop_ro(
            "looks",
            [](const Trace& self) {
                std::vector<std::tuple<std::uint32_t, std::uint32_t>> looks;
                for (const learn::Look& look : self.looks) looks.emplace_back(look.asked, look.found);
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
}

}  // namespace laconic::bindings
