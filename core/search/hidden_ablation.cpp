#include "search/hidden_ablation.hpp"

#include <algorithm>

namespace laconic::search {

namespace {

constexpr float share_step = 0.9F;
constexpr std::size_t shares = 24;  // down to a twelfth

// Scores of labels after all templates, by the sums of the units.
class LastLayer {
public:
    explicit LastLayer(const learn::HiddenTable& table)
        : units_(table.lanes()), labels_(table.labels()), active_(units_), scores_(labels_) {
        const learn::HiddenTable::Frame& frame = table.frame();
        const std::size_t exit = frame.exits.size() - 1;
        const double square = 1.0 / static_cast<double>(1ULL << frame.shift);
        for (std::size_t i = 0; i < labels_ * units_; ++i)
            weights_.push_back(static_cast<float>(frame.outputs[exit * labels_ * units_ + i] * square / frame.scale));
        for (std::size_t y = 0; y < labels_; ++y)
            offsets_.push_back(static_cast<float>(frame.offsets[exit * labels_ + y] / frame.scale));
    }

    std::span<const float> operator()(std::span<const float> sums, std::span<const Label> candidates) {
        for (std::size_t u = 0; u < units_; ++u) {
            const float positive = std::max(sums[u], 0.0F);
            active_[u] = positive * positive;
        }
        for (const Label y : candidates) {
            const float* row = weights_.data() + y * units_;
            float score = 0;
            for (std::size_t u = 0; u < units_; ++u) score += row[u] * active_[u];
            scores_[y] = offsets_[y] + score;
        }
        return scores_;
    }
    void rescale(float share) {
        for (float& weight : weights_) weight *= share;
        for (float& offset : offsets_) offset *= share;
    }

private:
    std::size_t units_, labels_;
    std::vector<float> weights_, offsets_, active_, scores_;
};

}  // namespace

std::vector<double> ablate(const learn::HiddenTable& table, const DecisionAtoms& decisions, const Plan& plan,
                           const AtomColumns& columns, std::span<const std::uint32_t> chosen) {
    const std::size_t units = table.lanes();
    std::vector<std::size_t> first;  // template of each group
    for (std::size_t j = 0; j < plan.size(); j += table.merged(j)) first.push_back(j);
    first.push_back(plan.size());
    const std::size_t groups = first.size() - 1;

    ColumnContext context(columns);
    // Adds the rows of a group in a decision: that of the whole group, or those of its templates one by one.
    const auto add_group = [&](std::size_t group, std::uint32_t decision, std::span<float> sums) {
        context.look_at(decision);
        for (std::size_t j = first[group]; j < first[group + 1]; ++j) {
            bool whole = false;
            visit_keys(plan, j, context, [&](std::uint64_t key) {
                const std::int8_t* row = table.find(j, key);
                if (row == nullptr) return;
                whole = table.merged(j) > 1;
                for (std::size_t u = 0; u < units; ++u) sums[u] += row[u];
            });
            if (whole) break;
        }
    };

    std::vector<float> means(groups * units);
    const auto part = [units](std::vector<float>& all, std::size_t group) {
        return std::span(all).subspan(group * units, units);
    };
    for (std::size_t group = 0; group < groups; ++group) {
        std::vector<double> totals(units);
        std::vector<float> own(units);
        for (const std::uint32_t decision : chosen) {
            std::ranges::fill(own, 0.0F);
            add_group(group, decision, own);
            for (std::size_t u = 0; u < units; ++u) totals[u] += own[u];
        }
        for (std::size_t u = 0; u < units; ++u)
            means[group * units + u] = static_cast<float>(totals[u] / static_cast<double>(chosen.size()));
    }

    LastLayer layer(table);
    Softmax softmax(table.labels());
    std::vector<float> added(groups * units), sums(units), without(units);
    // The sums of a decision with all templates; `added` has what each group adds.
    const auto read = [&](std::uint32_t decision) {
        std::ranges::fill(added, 0.0F);
        std::ranges::copy(table.frame().start, sums.begin());
        for (std::size_t group = 0; group < groups; ++group) {
            add_group(group, decision, part(added, group));
            for (std::size_t u = 0; u < units; ++u) sums[u] += added[group * units + u];
        }
    };

    // A network is too sure of decisions that it did not see. Without a template its scores are smaller, and unless
    // they have the right size to begin with, that alone would look like a gain.
    std::vector<double> losses(shares);
    std::vector<float> scaled(table.labels());
    for (const std::uint32_t decision : chosen) {
        read(decision);
        const std::span<const Label> gold = decisions.gold(decision), candidates = decisions.candidates(decision);
        std::ranges::copy(layer(sums, candidates), scaled.begin());
        for (double& loss : losses) {
            loss += softmax(scaled, gold, candidates);
            for (const Label y : candidates) scaled[y] *= share_step;
        }
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
    for (std::size_t i = 0; i < best; ++i) layer.rescale(share_step);

    std::vector<double> by_group(groups);
    for (const std::uint32_t decision : chosen) {
        read(decision);
        const std::span<const Label> gold = decisions.gold(decision), candidates = decisions.candidates(decision);
        const double loss = softmax(layer(sums, candidates), gold, candidates);
        for (std::size_t group = 0; group < groups; ++group) {
            for (std::size_t u = 0; u < units; ++u)
                without[u] = sums[u] - added[group * units + u] + means[group * units + u];
            by_group[group] += softmax(layer(without, candidates), gold, candidates) - loss;
        }
    }
    std::vector<double> rises(plan.size());
    for (std::size_t group = 0; group < groups; ++group)
        std::fill(rises.begin() + static_cast<std::ptrdiff_t>(first[group]),
                  rises.begin() + static_cast<std::ptrdiff_t>(first[group + 1]), by_group[group]);
    return rises;
}

}  // namespace laconic::search
