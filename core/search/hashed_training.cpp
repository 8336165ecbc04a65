#include "search/hashed_training.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/memory.hpp"
#include "base/random.hpp"
#include "learn/index.hpp"

namespace laconic::search {

namespace {

constexpr std::uint32_t nowhere = 0xffffffffU;
constexpr std::size_t block = 64;     // decisions that stay together when the order is drawn: columns are read in runs
constexpr float negligible = 0.001F;  // gradients below this change nothing that matters

// The rows of the features of each decision, decision after decision, template after template; 0: no row. Rows are
// numbered by their first appearance.
class Rows {
public:
    Rows(const Plan& plan, const AtomColumns& columns, std::span<const std::uint32_t> chosen, std::size_t places,
         std::uint32_t cutoff)
        : templates_(plan.size()), rows_(chosen.size() * plan.size(), nowhere), of_place_(places) {
        ColumnContext context(columns);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            context.look_at(chosen[i]);
            for (std::size_t j = 0; j < templates_; ++j)
                visit_keys(plan, j, context, [&](std::uint64_t key) {
                    const auto place = static_cast<std::uint32_t>(key & (places - 1));
                    rows_[i * templates_ + j] = place;
                    ++of_place_[place];  // counts, to begin with
                });
        }
        for (std::uint32_t& count : of_place_) count = count < cutoff ? 0 : nowhere;
        for (std::uint32_t& row : rows_) {
            if (row == nowhere) {
                row = 0;
                continue;
            }
            std::uint32_t& known = of_place_[row];
            if (known == nowhere) known = ++size_;
            row = known;
        }
    }

    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t index) const noexcept {
        return {rows_.data() + index * templates_, templates_};
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::vector<std::uint32_t>& of_place() noexcept { return of_place_; }

private:
    std::size_t templates_;
    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> of_place_;
};

// Weight, sum of squared gradients and steps times their time, for each label of a row; on whole cache lines.
class TrainedRows {
public:
    TrainedRows(std::size_t rows, std::size_t labels)
        : labels_(labels), stride_((3 * labels + 15) / 16 * 16), bytes_((rows + 1) * stride_ * sizeof(float)) {}

    [[nodiscard]] float* operator[](std::uint32_t row) noexcept {
        return reinterpret_cast<float*>(bytes_.data()) + row * stride_;
    }
    [[nodiscard]] std::vector<float> averaged(std::size_t rows, double steps) {
        std::vector<float> result((rows + 1) * labels_);
        for (std::size_t number = 1; number <= rows; ++number) {
            const float* row = (*this)[static_cast<std::uint32_t>(number)];
            for (std::size_t y = 0; y < labels_; ++y)
                result[number * labels_ + y] = row[y] - static_cast<float>(row[2 * labels_ + y] / steps);
        }
        return result;
    }

private:
    std::size_t labels_, stride_;
    AlignedBytes bytes_;
};

std::vector<std::uint32_t> drawn_order(std::size_t size, Random& random) {
    std::vector<std::uint32_t> blocks((size + block - 1) / block);
    std::iota(blocks.begin(), blocks.end(), 0U);
    shuffle(std::span(blocks), random);
    std::vector<std::uint32_t> order;
    order.reserve(size);
    for (const std::uint32_t one : blocks)
        for (std::size_t i = one * block; i < std::min(size, (one + 1) * block); ++i)
            order.push_back(static_cast<std::uint32_t>(i));
    return order;
}

}  // namespace

learn::HashedTable train_hashed(const DecisionAtoms& decisions, const Plan& plan, const AtomColumns& columns,
                                std::span<const std::uint32_t> chosen, std::span<const float> offsets,
                                const HashedSettings& settings) {
    const std::size_t labels = decisions.sets.labels();
    Rows numbers(plan, columns, chosen, settings.places, settings.cutoff);
    TrainedRows rows(numbers.size(), labels);
    std::vector<float> scores(labels);
    Softmax softmax(labels);
    Random random(settings.seed);
    std::vector<float*> found;
    std::vector<std::pair<Label, float>> active;  // labels to change, and their residuals
    double time = 0;
    for (std::size_t epoch = 0; epoch < settings.epochs; ++epoch) {
        const std::vector<std::uint32_t> order = drawn_order(chosen.size(), random);
        for (std::size_t at = 0; at < order.size(); ++at) {
            if (at + 1 < order.size())
                for (const std::uint32_t row : numbers[order[at + 1]]) prefetch(rows[row]);
            const std::size_t decision = chosen[order[at]];
            if (offsets.empty())
                std::ranges::fill(scores, 0.0F);
            else
                std::copy_n(offsets.data() + decision * labels, labels, scores.begin());
            found.clear();
            for (const std::uint32_t row : numbers[order[at]])
                if (row != 0) found.push_back(rows[row]);
            for (const float* row : found)
                for (std::size_t y = 0; y < labels; ++y) scores[y] += row[y];
            const std::span<const Label> candidates = decisions.candidates(decision);
            softmax(scores, decisions.gold(decision), candidates);
            active.clear();
            for (const Label y : candidates)
                if (std::abs(softmax.residual(y)) >= negligible) active.emplace_back(y, softmax.residual(y));
            // Row by row: all rows of a decision are more than the nearest cache holds.
            for (float* row : found)
                for (const auto& [y, residual] : active) {
                    float& squares = row[labels + y];
                    squares += residual * residual;
                    const float change = settings.rate * residual / (1.0F + std::sqrt(squares));
                    row[y] += change;
                    row[2 * labels + y] += static_cast<float>(time) * change;
                }
            time += 1;
        }
    }
    std::vector<float> weights = rows.averaged(numbers.size(), std::max(1.0, time));
    return {plan.size(), labels, std::move(numbers.of_place()), std::move(weights)};
}

