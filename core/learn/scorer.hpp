#pragma once
// What a scorer is: frozen weights of features, a scratch that sums those of one decision template after template, and
// a score for each label at any depth where the scorer has one. Linear rows (linear.hpp) and hidden rows (hidden.hpp)
// are scorers; a new one provides the members and functions below in this namespace and is then served by decide(),
// trace(), probe() and every task that is a template over this concept.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "learn/decision.hpp"
#include "learn/key.hpp"

namespace laconic::learn {

template <class T>
using ScratchOf = decltype(scratch_for(std::declval<const T&>()));

template <class T>
concept Scorer =
    requires(const T& table, ScratchOf<T>& scratch, const ScratchOf<T>& read, const Plan& plan, ArrayContext& context,
             std::size_t index, std::span<const Label> candidates, std::uint32_t depth, Label label) {
        { table.labels() } -> std::same_as<std::size_t>;
        { table.templates() } -> std::same_as<std::size_t>;
        { table.size() } -> std::same_as<std::size_t>;  // features held
        { table.scale() } -> std::same_as<double>;      // integer score = scale * real score
        // A new decision: nothing is added yet.
        { clear(table, scratch) } -> std::same_as<void>;
        // Adds templates [index, index) to the sums of the scratch; ranges of one decision follow each other.
        { accumulate(table, plan, index, index, context, scratch) } -> std::same_as<void>;
        // Best label and its lead by what was added so far: all templates before `depth`.
        { lead(table, scratch, candidates, depth) } -> std::same_as<Decision>;
        // The integer score of a candidate that lead() was last called with.
        { score_of(table, read, label) } -> std::same_as<std::int32_t>;
        // How many features of a template have rows: for explanations.
        { look(table, plan, index, context) } -> std::same_as<Look>;
        { read.rows_read } -> std::convertible_to<std::uint64_t>;  // cache lines of weights read so far
    };

// A scorer whose rows have numbers, by which a context may remember them.
template <class T>
concept NumbersRows = Scorer<T> && requires(const T& table, std::size_t index, std::uint64_t key, std::uint32_t row) {
    { table.row_number(index, key) } -> std::same_as<std::uint32_t>;  // T::absent_row if there is none
    { table.row_at(row) } -> std::same_as<const std::int8_t*>;
    { table.merged(index) } -> std::same_as<std::size_t>;  // templates that a row of this one stands for
    // Does adding templates ever stop behind that many? If not, a context may give the sum of rows before and behind.
    { table.divided(index) } -> std::same_as<bool>;
};

// Adds templates [first, last) by the rows that a context found itself. `T` adds rows in the order in which they come,
// which matters only where a sum saturates: a decision with so many rows that one could is summed again in the order of
// the plan.
template <class T, RowContext C>
void accumulate_found(const T& table, const Plan& plan, std::size_t first, std::size_t last, C& context,
                      ScratchOf<T>& scratch) {
    if (first == last) return;
    const std::uint64_t before = scratch.rows_read;
    const FoundRows found = context.rows(first, last);
    add_found(table, found, scratch);
    scratch.rows_read += found.read;
    for (const std::uint16_t j : context.others(first, last))
        accumulate(table, plan, j, j + table.merged(j), context.interpreter(), scratch);
    scratch.summed = (first == 0 ? 0 : scratch.summed) + (scratch.rows_read - before);
    if (scratch.summed > scratch.exact_rows) [[unlikely]] {
        const std::uint64_t read = scratch.rows_read;
        clear(table, scratch);
        accumulate(table, plan, 0, last, context.interpreter(), scratch);
        scratch.rows_read = read;
    }
}

// A scorer whose score is the sum of its rows, label by label: sums may then belong to the caller, in 32 bits because
// many rows can pass 16, and be as many as a task has decisions open at the same time, such as the edges of a graph. A
// scorer with a layer behind the sum (hidden rows) is none: its sums are hidden units, not scores.
template <class T>
concept AdditiveScorer = Scorer<T> && requires(const T& table, ScratchOf<T>& scratch, const Plan& plan,
                                               ArrayContext& context, std::size_t index, std::span<std::int32_t> sums) {
    // Adds templates [index, index) to `sums`, one for each label. What the scratch holds is lost. A table of one label
    // adds single numbers; up to 14 labels share one 16-byte row.
    { accumulate(table, plan, index, index, context, scratch, sums) } -> std::same_as<void>;
};

}  // namespace laconic::learn
