#pragma once
// The scorer of hashed rows: a feature's row is found at a place that its key names, and nothing is compared. Features
// that share a place share weights. For trials in a search: no table is built, nothing is rounded, nothing is saved.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "learn/decision.hpp"
#include "learn/key.hpp"
#include "learn/scorer.hpp"

namespace laconic::learn {

// Immutable once trained. `rows` has the row of each place, and there is a power of two of them; row 0 is that of
// places without a feature, and holds zeros. Weights lie row after row, label after label.
class HashedTable {
public:
    HashedTable(std::size_t templates, std::size_t labels, std::vector<std::uint32_t> rows, std::vector<float> weights)
        : templates_(templates), labels_(labels), rows_(std::move(rows)), weights_(std::move(weights)) {}

    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] std::size_t size() const noexcept { return weights_.size() / labels_ - 1; }
    [[nodiscard]] double scale() const noexcept { return 1024.0; }
    [[nodiscard]] const std::uint32_t* place(std::uint64_t key) const noexcept {
        return rows_.data() + (static_cast<std::size_t>(key) & (rows_.size() - 1));
    }
    [[nodiscard]] const float* row(std::uint32_t number) const noexcept { return weights_.data() + number * labels_; }
    [[nodiscard]] const float* row_of(std::uint64_t key) const noexcept { return row(*place(key)); }
    [[nodiscard]] const std::vector<std::uint32_t>& rows() const noexcept { return rows_; }
    [[nodiscard]] const std::vector<float>& weights() const noexcept { return weights_; }

    // The templates of both, in one table: what was learned on top of another table. Both must have as many places and
    // labels.
    [[nodiscard]] HashedTable plus(const HashedTable& other) const {
        HashedTable sum(templates_ + other.templates_, labels_, rows_, weights_);
        for (std::size_t place = 0; place < rows_.size(); ++place) {
            const float* added = other.row(other.rows_[place]);
            if (other.rows_[place] == 0) continue;
            if (rows_[place] == 0) {
                sum.rows_[place] = static_cast<std::uint32_t>(sum.size() + 1);
                sum.weights_.insert(sum.weights_.end(), added, added + labels_);
            } else {
                float* own = sum.weights_.data() + rows_[place] * labels_;
                for (std::size_t y = 0; y < labels_; ++y) own[y] += added[y];
            }
        }
        return sum;
    }

private:
    std::size_t templates_, labels_;
    std::vector<std::uint32_t> rows_;
    std::vector<float> weights_;
};

struct HashedScratch {
    std::vector<float> sums;
    std::vector<std::int32_t> scores;  // of the candidates of the last lead()
    std::uint64_t rows_read = 0;
    std::vector<const std::uint32_t*> places;
};

inline HashedScratch scratch_for(const HashedTable& table) {
    return {std::vector<float>(table.labels()), std::vector<std::int32_t>(table.labels()), 0, {}};
}
inline void clear(const HashedTable&, HashedScratch& scratch) noexcept {
    std::ranges::fill(scratch.sums, 0.0F);
}
// Places are asked for before the first row is read, so that the latencies of memory overlap.
template <Context C>
void accumulate(const HashedTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HashedScratch& scratch) {
    scratch.places.clear();
    for (std::size_t j = first; j < last; ++j)
        visit_keys(plan, j, context, [&](std::uint64_t key) {
            scratch.places.push_back(table.place(key));
            prefetch(scratch.places.back());
        });
    for (const std::uint32_t* place : scratch.places) prefetch(table.row(*place));
    for (const std::uint32_t* place : scratch.places) {
        const float* row = table.row(*place);
        for (std::size_t y = 0; y < table.labels(); ++y) scratch.sums[y] += row[y];
    }
    scratch.rows_read += scratch.places.size();
}
inline Decision lead(const HashedTable& table, HashedScratch& scratch, std::span<const Label> candidates,
                     std::uint32_t depth) {
    constexpr float most = 1'000'000.0F;  // far from where a difference of two scores would overflow
    for (const Label y : candidates) {
        const float scaled = std::clamp(scratch.sums[y] * static_cast<float>(table.scale()), -most, most);
        scratch.scores[y] = static_cast<std::int32_t>(std::lround(scaled));
    }
    return lead(std::span<const std::int32_t>(scratch.scores), candidates, depth);
}
inline std::int32_t score_of(const HashedTable&, const HashedScratch& scratch, Label label) noexcept {
    return scratch.scores[label];
}
template <Context C>
Look look(const HashedTable& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.features;
        if (*table.place(key) != 0) ++result.found;
    });
    return result;
}

static_assert(Scorer<HashedTable>);

}  // namespace laconic::learn