std::vector<float> score_hashed(const learn::HashedTable& table, const DecisionAtoms& decisions, const Plan& plan,
                                const AtomColumns& columns, std::span<const std::uint32_t> chosen,
                                std::span<const float> offsets) {
    const std::size_t labels = decisions.sets.labels();
    std::vector<float> result(chosen.size() * labels);
    ColumnContext context(columns);
    learn::HashedScratch scratch = learn::scratch_for(table);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        context.look_at(chosen[i]);
        learn::clear(table, scratch);
        learn::accumulate(table, plan, 0, plan.size(), context, scratch);
        for (std::size_t y = 0; y < labels; ++y)
            result[i * labels + y] = scratch.sums[y] + (offsets.empty() ? 0.0F : offsets[chosen[i] * labels + y]);
    }
    return result;
}

Judged judge(const DecisionAtoms& decisions, std::span<const std::uint32_t> chosen, std::span<const float> scores) {
    const std::size_t labels = decisions.sets.labels();
    Softmax softmax(labels);
    Judged judged{std::vector<double>(chosen.size()), std::vector<std::uint8_t>(chosen.size())};
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::span<const float> own = scores.subspan(i * labels, labels);
        const std::span<const Label> gold = decisions.gold(chosen[i]);
        const std::span<const Label> candidates = decisions.candidates(chosen[i]);
        judged.losses[i] = softmax(own, gold, candidates);
        const Label best = *std::ranges::max_element(candidates, {}, [&](Label y) { return own[y]; });
        judged.right[i] = std::ranges::find(gold, best) != gold.end() ? 1 : 0;
    }
    return judged;
}

std::vector<double> ablate(const learn::HashedTable& table, const DecisionAtoms& decisions, const Plan& plan,
                           const AtomColumns& columns, std::span<const std::uint32_t> chosen) {
    const std::size_t labels = decisions.sets.labels();
    std::vector<double> rises(plan.size());
    std::vector<float> scores(labels), without(labels);
    std::vector<const float*> rows(plan.size());
    ColumnContext context(columns);
    Softmax softmax(labels);
    for (const std::uint32_t decision : chosen) {
        context.look_at(decision);
        std::ranges::fill(scores, 0.0F);
        for (std::size_t j = 0; j < plan.size(); ++j) {
            rows[j] = nullptr;
            visit_keys(plan, j, context, [&](std::uint64_t key) { rows[j] = table.row_of(key); });
            if (rows[j] == nullptr) continue;
            for (std::size_t y = 0; y < labels; ++y) scores[y] += rows[j][y];
        }
        const std::span<const Label> gold = decisions.gold(decision), candidates = decisions.candidates(decision);
        const double loss = softmax(scores, gold, candidates);
        for (std::size_t j = 0; j < plan.size(); ++j) {
            if (rows[j] == nullptr) continue;
            for (std::size_t y = 0; y < labels; ++y) without[y] = scores[y] - rows[j][y];
            rises[j] += softmax(without, gold, candidates) - loss;
        }
    }
    return rises;
}

std::vector<std::uint32_t> count_features(const Plan& plan, const AtomColumns& columns,
                                          std::span<const std::uint32_t> chosen, std::uint32_t cutoff) {
    std::vector<std::uint32_t> result(plan.size());
    ColumnContext context(columns);
    for (std::size_t j = 0; j < plan.size(); ++j) {
        learn::FeatureIndex index;
        for (const std::uint32_t decision : chosen) {
            context.look_at(decision);
            visit_keys(plan, j, context, [&](std::uint64_t key) { index.count(key, 0); });
        }
        index.cut(cutoff);
        result[j] = static_cast<std::uint32_t>(index.size());
    }
    return result;
}

}  // namespace laconic::search
