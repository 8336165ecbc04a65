#pragma once
// Frozen hidden rows. A feature is looked up in a small table of numbers, so that only rows that exist are fetched; a
// row is `units` int8 numbers, one cache line at 64. Their sum, squared where positive, goes through the output layer
// of the exit at which a score is wanted.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "learn/decision.hpp"
#include "learn/kernels.hpp"
#include "learn/row_index.hpp"
#include "learn/scorer.hpp"
#include "learn/shape.hpp"

namespace laconic::learn {

// One feature on its way into a table.
struct HiddenRow {
    std::uint64_t key;
    std::uint16_t template_index;
    std::vector<std::int8_t> units;
};

// Bounds that keep scores, and the difference of any two, within 32 bits: of the sizes of a label's output weights in
// an exit together, and of its offset.
inline constexpr std::int32_t output_limit = 220'000;
inline constexpr std::int32_t offset_limit = 100'000'000;

class HiddenTable {
public:
    // Everything of a table but its rows.
    struct Frame {
        std::uint32_t units = 0;
        std::uint32_t labels = 0;
        std::uint32_t shift = 0;            // of the square of a unit, so that it fits 12 bits
        double scale = 1;                   // integer score = scale * real score
        std::vector<std::uint32_t> exits;   // depths that have an output layer
        std::vector<std::uint32_t> merged;  // of each template: how many templates one of its rows stands for
        std::vector<std::int16_t> start;    // units before the first template
        std::vector<std::int16_t> outputs;  // a row of units per exit and label
        std::vector<std::int32_t> offsets;  // per exit and label
    };

    HiddenTable(Frame frame, std::span<const HiddenRow> features);
    // From the arrays of a model file; throws ModelError unless everything is in bounds and can be searched.
    HiddenTable(Frame frame, std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots,
                std::span<const std::uint8_t> rows);

    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }
    [[nodiscard]] std::size_t labels() const noexcept { return frame_.labels; }
    [[nodiscard]] std::size_t templates() const noexcept { return frame_.merged.size(); }
    [[nodiscard]] double scale() const noexcept { return frame_.scale; }
    [[nodiscard]] std::size_t lanes() const noexcept { return frame_.units; }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size() / frame_.units; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return rows_.bytes(); }
    [[nodiscard]] const RowIndex& index() const noexcept { return index_; }
    // How many templates a row of this one stands for: itself and those behind it that were merged into it (Shape).
    [[nodiscard]] std::size_t merged(std::size_t template_index) const noexcept {
        return frame_.merged[template_index];
    }
    [[nodiscard]] bool divided(std::size_t depth) const noexcept {
        return depth < exit_numbers_.size() && exit_numbers_[depth] != no_exit;
    }
    // The number of the exit at a depth; throws std::invalid_argument where there is no output layer.
    [[nodiscard]] std::size_t exit_at(std::uint32_t depth) const {
        if (depth >= exit_numbers_.size() || exit_numbers_[depth] == no_exit) throw_no_exit(depth);
        return exit_numbers_[depth];
    }

    // The number of a feature's row, and a row by its number.
    static constexpr std::uint32_t absent_row = RowIndex::absent;
    [[nodiscard]] std::uint32_t row_number(std::size_t template_index, std::uint64_t key) const noexcept {
        return index_.find(template_index, key);
    }
    [[nodiscard]] const std::int8_t* row_at(std::uint32_t row) const noexcept {
        return reinterpret_cast<const std::int8_t*>(rows_.data()) + row * std::size_t{frame_.units};
    }
    // The row of a feature; nullptr if it has none.
    [[nodiscard]] const std::int8_t* find(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t row = row_number(template_index, key);
        return row == absent_row ? nullptr : row_at(row);
    }

    // The sum of rows by their numbers, as a decision adds them: what reading so many costs at least. Throws
    // std::out_of_range for a row that does not exist.
    [[nodiscard]] std::vector<std::int16_t> sum(std::span<const std::uint32_t> rows) const;

    // The best of the candidates at an exit and its lead, by the sums of the units; scores[y] is then the score of
    // candidate y. `active` has room for a number per unit, `scores` for score_room().
    Top lead(std::span<const std::int16_t> sums, std::span<std::int16_t> active, std::size_t exit,
             const Candidates& candidates, std::span<std::int32_t> scores) const noexcept {
        return lead_labels()(layers_[exit], sums.data(), active.data(), candidates, scores.data());
    }
    [[nodiscard]] std::size_t score_room() const noexcept { return padded_; }

private:
    static constexpr std::uint16_t no_exit = 0xffff;
    [[noreturn]] static void throw_no_exit(std::uint32_t depth);
    void check() const;
    void transpose();
    Frame frame_;
    std::vector<std::uint16_t> exit_numbers_;  // by depth
    RowIndex index_;
    AlignedBytes rows_;
    // The output layers once more, as kernels read them (OutputLayer), exit after exit.
    std::size_t padded_ = 0;
    std::vector<std::int16_t> pairs_;
    std::vector<std::int32_t> offsets_;
    std::vector<OutputLayer> layers_;
};

