#pragma once
// What training remembers: which set of labels was seen with a word and the values of given columns.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "corpus/columns.hpp"
#include "features/plan.hpp"

namespace laconic::tag {

using features::Atom;

// A frozen map from exact keys to numbers of label sets. A key is the number of a word in the lexicon (or `no_word`)
// and the atom of the given values.
class CandidateTable {
public:
    static constexpr std::uint32_t no_word = 0xffffffffU;
    static constexpr std::uint32_t absent = 0xffffffffU;

    CandidateTable() : CandidateTable({}, {}) {}
    // Throws ModelError unless there is one set per key and every key is there once.
    CandidateTable(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> sets);

    [[nodiscard]] static std::uint64_t key(std::uint32_t word, Atom given) noexcept {
        return (std::uint64_t{word} << 32) | given;
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
        for (std::size_t at = bucket(key);; at = (at + 1) & mask_) {
            const Entry& entry = entries_[at];
            if (entry.set == absent) return absent;
            if (entry.key == key) return entry.set;
        }
    }
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }
    [[nodiscard]] const std::vector<std::uint32_t>& sets() const noexcept { return sets_; }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t set = absent;
    };
    [[nodiscard]] std::size_t bucket(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask_;
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> sets_;
    std::vector<Entry> entries_;  // open addressing, at most half full
    std::size_t mask_ = 0;
};

// The values of some columns of each word as atoms: of the first column, of the first two together, and so on.
class Given {
public:
    Given(const std::vector<corpus::Field>& fields, const corpus::Columns& columns);

    [[nodiscard]] std::size_t levels() const noexcept { return atoms_.size(); }
    [[nodiscard]] Atom operator()(std::size_t level, std::size_t word) const noexcept { return atoms_[level][word]; }

private:
    std::vector<std::vector<Atom>> atoms_;
};

}  // namespace laconic::tag
