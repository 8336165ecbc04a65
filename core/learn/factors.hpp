#pragma once
// Frozen low-rank factors (shen2016). A word has a vector in each of several roles: the sum of the rows of its features
// in that role. A product of the vectors of words in their roles, multiplied with the vector of a label, is the score
// of the label. A vector is computed once per word and role, however many products it enters.
//
// Rows are int8 numbers, their sums saturate at 16 bits, which takes 258 rows of the largest numbers; products are
// floats in a fixed order of operations, equal to the last bit with registers of any width.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "learn/decision.hpp"
#include "learn/numbered_rows.hpp"
#include "learn/row_index.hpp"
#include "learn/scorer.hpp"

namespace laconic::learn {

// One feature on its way into a table: the numbers of all roles, one role after another.
struct FactorRow {
    std::uint64_t key;
    std::uint16_t template_index;
    std::vector<std::int8_t> numbers;
};

class FactorTable {
public:
    static constexpr std::size_t max_roles = 8;

    // Everything of a table but its rows.
    struct Frame {
        std::uint32_t labels = 0;
        std::uint32_t buckets = 1;  // label vectors differ by the bucket of a product: direction of an arc, say
        std::uint32_t templates = 0;
        std::vector<std::uint32_t> lanes;  // numbers of a vector in each role, multiples of 32
        std::vector<float> steps;          // of each role: what 1 in its rows stands for
        std::vector<float> starts;         // of all roles: the vector before the first row is added
        std::vector<float> outputs;        // a vector per bucket and label, as long as those of the first role
    };

    FactorTable(Frame frame, std::span<const FactorRow> features);
    // From the arrays of a model file; throws ModelError unless everything is in bounds and can be searched.
    FactorTable(Frame frame, std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots,
                std::span<const std::uint8_t> rows);

    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }
    [[nodiscard]] std::size_t labels() const noexcept { return frame_.labels; }
    [[nodiscard]] std::size_t templates() const noexcept { return frame_.templates; }
    [[nodiscard]] std::size_t roles() const noexcept { return frame_.lanes.size(); }
    [[nodiscard]] std::size_t lanes(std::size_t role) const noexcept { return frame_.lanes[role]; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] double scale() const noexcept { return 4096; }
    [[nodiscard]] std::size_t bytes() const noexcept { return rows_.size(); }
    [[nodiscard]] std::vector<std::uint8_t> packed_rows() const;  // as in a model file
    [[nodiscard]] const RowIndex& index() const noexcept { return index_; }

    // Behind all rows there is one of zeros: what is added for a feature that has no row, without asking whether it
    // has.
    [[nodiscard]] std::uint32_t zero_row() const noexcept { return static_cast<std::uint32_t>(size_); }
    // The row of a feature, or zeros.
    [[nodiscard]] std::uint32_t find(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t found = index_.find(template_index, key);
        return found == RowIndex::absent ? zero_row() : found;
    }
    // The numbers of a row in a role.
    [[nodiscard]] const std::int8_t* row(std::size_t role, std::uint32_t number) const noexcept {
        return reinterpret_cast<const std::int8_t*>(rows_.data()) + begins_[role] + number * strides_[role];
    }
    // The vector of a label, for products of the first two roles.
    [[nodiscard]] const float* output(std::size_t bucket, std::size_t label) const noexcept {
        return frame_.outputs.data() + (bucket * frame_.labels + label) * frame_.lanes[0];
    }
    // Sets `sums` to `from` and some rows, in the roles [first, last): one of them, or the first two, which lie side by
    // side. `from` may be `sums`.
    void add(std::size_t first, std::size_t last, std::span<const std::uint32_t> rows, const std::int16_t* from,
             std::int16_t* sums) const noexcept {
        add_numbered_rows()(row(first, 0), strides_[first], rows.data(), rows.size(),
                            lanes(first) + (last - first > 1 ? lanes(first + 1) : 0), from, sums);
    }
    // The vector in a role that the sums of rows stand for.
    void finish(std::size_t role, const std::int16_t* sums, float* vector) const noexcept;

private:
    void check(std::size_t bytes) const;
    void lay_out();
    // Calls copy(in memory, in a model file, bytes) for each run of bytes that lies together in both.
    template <class Copy>
    void each_run(Copy&& copy) const {
        std::size_t packed = 0;
        for (std::size_t role = 0; role < roles(); role += role == 0 ? 2 : 1) {
            const std::size_t run = size_ * strides_[role];
            copy(begins_[role], packed, run);
            packed += run;
        }
    }

