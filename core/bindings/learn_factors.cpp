#include "bindings/scorer.hpp"
#include "learn/factors.hpp"

namespace laconic::bindings {

namespace {

using Numbers = Input<std::uint32_t, 1>;
using Floats = Input<float, 1>;

void init(learn::FactorTable* self, std::uint32_t labels, std::uint32_t buckets, std::uint32_t templates, Numbers lanes,
          Floats steps, Floats starts, Floats outputs, Numbers directory, Numbers slots, Input<std::uint8_t, 1> rows) {
    unlocked([&] {
        new (self) learn::FactorTable(
            {labels, buckets, templates, vector_of(lanes), vector_of(steps), vector_of(starts), vector_of(outputs)},
            vector_of(directory), span_of(slots), span_of(rows));
    });
}

}  // namespace

void learn_factors(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("learn"));
    nb::class_<learn::FactorTable> table(room, "FactorTable", "Frozen weights: low-rank factors.");
    table
        .def("__init__", &init, nb::kw_only(), "labels"_a, "buckets"_a, "templates"_a, "lanes"_a, "steps"_a, "starts"_a,
             "outputs"_a, "directory"_a, "slots"_a, "rows"_a)
        .def_prop_ro("buckets", [](const learn::FactorTable& self) { return self.frame().buckets; })
        .def_prop_ro("nbytes", [](const learn::FactorTable& self) { return self.bytes() + self.index().bytes(); })
        .def("lanes", [](const learn::FactorTable& self) { return copy_of(self.frame().lanes); })
        .def("steps", [](const learn::FactorTable& self) { return copy_of(self.frame().steps); })
        .def("starts", [](const learn::FactorTable& self) { return copy_of(self.frame().starts); })
        .def("outputs", [](const learn::FactorTable& self) { return copy_of(self.frame().outputs); })
        .def("directory", [](const learn::FactorTable& self) { return copy_of(self.index().directory()); })
        .def("slots", [](const learn::FactorTable& self) { return as_array(self.index().packed_slots()); })
        .def("rows", [](const learn::FactorTable& self) { return as_array(self.packed_rows()); })
        .def(
            "vector",
            [](const learn::FactorTable& self, const features::Plan& plan, Atoms atoms, std::size_t role) {
                check_rows(self.templates(), plan, atoms);
                if (role >= self.roles()) throw nb::index_error();
                learn::FactorScratch scratch(self);
                scratch.role = role;
                std::vector<float> all;
                each_row(plan, atoms, [&](std::size_t, learn::ArrayContext& context) {
                    clear(self, scratch);
                    accumulate(self, plan, 0, plan.size(), context, scratch);
                    self.finish(role, scratch.sums[role].data(), scratch.vectors[role].data());
                    all.insert(all.end(), scratch.vectors[role].begin(), scratch.vectors[role].end());
                });
                return as_array(std::move(all), {atoms.shape(0), self.lanes(role)});
            },
            "plan"_a, "atoms"_a, "role"_a, "The vector of each row of atoms in a role.");
    bind_scorer(table);
}

}  // namespace laconic::bindings
