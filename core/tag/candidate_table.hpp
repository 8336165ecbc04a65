#pragma once
// What training remembers: which set of labels was seen with a word and the values of given columns.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/frozen_map.hpp"
#include "corpus/columns.hpp"
#include "features/plan.hpp"

namespace laconic::tag {

using features::Atom;

// A frozen map from exact keys to numbers of label sets. A key is the number of a word in the lexicon (or `no_word`)
// and the atom of the given values.
class CandidateTable {
public:
    static constexpr std::uint32_t no_word = 0xffffffffU;
    static constexpr std::uint32_t absent = FrozenMap::absent;

    CandidateTable() : CandidateTable({}, {}) {}
    // Throws ModelError unless there is one set per key and every key is there once.
    CandidateTable(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> sets)
        : map_(std::move(keys), std::move(sets), "the table of candidates") {}

    [[nodiscard]] static std::uint64_t key(std::uint32_t word, Atom given) noexcept {
        return (std::uint64_t{word} << 32) | given;
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept { return map_.find(key); }
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return map_.keys(); }
    [[nodiscard]] const std::vector<std::uint32_t>& sets() const noexcept { return map_.numbers(); }

private:
    FrozenMap map_;
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