    Frame frame_;
    RowIndex index_;
    std::size_t width_ = 1;  // bytes of a feature in all roles
    std::size_t size_ = 0;
    // Of each role: where its rows begin and how far they are apart; where its part of frame_.starts begins.
    std::vector<std::size_t> begins_, strides_, starts_;
    // All rows of the first two roles side by side, since many words need both, then all of the third and so on; behind
    // those of each a row of zeros.
    AlignedBytes rows_;
};

// target[i] = left[i] * right[i]
void multiply(const float* left, const float* right, float* target, std::size_t width) noexcept;

// The rows of some features: first all keys, whose slots are prefetched, then all look-ups, so that the latencies of
// memory overlap. Memory is reused.
class FactorRows {
public:
    void clear() noexcept {
        keys_.clear();
        rows_.clear();
    }
    void add(const FactorTable& table, std::size_t template_index, std::uint64_t key) {
        table.index().prefetch_slot(template_index, key);
        keys_.push_back({key, static_cast<std::uint16_t>(template_index)});
    }
    std::span<const std::uint32_t> look_up(const FactorTable& table) {
        for (const RowKey& one : keys_) {
            const std::uint32_t row = table.index().find(one.template_index, one.key);
            if (row == RowIndex::absent) continue;
            prefetch(table.row(0, row));
            rows_.push_back(row);
        }
        return rows_;
    }

private:
    std::vector<RowKey> keys_;
    std::vector<std::uint32_t> rows_;
};

// Scratch of one thread. As a scorer of single decisions the table adds templates to the role that is set here; the
// other roles keep the vectors that they have.
class FactorScratch {
public:
    explicit FactorScratch(const FactorTable& table);

    std::size_t role = 0;
    std::size_t bucket = 0;
    std::vector<std::vector<std::int16_t>> sums;  // of each role
    std::vector<std::vector<float>> vectors;      // of each role
    std::vector<float> product;                   // of the first two roles
    std::vector<std::int32_t> scores;             // of the candidates of the last lead()
    FactorRows found;
    std::uint64_t rows_read = 0;
};

// What every scorer has (learn/scorer.hpp).
inline FactorScratch scratch_for(const FactorTable& table) {
    return FactorScratch(table);
}
void clear(const FactorTable& table, FactorScratch& scratch) noexcept;
Decision lead(const FactorTable& table, FactorScratch& scratch, std::span<const Label> candidates, std::uint32_t depth);
inline std::int32_t score_of(const FactorTable&, const FactorScratch& scratch, Label label) noexcept {
    return scratch.scores[label];
}
template <Context C>
void accumulate(const FactorTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                FactorScratch& scratch) {
    scratch.found.clear();
    for (std::size_t j = first; j < last; ++j)
        visit_keys(plan, j, context, [&](std::uint64_t key) { scratch.found.add(table, j, key); });
    const std::span<const std::uint32_t> rows = scratch.found.look_up(table);
    scratch.rows_read += rows.size();
    std::int16_t* sums = scratch.sums[scratch.role].data();
    table.add(scratch.role, scratch.role + 1, rows, sums, sums);
}
template <Context C>
Look look(const FactorTable& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.features;
        if (table.index().find(index, key) != RowIndex::absent) ++result.found;
    });
    return result;
}

static_assert(Scorer<FactorTable> && !AdditiveScorer<FactorTable>);

}  // namespace laconic::learn
