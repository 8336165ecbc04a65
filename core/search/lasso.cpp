#include "search/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace laconic::search {

namespace {

// The length of the minimiser of sum h/2 |w - a/h|^2 + weight |w|, from squares |a|^2 and curvatures h: the root of
// sum |a|^2 / (h length + weight)^2 = 1. Newton's method on the inverse root of that sum, which is concave, climbs to
// it from zero and never passes it.
double shrunk_length(std::span<const double> squares, std::span<const double> curvatures, double weight) {
    double length = 0;
    for (int round = 0; round < 100; ++round) {
        double sum = 0, slope = 0;
        for (std::size_t i = 0; i < squares.size(); ++i) {
            const double below = curvatures[i] * length + weight;
            const double part = squares[i] / (below * below);
            sum += part;
            slope += part * curvatures[i] / below;
        }
        // With g = sum^(-1/2): g' = slope * sum^(-3/2), and the step is (1 - g) / g'.
        const double move = (std::sqrt(sum) - 1) * sum / slope;
        if (!(move > 1e-14 * length)) break;
        length += move;
    }
    return length;
}

}  // namespace

GroupLasso::GroupLasso(const Examples& examples, std::vector<double> costs)
    : examples_(examples),
      labels_(examples.sets.labels()),
      costs_(std::move(costs)),
      curvatures_(examples.index.size()),
      members_(examples.templates()),
      gradient_(examples.index.size() * labels_) {
    std::vector<double> several(examples.templates(), 1.0);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const learn::FeatureRun run = examples.run(i);
        for (std::size_t j = 0; j < examples.templates(); ++j) {
            several[j] = std::max(several[j], static_cast<double>(run[j].size()));
            for (const Feature feature : run[j]) curvatures_[feature] += 1;
        }
    }
    for (Feature feature = 0; feature < curvatures_.size(); ++feature) {
        const std::size_t j = examples.index.template_of(feature);
        // The second derivative of log-sum-exp is at most a half in any direction.
        curvatures_[feature] *= 0.5 * several[j] / static_cast<double>(std::max<std::size_t>(1, examples.size()));
        if (curvatures_[feature] > 0) members_[j].push_back(feature);
    }
    set_weights(std::vector<double>(examples.index.size() * labels_));
}

void GroupLasso::set_weights(std::vector<double> weights) {
    weights_ = std::move(weights);
    scores_.assign(examples_.size() * labels_, 0.0);
    errors_.assign(examples_.size() * labels_, 0.0);
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        double* scores = scores_.data() + i * labels_;
        for (const Feature feature : examples_.run(i).features) {
            const double* row = weights_.data() + feature * labels_;
            for (std::size_t y = 0; y < labels_; ++y) scores[y] += row[y];
        }
        compute_errors(i);
    }
}

void GroupLasso::compute_errors(std::size_t example) {
    const double* scores = scores_.data() + example * labels_;
    double* errors = errors_.data() + example * labels_;
    const std::span<const Label> candidates = examples_.candidates(example);
    const std::span<const Label> gold = examples_.gold(example);
    double highest = scores[candidates.front()];
    for (const Label y : candidates) highest = std::max(highest, scores[y]);
    double all = 0, mass = 0;
    for (const Label y : candidates) all += errors[y] = std::exp(scores[y] - highest);
    for (const Label y : gold) mass += errors[y];
    for (const Label y : candidates) {
        const double share = errors[y];
        const bool is_gold = std::ranges::find(gold, y) != gold.end();
        errors[y] = share / all - (is_gold ? share / mass : 0.0);
    }
}

