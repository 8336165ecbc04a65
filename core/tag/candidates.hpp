#pragma once
// Which labels a word may get. A single one costs no template at all.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/rows.hpp"
#include "learn/labels.hpp"
#include "tag/memory.hpp"

namespace laconic::tag {

using learn::Label;

// Without given columns the set of a word is the first payload of its row in the lexicon. With given columns it is
// what the memory holds for the word with all given values, then with fewer of them, then for the given values alone,
// all before fewer. What is found nowhere has the set `open`.
struct Candidates {
    learn::LabelSets sets;
    std::uint32_t open = 0;
    std::vector<corpus::Field> given;
    Memory memory;
    std::vector<std::uint32_t> needs;  // characters that a word must have for each label; empty: none
};

// The candidates of the words of one batch.
class Chooser {
public:
    Chooser(const Candidates& candidates, const features::WordRows& rows, const corpus::Columns& columns);

    struct Choice {
        std::uint32_t set;
        bool known;  // from the word itself, not only from what is given
    };
    [[nodiscard]] Choice find(std::size_t word, bool by_word = true) const noexcept;
    // Labels that the word can bear, until the next call. Never empty.
    [[nodiscard]] std::span<const Label> operator()(std::size_t word);
    // Equal for words that have the same form and the same given values.
    [[nodiscard]] std::uint64_t type(std::size_t word) const noexcept;

private:
    const Candidates& candidates_;
    const features::WordRows& rows_;
    const corpus::Columns& columns_;
    Given given_;
    std::size_t payload_;
    std::vector<Label> fitting_;
};

}  // namespace laconic::tag
