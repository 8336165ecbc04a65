#include "search/residuals.hpp"

#include <algorithm>
#include <cmath>

namespace laconic::search {

namespace {

bool contains(std::span<const Label> set, Label y) noexcept {
    return std::ranges::find(set, y) != set.end();
}

Label best_of(std::span<const Label> set, const double* scores) noexcept {
    return *std::ranges::max_element(set, {}, [scores](Label y) { return scores[y]; });
}

void hinge(std::span<const Label> gold, std::span<const Label> candidates, const double* scores, double margin,
           double* out) noexcept {
    const Label truth = best_of(gold, scores);
    bool rival = false;
    Label worst = 0;
    for (const Label y : candidates)
        if (!contains(gold, y) && (!rival || scores[y] > scores[worst])) worst = y, rival = true;
    if (!rival || scores[worst] - scores[truth] + margin <= 0) return;
    out[truth] += 1;
    out[worst] -= 1;
}

void logistic(std::span<const Label> gold, std::span<const Label> candidates, const double* scores,
              double* out) noexcept {
    double highest = scores[best_of(gold, scores)];
    for (const Label y : candidates) highest = std::max(highest, scores[y]);
    double all = 0, mass = 0;
    for (const Label y : candidates) all += out[y] = std::exp(scores[y] - highest);
    for (const Label y : gold) mass += std::exp(scores[y] - highest);
    for (const Label y : candidates) {
        const double share = out[y];
        out[y] = (contains(gold, y) ? share / mass : 0.0) - share / all;
    }
}

}  // namespace

std::vector<double> scores(const Examples& examples, std::span<const double> weights) {
    const std::size_t labels = examples.sets.labels();
    std::vector<double> result(examples.size() * labels);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        double* out = result.data() + i * labels;
        for (const Feature feature : examples.run(i).features) {
            const double* row = weights.data() + feature * labels;
            for (std::size_t y = 0; y < labels; ++y) out[y] += row[y];
        }
    }
    return result;
}

std::vector<std::uint8_t> right(const Examples& examples, std::span<const double> scores) {
    const std::size_t labels = examples.sets.labels();
    std::vector<std::uint8_t> result(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i)
        result[i] = contains(examples.gold(i), best_of(examples.candidates(i), scores.data() + i * labels)) ? 1 : 0;
    return result;
}

std::vector<double> residuals(const Examples& examples, std::span<const double> scores, learn::Loss loss,
                              double margin) {
    const std::size_t labels = examples.sets.labels();
    std::vector<double> result(examples.size() * labels);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const double* row = scores.data() + i * labels;
        double* out = result.data() + i * labels;
        if (loss == learn::Loss::hinge)
            hinge(examples.gold(i), examples.candidates(i), row, margin, out);
        else
            logistic(examples.gold(i), examples.candidates(i), row, out);
    }
    return result;
}

Fit fit_templates(const Examples& examples, std::span<const double> residuals, double ridge) {
    const std::size_t labels = examples.sets.labels();
    const std::size_t features = examples.index.size();
    std::vector<double> sums(features * labels), counts(features);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const double* residual = residuals.data() + i * labels;
        for (const Feature feature : examples.run(i).features) {
            double* sum = sums.data() + feature * labels;
            for (std::size_t y = 0; y < labels; ++y) sum[y] += residual[y];
            counts[feature] += 1;
        }
    }
    Fit fit{std::vector<double>(examples.templates()), std::vector<double>(examples.templates())};
    for (Feature feature = 0; feature < features; ++feature) {
        if (counts[feature] == 0) continue;
        const std::size_t j = examples.index.template_of(feature);
        double squares = 0;
        for (std::size_t y = 0; y < labels; ++y) squares += sums[feature * labels + y] * sums[feature * labels + y];
        fit.explained[j] += squares / (counts[feature] + ridge);
        fit.freedom[j] += counts[feature] / (counts[feature] + ridge);
    }
    return fit;
}

}  // namespace laconic::search