std::vector<double> GroupLasso::pulls() const {
    std::vector<double> sums(weights_.size());
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        const double* errors = errors_.data() + i * labels_;
        for (const Feature feature : examples_.run(i).features) {
            double* sum = sums.data() + feature * labels_;
            for (std::size_t y = 0; y < labels_; ++y) sum[y] += errors[y];
        }
    }
    std::vector<double> lengths(members_.size());
    for (std::size_t j = 0; j < members_.size(); ++j) {
        double squares = 0;
        for (const Feature feature : members_[j])
            for (std::size_t y = 0; y < labels_; ++y)
                squares += sums[feature * labels_ + y] * sums[feature * labels_ + y];
        lengths[j] = std::sqrt(squares) / static_cast<double>(std::max<std::size_t>(1, examples_.size())) / costs_[j];
    }
    return lengths;
}

double GroupLasso::step(std::uint32_t template_index, double strength) {
    const std::vector<Feature>& members = members_[template_index];
    for (const Feature feature : members)
        std::fill_n(gradient_.begin() + static_cast<std::ptrdiff_t>(feature * labels_), labels_, 0.0);
    each(template_index, [&](std::size_t i, Feature feature) {
        const double* errors = errors_.data() + i * labels_;
        double* sum = gradient_.data() + feature * labels_;
        for (std::size_t y = 0; y < labels_; ++y) sum[y] += errors[y];
    });

    // From here `gradient_` holds h w - g, then the change of the weights.
    std::vector<double> squares(members.size()), curvatures(members.size());
    double total = 0, before = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const Feature feature = members[m];
        curvatures[m] = curvatures_[feature];
        for (std::size_t y = 0; y < labels_; ++y) {
            double& value = gradient_[feature * labels_ + y];
            const double weight = weights_[feature * labels_ + y];
            value = curvatures[m] * weight - value / static_cast<double>(examples_.size());
            squares[m] += value * value;
            before += weight * weight;
        }
        total += squares[m];
    }
    const double penalty = strength * costs_[template_index];
    const bool out = std::sqrt(total) <= penalty;
    if (out && before == 0) return 0;
    const double length = out ? 0 : shrunk_length(squares, curvatures, penalty);
    double moved = 0, after = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const double divisor = curvatures[m] * length + penalty;
        for (std::size_t y = 0; y < labels_; ++y) {
            double& value = gradient_[members[m] * labels_ + y];
            double& weight = weights_[members[m] * labels_ + y];
            const double now = out || divisor == 0 ? 0 : value * length / divisor;
            value = now - weight;
            weight = now;
            moved += value * value;
            after += now * now;
        }
    }
    if (moved == 0) return 0;
    each(template_index, [&](std::size_t i, Feature feature) {
        double* scores = scores_.data() + i * labels_;
        const double* change = gradient_.data() + feature * labels_;
        for (std::size_t y = 0; y < labels_; ++y) scores[y] += change[y];
        compute_errors(i);
    });
    return std::sqrt(moved / std::max(before, after));
}

double GroupLasso::sweep(std::span<const std::uint32_t> templates, double strength) {
    double largest = 0;
    for (const std::uint32_t j : templates) largest = std::max(largest, step(j, strength));
    return largest;
}

std::vector<double> GroupLasso::norms() const {
    std::vector<double> lengths(members_.size());
    for (std::size_t j = 0; j < members_.size(); ++j) {
        for (const Feature feature : members_[j])
            for (std::size_t y = 0; y < labels_; ++y)
                lengths[j] += weights_[feature * labels_ + y] * weights_[feature * labels_ + y];
        lengths[j] = std::sqrt(lengths[j]);
    }
    return lengths;
}

double GroupLasso::loss() const {
    double sum = 0;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        const double* scores = scores_.data() + i * labels_;
        double highest = scores[examples_.candidates(i).front()];
        for (const Label y : examples_.candidates(i)) highest = std::max(highest, scores[y]);
        double all = 0, mass = 0;
        for (const Label y : examples_.candidates(i)) all += std::exp(scores[y] - highest);
        for (const Label y : examples_.gold(i)) mass += std::exp(scores[y] - highest);
        sum += std::log(all / mass);
    }
    return sum / static_cast<double>(std::max<std::size_t>(1, examples_.size()));
}

}  // namespace laconic::search
