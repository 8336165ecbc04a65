#pragma once
// The scorer of linear rows: a Table holds the weights of each feature for every label, their sum is the score.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/decision.hpp"
#include "learn/kernels.hpp"
#include "learn/key.hpp"
#include "learn/scorer.hpp"
#include "learn/table.hpp"

namespace laconic::learn {

// Scratch of one decision at a time: nothing is allocated while deciding.
class Scratch {
public:
    explicit Scratch(const Table& table) : sums(table.lanes()) {}

    // A new decision: nothing is added yet.
    void start() noexcept {
        std::ranges::fill(sums, std::int16_t{0});
        from_ = nullptr;
        summed = 0;
    }
    // A new decision that goes on from sums made before, as many as the table has lanes; they must last until rows are
    // added.
    void start(const std::int16_t* from) noexcept {
        from_ = from;
        ++rows_read;
    }
    [[nodiscard]] const std::int16_t* now() const noexcept { return from_ == nullptr ? sums.data() : from_; }

    std::vector<std::int16_t> sums;
    std::uint64_t rows_read = 0;  // cache lines of weights
    std::uint64_t summed = 0;     // rows of this decision, where a context found them itself or they are sparse
    // So many cannot saturate a sum.
    static constexpr std::uint64_t exact_rows = std::numeric_limits<std::int16_t>::max() / 128;

private:
    struct Probe {
        std::uint64_t key;
        const std::uint8_t* bucket;
        std::uint32_t template_index;
    };
    static constexpr std::size_t block = 32;
    std::array<Probe, block> probes_;
    std::array<const std::int8_t*, block> rows_;
    std::size_t waiting_ = 0;
    const std::int16_t* from_ = nullptr;

