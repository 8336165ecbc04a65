#pragma once
// From training weights to a frozen table: quantised, rows without weight dropped.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "learn/examples.hpp"
#include "learn/table.hpp"

namespace laconic::learn {

// The largest weight becomes 127, so every weight is off by at most half a step of 1 / scale.
// A feature whose weights all round to zero, or to no more than `floor` steps, is left out.
template <class L>
Table freeze(const L& learner, const FeatureIndex& index, std::size_t templates, int floor) {
    std::vector<double> row(learner.labels());
    double largest = 0;
    for (Feature feature = 0; feature < index.size(); ++feature) {
        learner.final_row(feature, index.template_of(feature), row);
        for (const double weight : row) {
            if (!std::isfinite(weight)) throw ConfigError("training overflowed: lower the rate or the margin");
            largest = std::max(largest, std::abs(weight));
        }
    }
    const double scale = largest > 0 ? 127.0 / largest : 1.0;
    std::vector<Weighted> features;
    for (Feature feature = 0; feature < index.size(); ++feature) {
        learner.final_row(feature, index.template_of(feature), row);
        Weighted weighted{index.key(feature), index.template_of(feature), {}};
        for (std::size_t y = 0; y < row.size(); ++y) {
            const auto weight = static_cast<std::int8_t>(std::lround(row[y] * scale));
            if (weight != 0) weighted.weights.emplace_back(static_cast<Label>(y), weight);
        }
        const bool heavy =
            std::ranges::any_of(weighted.weights, [&](const auto& one) { return std::abs(int{one.second}) > floor; });
        if (heavy) features.push_back(std::move(weighted));
    }
    return Table(learner.labels(), templates, scale, features);
}

}  // namespace laconic::learn
