#pragma once
// Small numbers for the values of a document's columns (tags, features of words), so that arrays can be indexed by
// them. Atoms stay what they are: numbers belong to one process and are never stored.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "features/rows.hpp"
#include "features/sentence_atoms.hpp"

namespace laconic::features {

// Numbers that mean the same in every column: a node that does not exist, the artificial root, and all values for which
// a column has no number left.
inline constexpr std::uint32_t number_of_nothing = 0, number_of_root = 1, number_of_others = 2;

// The numbers of the values of one column.
class ValueNumbers {
public:
    // What one column may have at most: an array indexed by a number stays small whatever a document holds.
    static constexpr std::uint32_t most = 4096;

    ValueNumbers();

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    // How many numbers an array should have room for: grows in steps, so that it seldom changes.
    [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
    // What tells values apart: the atom of a single field, or a hash of all fields of a column that depends on several,
    // so that a number of such a column stands for one value of each.
    using Key = std::uint64_t;
    [[nodiscard]] static Key key_of(const AtomColumn& column, const corpus::Columns& columns, std::size_t word);

    // The number of a value; number_of_others if it has none.
    [[nodiscard]] std::uint32_t find(Key key) const noexcept;
    // Gives a value a number, if it has none and there is one left.
    void add(Key key);

private:
    struct Entry {
        Key key;
        std::uint32_t number;  // number_of_others: an empty entry
    };
    [[nodiscard]] std::size_t place(Key key) const noexcept;  // where it is, or where it would be
    void insert(Key key, std::uint32_t number) noexcept { entries_[place(key)] = {key, number}; }

    std::vector<Entry> entries_;  // open addressing, at most half full
    std::uint32_t size_ = number_of_others + 1;
    std::uint32_t capacity_ = 32;
};

// The numbers that a model has given so far. Numbers are never taken back, so that what one batch learned serves the
// next; any number of threads may number batches.
class ColumnNumbers {
public:
    using Snapshot = std::vector<ValueNumbers>;  // one per column

    explicit ColumnNumbers(std::vector<AtomColumn> columns);

    [[nodiscard]] const std::vector<AtomColumn>& columns() const noexcept { return columns_; }
    [[nodiscard]] std::shared_ptr<const Snapshot> now() const;
    // The numbers of now, with some for these values of a column.
    [[nodiscard]] std::shared_ptr<const Snapshot> with(std::size_t column, std::span<const ValueNumbers::Key> values);

private:
    std::vector<AtomColumn> columns_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
};

// The words of a batch as records of numbers: first that of the word's type, then those of the columns.
class NumberedWords {
public:
    static constexpr std::size_t type = 0, first_column = 1;           // fields of a record
    static constexpr std::uint32_t first_type = number_of_others + 1;  // number of the lexicon's first form

    // Linear in the words. Neither rows nor columns are copied: they must outlive this.
    NumberedWords(ColumnNumbers& numbers, const WordRows& rows, const corpus::Columns& columns);

    // The words of a sentence.
    void enter(std::size_t sentence) noexcept;
    [[nodiscard]] std::size_t sentence() const noexcept { return sentence_; }
    // How many numbers a record of so many columns takes: it is copied by fours.
    [[nodiscard]] static constexpr std::size_t record_size(std::size_t columns) noexcept {
        return (first_column + columns + 3) / 4 * 4;
    }
    // The record of a word, of the root, or of a word that does not exist.
    [[nodiscard]] const std::uint32_t* operator[](corpus::Node node) const noexcept {
        return entered_ + static_cast<std::size_t>(node + 1) * stride_;
    }
    // What arrays indexed by the numbers of each column must have room for.
    [[nodiscard]] const std::vector<std::uint32_t>& capacities() const noexcept { return capacities_; }
    // Types outside the lexicon are numbered behind it, batch by batch.
    [[nodiscard]] std::size_t unknown_types() const noexcept { return rows_->unknown_types(); }

private:
    // Writes one column; false if values without a number were put into `missing`.
    bool fill(std::size_t column, const AtomColumn& source, const ValueNumbers& values,
              std::vector<ValueNumbers::Key>& missing);

    const WordRows* rows_;
    const corpus::Columns* columns_;
    std::size_t stride_, sentence_ = 0;
    const std::uint32_t* entered_ = nullptr;
    std::vector<std::uint32_t> capacities_;
    std::vector<std::uint32_t> records_;  // before those of each sentence: one for no node, one for the root
};

}  // namespace laconic::features
