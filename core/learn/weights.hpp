#pragma once
// Training weights: two numbers a weight, whose meaning the update decides. Dense rows for few labels, sparse ones for
// many.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/index.hpp"
#include "learn/labels.hpp"
#include "learn/settings.hpp"

namespace laconic::learn {

// adagrad: `sum` of gradients and sum of their `squares`. perceptron: the weight itself and its steps times their time,
// for averaging.
template <class Real>
struct Rule {
    Update update;
    Real rate, l2, stability;

    // The weight at `time`. Dual averaging with l2: -rate * sum / (stability + sqrt(squares) + rate * l2 * time).
    [[nodiscard]] Real value(Real first, Real second, Real time) const noexcept {
        if (update == Update::perceptron) return first;
        return -rate * first / (stability + std::sqrt(second) + rate * l2 * time);
    }
    // `time` counts from 1. After T steps the perceptron's average weight is first - second / T.
    void step(Real& first, Real& second, Real gradient, Real time) const noexcept {
        if (update == Update::perceptron) {
            first -= rate * gradient;
            second -= rate * gradient * (time - 1);
        } else {
            first += gradient;
            second += gradient * gradient;
        }
    }
};

// One run of `labels` pairs per feature.
template <class Real>
class DenseWeights {
public:
    DenseWeights(std::size_t features, std::size_t labels) : labels_(labels), cells_(features * labels * 2) {}

    void add_to(Feature feature, const Rule<Real>& rule, Real time, std::span<Real> scores) const noexcept {
        const Real* first = row(feature);
        const Real* second = first + labels_;
        if (rule.update == Update::perceptron) {
            for (std::size_t y = 0; y < labels_; ++y) scores[y] += first[y];
        } else {
            const Real shrink = rule.stability + rule.rate * rule.l2 * time;
            for (std::size_t y = 0; y < labels_; ++y)
                scores[y] += -rule.rate * first[y] / (shrink + std::sqrt(second[y]));
        }
    }
    void step(Feature feature, Label label, const Rule<Real>& rule, Real gradient, Real time) noexcept {
        Real* first = cells_.data() + feature * labels_ * 2;
        rule.step(first[label], first[labels_ + label], gradient, time);
    }
    // Adds the current weights of a feature to their running total.
    void snapshot(Feature feature, const Rule<Real>& rule, Real time) {
        if (totals_.empty()) totals_.resize(cells_.size() / 2);
        const Real* first = row(feature);
        double* total = totals_.data() + feature * labels_;
        for (std::size_t y = 0; y < labels_; ++y)
            total[y] += static_cast<double>(rule.value(first[y], first[labels_ + y], time));
    }
    // Calls visit(label, first, second, total) for each weight of a feature that may differ from zero.
    template <class Visit>
    void visit(Feature feature, Visit&& visit) const {
        const Real* first = row(feature);
        const Real* second = first + labels_;
        for (std::size_t y = 0; y < labels_; ++y)
            if (first[y] != Real{0} || second[y] != Real{0})
                visit(static_cast<Label>(y), first[y], second[y],
                      totals_.empty() ? 0.0 : totals_[feature * labels_ + y]);
    }
    void prefetch(Feature feature) const noexcept {
#if defined(__GNUC__)
        const char* from = reinterpret_cast<const char*>(row(feature));
        for (std::size_t byte = 0; byte < labels_ * 2 * sizeof(Real); byte += 64) __builtin_prefetch(from + byte);
#endif
    }

private:
    [[nodiscard]] const Real* row(Feature feature) const noexcept { return cells_.data() + feature * labels_ * 2; }

    std::size_t labels_;
    std::vector<Real> cells_;
    std::vector<double> totals_;
};

// Only the weights that ever got a gradient.
template <class Real>
class SparseWeights {
public:
    SparseWeights(std::size_t features, std::size_t) : rows_(features) {}

    void add_to(Feature feature, const Rule<Real>& rule, Real time, std::span<Real> scores) const noexcept {
        for (const Cell& cell : rows_[feature]) scores[cell.label] += rule.value(cell.first, cell.second, time);
    }
    void step(Feature feature, Label label, const Rule<Real>& rule, Real gradient, Real time) {
        std::vector<Cell>& row = rows_[feature];
        for (Cell& cell : row)
            if (cell.label == label) return rule.step(cell.first, cell.second, gradient, time);
        row.push_back({label, Real{0}, Real{0}, 0.0});
        rule.step(row.back().first, row.back().second, gradient, time);
    }
    void snapshot(Feature feature, const Rule<Real>& rule, Real time) {
        for (Cell& cell : rows_[feature]) cell.total += static_cast<double>(rule.value(cell.first, cell.second, time));
    }
    template <class Visit>
    void visit(Feature feature, Visit&& visit) const {
        for (const Cell& cell : rows_[feature]) visit(cell.label, cell.first, cell.second, cell.total);
    }
    void prefetch(Feature) const noexcept {}

private:
    struct Cell {
        Label label;
        Real first, second;
        double total;
    };
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace laconic::learn
