#pragma once
// What a linear model says of examples, and what it leaves unexplained. Arrays of scores have one row per example and
// one element per label; weights one row per feature.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/examples.hpp"
#include "learn/settings.hpp"

namespace laconic::search {

using learn::Examples;
using learn::Feature;
using learn::Label;

// Scores after all templates.
std::vector<double> scores(const Examples& examples, std::span<const double> weights);

// Whether the best candidate is a gold label; the smaller label wins a tie.
std::vector<std::uint8_t> right(const Examples& examples, std::span<const double> scores);

// The negative gradient of the loss (hinge or logistic) by the scores; zero outside the candidates.
std::vector<double> residuals(const Examples& examples, std::span<const double> scores, learn::Loss loss,
                              double margin);

// How well each template alone fits the residuals: ridge-regularised least squares with one weight per feature and
// label.
struct Fit {
    std::vector<double> explained;  // by how much the fit lowers the penalised sum of squares
    std::vector<double> freedom;    // effective number of features: sum of count / (count + ridge)
};
// A template has at most one feature per decision unless its nodes are sets; then its features are fitted one by one,
// as if they never met. Cost: one row of labels per feature of each example.
Fit fit_templates(const Examples& examples, std::span<const double> residuals, double ridge);

}  // namespace laconic::search