    friend void add_prefetched(const Table&, Scratch&);
    friend void add_found(const Table&, const FoundRows&, Scratch&);
    friend void add_prefetched(const Table&, Scratch&, std::span<std::int32_t>);
    template <Context C, class Full>
    friend void prefetch_rows(const Table&, const Plan&, std::size_t, std::size_t, C&, Scratch&, Full&&);
};

// Adds the pairs of a sparse row, saturating as the kernels do, unless there are too few rows for that.
inline void add_pairs(std::span<const Pair> pairs, std::span<std::int16_t> sums, bool exact = false) noexcept {
    if (exact) {
        std::int16_t* to = sums.data();
        for (const Pair pair : pairs) to[pair.label] = static_cast<std::int16_t>(to[pair.label] + pair.weight);
        return;
    }
    for (const Pair pair : pairs)
        sums[pair.label] = static_cast<std::int16_t>(std::clamp<int>(sums[pair.label] + pair.weight,
                                                                     std::numeric_limits<std::int16_t>::min(),
                                                                     std::numeric_limits<std::int16_t>::max()));
}

// Adds the row of one feature, if the table has it.
inline void add_feature(const Table& table, std::size_t template_index, std::uint64_t key,
                        std::span<std::int16_t> sums) {
    const std::uint8_t* slot = table.find(template_index, key, table.bucket(template_index, key));
    if (slot == nullptr) return;
    if (table.sparse()) return add_pairs(table.pairs(slot), sums);
    const auto* row = reinterpret_cast<const std::int8_t*>(slot);
    add_rows()(&row, 1, table.stride(), sums.data(), sums.data());
}

// Adds the rows that were prefetched to scratch.sums.
inline void add_prefetched(const Table& table, Scratch& scratch) {
    const std::size_t waiting = scratch.waiting_;
    if (waiting == 0) return;
    if (table.sparse()) scratch.summed += waiting;
    const bool exact = scratch.summed <= Scratch::exact_rows;
    for (std::size_t i = 0; i < waiting; ++i) {
        const auto& probe = scratch.probes_[i];
        if (table.sparse()) {
            const std::uint8_t* slot = table.find(probe.template_index, probe.key, probe.bucket);
            if (slot != nullptr) add_pairs(table.pairs(slot), scratch.sums, exact);
        } else {
            // Whether a feature is known is unpredictable: adding a row of zeros is cheaper than a branch.
            scratch.rows_[i] =
                reinterpret_cast<const std::int8_t*>(table.row(probe.template_index, probe.key, probe.bucket));
        }
    }
    if (!table.sparse()) {
        add_rows()(scratch.rows_.data(), waiting, table.stride(), scratch.now(), scratch.sums.data());
        scratch.from_ = nullptr;
    }
    scratch.waiting_ = 0;
}

// The same into sums of the caller, one for each label, in 32 bits. A block has too few rows to saturate 16 bits, so
// the kernels for 16 bits sum it exactly; a table of one label needs no kernel.
inline void add_prefetched(const Table& table, Scratch& scratch, std::span<std::int32_t> sums) {
    static_assert(Scratch::block * 128 <= 32'768);
    const std::size_t waiting = scratch.waiting_;
    if (waiting == 0) return;
    scratch.waiting_ = 0;
    if (table.sparse()) {
        for (std::size_t i = 0; i < waiting; ++i) {
            const auto& probe = scratch.probes_[i];
            const std::uint8_t* slot = table.find(probe.template_index, probe.key, probe.bucket);
            if (slot == nullptr) continue;
            for (const Pair pair : table.pairs(slot)) sums[pair.label] += pair.weight;
        }
        return;
    }
    for (std::size_t i = 0; i < waiting; ++i) {
        const auto& probe = scratch.probes_[i];
        scratch.rows_[i] =
            reinterpret_cast<const std::int8_t*>(table.row(probe.template_index, probe.key, probe.bucket));
    }
    if (table.labels() == 1) {
        for (std::size_t i = 0; i < waiting; ++i) sums[0] += scratch.rows_[i][dead_lanes];
        return;
    }
    scratch.start();
    add_rows()(scratch.rows_.data(), waiting, table.stride(), scratch.sums.data(), scratch.sums.data());
    for (std::size_t y = 0; y < table.labels(); ++y) sums[y] += scratch.sums[dead_lanes + y];
}

// Prefetches the rows of templates [first, last). `add_prefetched` adds them: work done in between hides the latency
// of memory.
// Calls full() where no more rows can wait.
template <Context C, class Full>
void prefetch_rows(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                   Scratch& scratch, Full&& full) {
    const auto send = [&](std::size_t j, std::uint64_t key, bool known) {
        if (scratch.waiting_ == Scratch::block) full();
        const std::uint8_t* there = table.bucket(j, key);
        // The bucket of an unknown feature is empty, so that as many rows are added as there are templates and no
        // branch depends on what is known.
        const std::uint8_t* bucket = known ? there : Table::nowhere();
        prefetch(bucket);
        scratch.probes_[scratch.waiting_++] = {key, bucket, static_cast<std::uint32_t>(j)};
        scratch.rows_read += known ? 1 : 0;
    };
    for (std::size_t j = first; j < last; ++j) {
        if constexpr (ReadyContext<C>) {
            if (plan.brief(j).size > 0) [[likely]] {
                const BriefKey found = brief_key(plan.brief(j), context);
                send(j, found.key, found.known);
                continue;
            }
        }
        visit_keys(plan, j, context, [&](std::uint64_t key) { send(j, key, true); });
    }
}
template <Context C>
void prefetch_rows(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                   Scratch& scratch) {
    prefetch_rows(table, plan, first, last, context, scratch, [&] { add_prefetched(table, scratch); });
}

// Adds templates [first, last) to scratch.sums. Knows nothing of stopping. Rows are prefetched a block ahead of their
// use. Cost: one cache line per feature.
template <Context C>
void accumulate(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                Scratch& scratch) {
    prefetch_rows(table, plan, first, last, context, scratch);
    add_prefetched(table, scratch);
}

// There are rows alone, and no sums of them: a decision may stop behind any template.
inline void add_found(const Table& table, const FoundRows& found, Scratch& scratch) {
    if (found.rows.empty()) return;
    add_rows()(found.rows.data(), found.rows.size(), table.stride(), scratch.now(), scratch.sums.data());
    scratch.from_ = nullptr;
}
template <RowContext C>
void accumulate(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                Scratch& scratch) {
    accumulate_found(table, plan, first, last, context, scratch);
}

// The same into sums that the caller keeps, one for each label: for tasks with more sums than one decision at a time,
// such as the edges of a graph. In 32 bits, since many templates may pass 16. What scratch.sums holds is lost.
template <Context C>
void accumulate(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context, Scratch& scratch,
                std::span<std::int32_t> sums) {
    prefetch_rows(table, plan, first, last, context, scratch, [&] { add_prefetched(table, scratch, sums); });
    add_prefetched(table, scratch, sums);
}

// The score of each label.
inline std::span<const std::int16_t> scores_of(const Table& table, const Scratch& scratch) noexcept {
    return std::span(scratch.now(), table.lanes()).subspan(table.first_lane());
}

// What every scorer has (learn/scorer.hpp).
inline Scratch scratch_for(const Table& table) {
    return Scratch(table);
}
inline void clear(const Table&, Scratch& scratch) noexcept {
    scratch.start();
}
inline Decision lead(const Table& table, Scratch& scratch, std::span<const Label> candidates, std::uint32_t depth) {
    return lead(scores_of(table, scratch), candidates, depth);
}
inline std::int32_t score_of(const Table& table, const Scratch& scratch, Label label) noexcept {
    return scores_of(table, scratch)[label];
}
template <Context C>
Look look(const Table& table, const Plan& plan, std::size_t index, C& context) {
    Look result{.next = static_cast<std::uint32_t>(index + 1)};
    visit_keys(plan, index, context, [&](std::uint64_t key) {
        ++result.features;
        if (table.find(index, key, table.bucket(index, key)) != nullptr) ++result.found;
    });
    return result;
}

// lead() for a dense table whose candidates come as bits (LabelSets::bits), two at least.
[[nodiscard]] inline bool has_bits(const Table& table) noexcept {
    return table.lanes() <= max_top_lanes && !table.sparse();
}
inline Decision lead(const Table& table, const Scratch& scratch, std::uint64_t candidates, std::uint32_t depth) {
    const Top top = top_two()(scratch.now(), table.lanes(), candidates << dead_lanes);
    return {static_cast<Label>(top.lane - dead_lanes), depth, top.margin};
}

}  // namespace laconic::learn
