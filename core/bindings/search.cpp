#include "bindings/common.hpp"
#include "search/lasso.hpp"
#include "search/residuals.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::search;
using Matrix = Input<double, 2>;

void check(const Matrix& matrix, std::size_t rows, const Examples& examples) {
    if (matrix.shape(0) != rows || matrix.shape(1) != examples.sets.labels())
        throw std::invalid_argument("the array does not fit the examples");
}

// Runs without the GIL and hands over the vector with the shape of examples and labels.
template <class Make>
auto by_label(const Examples& examples, Make&& make) {
    const corpus::Reading reading(examples.access);
    return as_array(unlocked(make), {examples.size(), examples.sets.labels()});
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
            "pulls", [](const GroupLasso& self) { return as_array(unlocked([&] { return self.pulls(); })); },
            "Length of the gradient for each template, divided by its cost.")
        .def(
            "sweep",
            [](GroupLasso& self, const std::vector<std::uint32_t>& templates, double strength) {
                check_numbers(std::span(templates), self.templates(), "no such template");
                return self.sweep(templates, strength);
            },
            "templates"_a, "strength"_a, Unlocked(), "One step for each of the templates; the largest relative move.")
        .def("norms", [](const GroupLasso& self) { return as_array(self.norms()); })
        .def("loss", &GroupLasso::loss, Unlocked())
        .def("weights", [](const GroupLasso& self) { return copy_of(self.weights()); })
        .def(
            "set_weights",
            [](GroupLasso& self, Input<double, 1> weights) {
                if (weights.shape(0) != self.weights().size())
                    throw std::invalid_argument("the weights do not fit the examples");
                self.set_weights(vector_of(weights));
            },
            "weights"_a, Unlocked());
}

}  // namespace

void search(nb::module_& core) {
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
            const auto named = choice<learn::Loss>(
                loss, "loss to search with", {{"hinge", learn::Loss::hinge}, {"logistic", learn::Loss::logistic}});
            return by_label(examples, [&] { return residuals(examples, span_of(by_scores), named, margin); });
        },
        "examples"_a, "scores"_a, "loss"_a, "margin"_a, "Negative gradient of the loss by the scores.");
    room.def(
        "fit_templates",
        [](const Examples& examples, Matrix residual, double ridge) {
            check(residual, examples.size(), examples);
            if (!(ridge >= 0)) throw std::invalid_argument("the ridge must not be negative");
            const corpus::Reading reading(examples.access);
            Fit fit = unlocked([&] { return fit_templates(examples, span_of(residual), ridge); });
            return as_arrays(std::move(fit.explained), std::move(fit.freedom));
        },
        "examples"_a, "residuals"_a, "ridge"_a,
        "What each template alone explains of the residuals, and its degrees of freedom.");
    bind_lasso(room);
}

}  // namespace laconic::bindings
