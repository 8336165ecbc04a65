#pragma once
// Frozen hidden rows. A feature is looked up in a small table of numbers, so that only rows that exist are fetched; a
// row is `units` int8 numbers, one cache line at 64. Their sum, squared where positive, goes through the output layer
// of the exit where it is asked.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "learn/decision.hpp"
#include "learn/kernels.hpp"
#include "learn/scorer.hpp"
#include "learn/shape.hpp"

namespace laconic::learn {

// One feature on its way into a table.
struct HiddenRow {
    std::uint64_t key;
    std::uint16_t template_index;
    std::vector<std::int8_t> units;
};

// Bounds that keep scores, and the difference of any two, within 32 bits.
constexpr std::int32_t output_limit(std::size_t units) noexcept {
    return static_cast<std::int32_t>(400 * 64 / units);
}
inline constexpr std::int32_t offset_limit = 100'000'000;

class HiddenTable {
public:
    // Where one feature of a template may be: the upper half of its mixed key, and its row + 1 (0: an empty place).
    struct Place {
        std::uint32_t mark;
        std::uint32_t row;
    };
    // Everything of a table but its rows.
    struct Frame {
        std::uint32_t units = 0;
        std::uint32_t labels = 0;
        std::uint32_t shift = 0;            // of the square of a unit, so that it fits 15 bits
        double scale = 1;                   // integer score = scale * real score
        std::vector<std::uint32_t> exits;   // depths that have an output layer
        std::vector<std::uint32_t> folds;   // templates that a row of each template stands for
        std::vector<std::int16_t> start;    // units before the first template
        std::vector<std::int16_t> outputs;  // a row of units per exit and label
        std::vector<std::int32_t> offsets;  // per exit and label
    };

    HiddenTable(Frame frame, std::span<const HiddenRow> features);
    // From the arrays of a model file; throws ModelError unless everything is in bounds and can be searched.
    HiddenTable(Frame frame, std::vector<std::uint32_t> directory, std::span<const std::uint32_t> places,
                std::span<const std::uint8_t> rows);

    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }
    [[nodiscard]] std::size_t labels() const noexcept { return frame_.labels; }
    [[nodiscard]] std::size_t templates() const noexcept { return frame_.folds.size(); }
    [[nodiscard]] double scale() const noexcept { return frame_.scale; }
    [[nodiscard]] std::size_t lanes() const noexcept { return frame_.units; }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size() / frame_.units; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return rows_.bytes(); }
    [[nodiscard]] const std::vector<std::uint32_t>& directory() const noexcept { return directory_; }
    [[nodiscard]] std::vector<std::uint32_t> packed_places() const;
    // Templates that a row of this one stands for: itself and those behind it that are folded into it.
    [[nodiscard]] std::size_t fold(std::size_t template_index) const noexcept { return frame_.folds[template_index]; }
    // The number of the exit at a depth; throws std::invalid_argument where there is no output layer.
    [[nodiscard]] std::size_t exit_at(std::uint32_t depth) const;

    // Brings the place where the search for a feature starts.
    void expect(std::size_t template_index, std::uint64_t key) const noexcept {
        prefetch(&places_[home(template_index, key)]);
    }
    // The row of a feature; nullptr if it has none.
    [[nodiscard]] const std::int8_t* find(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t end = directory_[template_index + 1];
        const auto mark = static_cast<std::uint32_t>(key >> 32);
        for (std::uint32_t at = home(template_index, key);;) {
            const Place place = places_[at];
            if (place.row == 0) return nullptr;
            if (place.mark == mark)
                return reinterpret_cast<const std::int8_t*>(rows_.data()) + (place.row - 1) * std::size_t{frame_.units};
            if (++at == end) at = directory_[template_index];
        }
    }

    // The sum of rows by their numbers, as a decision adds them: what reading so many costs at least. Throws
    // std::out_of_range for a row that does not exist.
    [[nodiscard]] std::vector<std::int16_t> sum(std::span<const std::uint32_t> rows) const;

    // Squares the positive units: what the output layers read.
    void activate(std::span<const std::int16_t> sums, std::span<std::int16_t> active) const noexcept;
    // Scores of these labels at an exit, each at its own place.
    void score(std::span<const std::int16_t> active, std::size_t exit, std::span<const Label> labels,
               std::span<std::int32_t> scores) const noexcept;