// Scratch of one thread.
class HiddenScratch {
public:
    explicit HiddenScratch(const HiddenTable& table)
        : sums(table.lanes()), active(table.lanes()), scores(table.score_room()) {
        std::int32_t largest = 0;
        for (const std::int32_t unit : table.frame().start) largest = std::max(largest, unit < 0 ? -unit : unit);
        exact_rows = static_cast<std::uint64_t>(std::max(0, std::numeric_limits<std::int16_t>::max() - largest)) / 128;
    }

    std::vector<std::int16_t> sums;
    std::vector<std::int16_t> active;
    std::vector<std::int32_t> scores;  // of the candidates of the last lead()
    std::uint64_t rows_read = 0;
    std::uint64_t summed = 0;      // rows of this decision, where a context found them itself
    std::uint64_t exact_rows = 0;  // so many cannot saturate a sum

private:
    struct Probe {
        std::uint64_t key;
        std::size_t template_index;
    };
    static constexpr std::size_t block = 64;
    std::array<Probe, block> probes_;
    std::array<const std::int8_t*, block> rows_;

    template <Context C>
    friend void accumulate(const HiddenTable&, const Plan&, std::size_t, std::size_t, C&, HiddenScratch&,
                           std::span<std::int16_t>);
};

// Adds templates [first, last) to sums that the caller keeps, one for each unit; the exits of the table never divide
// merged templates. The slots of a block of features are prefetched, then their rows, then all are added, so that the
// latencies of memory overlap.
template <Context C>
void accumulate(const HiddenTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HiddenScratch& scratch, std::span<std::int16_t> sums) {
    std::size_t probes = 0, rows = 0;  // that wait in the scratch
    const auto add = [&] {
        if (rows > 0) add_rows()(scratch.rows_.data(), rows, table.lanes(), sums.data(), sums.data());
        scratch.rows_read += rows;
        rows = 0;
    };
    const auto take = [&](std::size_t j, std::uint64_t key) {
        const std::int8_t* row = table.find(j, key);
        if (row == nullptr) return false;
        prefetch(row);
        if (rows == HiddenScratch::block) add();
        scratch.rows_[rows++] = row;
        return true;
    };
    // The templates that a row of template j would have stood for, one by one.
    const auto each_behind = [&](std::size_t j, auto&& visit) {
        for (std::size_t k = j + 1; k < std::min(j + table.merged(j), last); ++k)
            visit_keys(plan, k, context, [&](std::uint64_t key) { visit(k, key); });
    };
    const auto find = [&] {
        for (std::size_t i = 0; i < probes; ++i) {
            const auto [key, j] = scratch.probes_[i];
            if (!take(j, key)) each_behind(j, take);
        }
        probes = 0;
        add();
    };
    const auto add_probe = [&](std::size_t j, std::uint64_t key) {
        if (probes == HiddenScratch::block) find();
        table.index().prefetch_slot(j, key);
        scratch.probes_[probes++] = {key, j};
    };
    for (std::size_t j = first; j < last; j += table.merged(j)) {
        bool known = false;
        visit_keys(plan, j, context, [&](std::uint64_t key) {
            known = true;
            add_probe(j, key);
        });
        if (!known) each_behind(j, add_probe);
    }
    find();
}

// What every scorer has (learn/scorer.hpp).
template <Context C>
void accumulate(const HiddenTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HiddenScratch& scratch) {
    accumulate(table, plan, first, last, context, scratch, scratch.sums);
}
inline void add_found(const HiddenTable& table, const FoundRows& found, HiddenScratch& scratch) {
    add_rows_and_sums()(found.rows.data(), found.rows.size(), found.sums.data(), found.sums.size(), table.lanes(),
                        scratch.sums.data());
}
template <RowContext C>
void accumulate(const HiddenTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HiddenScratch& scratch) {
    accumulate_found(table, plan, first, last, context, scratch);
}
inline HiddenScratch scratch_for(const HiddenTable& table) {
    return HiddenScratch(table);
}
inline void clear(const HiddenTable& table, HiddenScratch& scratch) noexcept {
    std::ranges::copy(table.frame().start, scratch.sums.begin());
}

// Scores of the candidates at the exit of that depth are in scratch.scores behind this; best and second of them.
inline Decision lead(const HiddenTable& table, HiddenScratch& scratch, const Candidates& candidates,
                     std::uint32_t depth) {
    const std::size_t exit = table.exit_at(depth);
    const Top top = table.lead(scratch.sums, scratch.active, exit, candidates, scratch.scores);
    return {static_cast<Label>(top.lane), depth, top.margin};
}
inline std::int32_t score_of(const HiddenTable&, const HiddenScratch& scratch, Label label) noexcept {
    return scratch.scores[label];
}
template <Context C>
Look look(const HiddenTable& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.features;
        if (table.find(index, key) == nullptr) return;
        ++result.found;
        result.next = static_cast<std::uint32_t>(index + table.merged(index));
    });
    return result;
}

static_assert(Scorer<HiddenTable> && !AdditiveScorer<HiddenTable>);

}  // namespace laconic::learn
