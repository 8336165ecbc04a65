#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "search/lasso.hpp"
#include "search/residuals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::search {

namespace {

using bindings::as_array;
using bindings::Input;
using Matrix = Input<double, 2>;

void check(const Matrix& matrix, std::size_t rows, const Examples& examples) {
    if (matrix.shape(0) != rows || matrix.shape(1) != examples.sets.labels())
        throw std::invalid_argument("the array does not fit the examples");
}

learn::Loss loss_named(const std::string& name) {
    if (name == "hinge") return learn::Loss::hinge;
    if (name == "logistic") return learn::Loss::logistic;
    throw std::invalid_argument("no loss '" + name + "' to search with: choose hinge or logistic");
}

// Runs without the GIL and hands over the vector with the shape of examples and labels.
template <class Make>
auto by_label(const Examples& examples, Make&& make) {
    std::vector<double> values;
    {
        const nb::gil_scoped_release released;
        values = make();
    }
    return as_array(std::move(values), {examples.size(), examples.sets.labels()});
}

void bind_lasso(nb::module_& room) {
    nb::class_<GroupLasso>(room, "GroupLasso", "Logistic model whose templates enter as the penalty falls.")
        .def(
            "__init__",
            [](GroupLasso* self, const Examples& examples, std::vector<double> costs) {
                if (costs.size() != examples.templates() || !std::ranges::all_of(costs, [](double c) { return c > 0; }))
                    throw std::invalid_argument("one positive cost per template");
                new (self) GroupLasso(examples, std::move(costs));
            },
            "examples"_a, "costs"_a, nb::keep_alive<1, 2>())
        .def(
            "pulls",
            [](const GroupLasso& self) {
                std::vector<double> lengths;
                {
                    const nb::gil_scoped_release released;
                    lengths = self.pulls();
                }
                return as_array(std::move(lengths));
            },
            "Length of the gradient for each template, divided by its cost.")
        .def(
            "sweep",
            [](GroupLasso& self, const std::vector<std::uint32_t>& templates, double strength) {
                for (const std::uint32_t j : templates)
                    if (j >= self.templates()) throw std::invalid_argument("no such template");
                const nb::gil_scoped_release released;
                return self.sweep(templates, strength);
            },
            "templates"_a, "strength"_a, "One step for each of the templates; the largest relative move.")
        .def("norms", [](const GroupLasso& self) { return as_array(self.norms()); })
        .def("loss", &GroupLasso::loss, nb::call_guard<nb::gil_scoped_release>())
        .def("weights", [](const GroupLasso& self) { return as_array(std::vector<double>(self.weights())); })
        .def(
            "set_weights",
            [](GroupLasso& self, Input<double, 1> weights) {
                if (weights.shape(0) != self.weights().size())
                    throw std::invalid_argument("the weights do not fit the examples");
                const nb::gil_scoped_release released;
                self.set_weights({weights.data(), weights.data() + weights.shape(0)});
            },
            "weights"_a);
}

}  // namespace

}  // namespace laconic::search

void laconic::bindings::search(nb::module_& core) {
    using namespace laconic::search;
    nb::module_ room = core.def_submodule("search", "Core of laconic.search: what templates explain.");
    room.def(
        "scores",
        [](const Examples& examples, Matrix weights) {
            check(weights, examples.index.size(), examples);
            return by_label(examples, [&] { return scores(examples, span_of(weights)); });
        },
        "examples"_a, "weights"_a, "Scores of each example after all of its templates.");
    room.def(
        "right",
        [](const Examples& examples, Matrix by_scores) {
            check(by_scores, examples.size(), examples);
            return as_array(right(examples, span_of(by_scores)));
        },
        "examples"_a, "scores"_a, "1 where the best candidate is a gold label.");
    room.def(
        "residuals",
        [](const Examples& examples, Matrix by_scores, const std::string& loss, double margin) {
            check(by_scores, examples.size(), examples);
            const learn::Loss named = loss_named(loss);
            return by_label(examples, [&] { return residuals(examples, span_of(by_scores), named, margin); });
        },
        "examples"_a, "scores"_a, "loss"_a, "margin"_a, "Negative gradient of the loss by the scores.");
    room.def(
        "fit_templates",
        [](const Examples& examples, Matrix residual, double ridge) {
            check(residual, examples.size(), examples);
            if (!(ridge >= 0)) throw std::invalid_argument("the ridge must not be negative");
            Fit fit;
            {
                const nb::gil_scoped_release released;
                fit = fit_templates(examples, span_of(residual), ridge);
            }
            return std::make_tuple(as_array(std::move(fit.explained)), as_array(std::move(fit.freedom)));
        },
        "examples"_a, "residuals"_a, "ridge"_a,
        "What each template alone explains of the residuals, and its degrees of freedom.");
    bind_lasso(room);
}