private:
    void check() const;
    // Where the search for a feature starts.
    [[nodiscard]] std::uint32_t home(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t first = directory_[template_index];
        const std::uint64_t count = directory_[template_index + 1] - first;
        return first + static_cast<std::uint32_t>((static_cast<std::uint32_t>(key) * count) >> 32);
    }

    Frame frame_;
    std::vector<std::uint32_t> directory_;  // first place of each template, and the end
    std::vector<Place> places_;
    AlignedBytes rows_;
};

// Scratch of one thread.
class HiddenScratch {
public:
    explicit HiddenScratch(const HiddenTable& table)
        : sums(table.lanes()), active(table.lanes()), scores(table.labels()) {}

    std::vector<std::int16_t> sums;
    std::vector<std::int16_t> active;
    std::vector<std::int32_t> scores;  // of the candidates asked for last
    std::uint64_t rows_read = 0;

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
// folded templates. The places of a block of features are prefetched, then their rows, then all are added, so that the
// latencies of memory overlap.
template <Context C>
void accumulate(const HiddenTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HiddenScratch& scratch, std::span<std::int16_t> sums) {
    std::size_t asked = 0, waiting = 0;
    const auto add = [&] {
        if (waiting > 0) add_rows()(scratch.rows_.data(), waiting, table.lanes(), sums.data(), sums.data());
        scratch.rows_read += waiting;
        waiting = 0;
    };
    const auto take = [&](std::size_t j, std::uint64_t key) {
        const std::int8_t* row = table.find(j, key);
        if (row == nullptr) return false;
        prefetch(row);
        if (waiting == HiddenScratch::block) add();
        scratch.rows_[waiting++] = row;
        return true;
    };
    // The templates that a row of template j would have stood for, one by one.
    const auto each_behind = [&](std::size_t j, auto&& visit) {
        for (std::size_t k = j + 1; k < std::min(j + table.fold(j), last); ++k)
            visit_keys(plan, k, context, [&](std::uint64_t key) { visit(k, key); });
    };
    const auto find = [&] {
        for (std::size_t i = 0; i < asked; ++i) {
            const auto [key, j] = scratch.probes_[i];
            if (!take(j, key)) each_behind(j, take);
        }
        asked = 0;
        add();
    };
    const auto ask = [&](std::size_t j, std::uint64_t key) {
        if (asked == HiddenScratch::block) find();
        table.expect(j, key);
        scratch.probes_[asked++] = {key, j};
    };
    for (std::size_t j = first; j < last; j += table.fold(j)) {
        bool known = false;
        visit_keys(plan, j, context, [&](std::uint64_t key) {
            known = true;
            ask(j, key);
        });
        if (!known) each_behind(j, ask);
    }
    find();
}

// What every scorer has (learn/scorer.hpp).
template <Context C>
void accumulate(const HiddenTable& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                HiddenScratch& scratch) {
    accumulate(table, plan, first, last, context, scratch, scratch.sums);
}
inline HiddenScratch scratch_for(const HiddenTable& table) {
    return HiddenScratch(table);
}
inline void clear(const HiddenTable& table, HiddenScratch& scratch) noexcept {
    std::ranges::copy(table.frame().start, scratch.sums.begin());
}

// Scores of the candidates at the exit of that depth are in scratch.scores behind this; best and second of them.
inline Decision lead(const HiddenTable& table, HiddenScratch& scratch, std::span<const Label> candidates,
                     std::uint32_t depth) {
    const std::size_t exit = table.exit_at(depth);
    table.activate(scratch.sums, scratch.active);
    table.score(scratch.active, exit, candidates, scratch.scores);
    return lead(std::span<const std::int32_t>(scratch.scores), candidates, depth);
}
inline std::int32_t score_of(const HiddenTable&, const HiddenScratch& scratch, Label label) noexcept {
    return scratch.scores[label];
}
template <Context C>
Look look(const HiddenTable& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.asked;
        if (table.find(index, key) == nullptr) return;
        ++result.found;
        result.next = static_cast<std::uint32_t>(index + table.fold(index));
    });
    return result;
}

static_assert(Scorer<HiddenTable>);

}  // namespace laconic::learn
