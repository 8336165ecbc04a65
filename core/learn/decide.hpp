#pragma once
// The idea of the project, once: add templates in order, stop when sure.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/kernels.hpp"
#include "learn/key.hpp"
#include "learn/table.hpp"

namespace laconic::learn {

// After `depth` templates the decision is taken if the best label leads the second by at least `margin` (integer
// score).
struct Exit {
    std::uint32_t depth;
    std::int32_t margin;
};

// Ascending. The last exit is at the last template, whatever its margin: there the best label is taken anyway.
struct Exits {
    std::vector<Exit> list;
};
inline constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

struct Decision {
    Label label;
    std::uint32_t depth;  // templates computed
    std::int32_t margin;  // lead of the best over the second label
};

// Scratch of one decision at a time: nothing is allocated while deciding.
class Scratch {
public:
    explicit Scratch(const Table& table) : sums(table.lanes()) {}

    // A new decision: nothing is added yet.
    void start() noexcept {
        std::ranges::fill(sums, std::int16_t{0});
        from_ = nullptr;
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

    friend void answer(const Table&, Scratch&);
    template <Context C>
    friend void ask(const Table&, const Plan&, std::size_t, std::size_t, C&, Scratch&);
};

// Adds the pairs of a sparse row, saturating as the kernels do.
inline void add_pairs(std::span<const Pair> pairs, std::span<std::int16_t> sums) noexcept {
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

// Adds to scratch.sums whatever was asked for.
inline void answer(const Table& table, Scratch& scratch) {
    const std::size_t waiting = scratch.waiting_;
    if (waiting == 0) return;
    for (std::size_t i = 0; i < waiting; ++i) {
        const auto& probe = scratch.probes_[i];
        if (table.sparse()) {
            const std::uint8_t* slot = table.find(probe.template_index, probe.key, probe.bucket);
            if (slot != nullptr) add_pairs(table.pairs(slot), scratch.sums);
        } else {
            // Nobody can predict whether a feature is known: adding zeros is cheaper than asking.
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

// Sends for the rows of templates [first, last). They are added by `answer`: what happens in between costs nothing.
template <Context C>
void ask(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context, Scratch& scratch) {
    const auto send = [&](std::size_t j, std::uint64_t key, bool known) {
        if (scratch.waiting_ == Scratch::block) answer(table, scratch);
        const std::uint8_t* there = table.bucket(j, key);
        // What is unknown is looked for nowhere, so that as many rows are added as there are templates: again nothing
        // that a processor could guess wrong.
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

// Adds templates [first, last) to scratch.sums. Knows nothing of stopping. Rows are asked for a block ahead of their
// use, so that their ways from memory overlap. Cost: one cache line per feature.
template <Context C>
void accumulate(const Table& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                Scratch& scratch) {
    ask(table, plan, first, last, context, scratch);
    answer(table, scratch);
}

// What the sums say of each label.
inline std::span<const std::int16_t> scores_of(const Table& table, const Scratch& scratch) noexcept {
    return std::span(scratch.now(), table.lanes()).subspan(table.first_lane());
}

// Best and second of the candidates; the smaller label wins a tie.
template <class Score>
Decision lead(std::span<const Score> scores, std::span<const Label> candidates, std::uint32_t depth) {
    Label best = candidates[0];
    std::int32_t highest = scores[best];
    std::int32_t second = std::numeric_limits<std::int32_t>::min() / 2;
    for (const Label y : candidates.subspan(1)) {
        const std::int32_t score = scores[y];
        second = std::max(second, std::min(score, highest));
        best = score > highest ? y : best;  // without a branch: nobody can predict it
        highest = std::max(highest, score);
    }
    return {best, depth, highest - second};
}

// What the two scorers say of the sums in a scratch. A table of linear rows has label scores in its sums; one of hidden
// rows (hidden.hpp) has the same four functions.
inline Scratch scratch_for(const Table& table) {
    return Scratch(table);
}
inline void clear(const Table&, Scratch& scratch) noexcept {
    scratch.start();
}
inline Decision lead(const Table& table, Scratch& scratch, std::span<const Label> candidates, std::uint32_t depth) {
    return lead(scores_of(table, scratch), candidates, depth);
}
// The score of a candidate that lead() was asked about last.
inline std::int32_t score_of(const Table& table, const Scratch& scratch, Label label) noexcept {
    return scores_of(table, scratch)[label];
}

// The same for a dense table whose candidates come as bits (LabelSets::bits), two at least.
[[nodiscard]] inline bool has_bits(const Table& table) noexcept {
    return table.lanes() <= max_top_lanes && !table.sparse();
}
inline Decision lead(const Table& table, const Scratch& scratch, std::uint64_t candidates, std::uint32_t depth) {
    const Top top = top_two()(scratch.now(), table.lanes(), candidates << dead_lanes);
    return {static_cast<Label>(top.lane - dead_lanes), depth, top.margin};
}

// Template after template from `depth` on, until sure: for a second question about the same decision.
template <class T, Context C, class S>
Decision decide_on(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
                   std::span<const Exit> exits, S& scratch, std::uint32_t depth) {
    if (candidates.size() == 1) return {candidates[0], depth, never};
    for (const Exit exit : exits) {
        if (exit.depth < depth) continue;
        accumulate(table, plan, depth, exit.depth, context, scratch);
        depth = exit.depth;
        const Decision decision = lead(table, scratch, candidates, depth);
        if (decision.margin >= exit.margin || depth == exits.back().depth) return decision;
    }
    return lead(table, scratch, candidates, depth);  // no exits: an empty plan
}

// Template after template until sure. One candidate costs no template at all.
template <class T, Context C, class S>
Decision decide(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
                std::span<const Exit> exits, S& scratch) {
    if (candidates.size() == 1) return {candidates[0], 0, never};
    clear(table, scratch);
    return decide_on(table, plan, context, candidates, exits, scratch, 0);
}

}  // namespace laconic::learn
