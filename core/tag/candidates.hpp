#pragma once
// Which labels a word may get. A single one costs no template at all.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/rows.hpp"
#include "learn/labels.hpp"
#include "tag/candidate_table.hpp"
#include "tag/script_evidence.hpp"

namespace laconic::tag {

using learn::Label;

// Without given columns the set of a word is the first payload of its row in the lexicon. With given columns it is
// what the table holds for the word with all given values, then with fewer of them, then for the given values alone,
// all before fewer. What is found nowhere has the set `open`.
struct Candidates {
    learn::LabelSets sets;
    std::uint32_t open = 0;
    std::vector<corpus::Field> given;
    CandidateTable table;
    ScriptEvidence evidence;  // of labels that are scripts: which of them a word never seen may get
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
    struct Fitting {
        std::span<const Label> members;
        std::uint64_t bits;  // LabelSets::bits of the set they were taken from
    };
    // Labels that the word can bear; never empty. Those of a word never seen that evidence leaves are written to
    // `buffer`, which must outlive the result.
    [[nodiscard]] Fitting operator()(std::size_t word, std::vector<Label>& buffer) const;
    // The same as if the word had never been seen, whether or not what is left makes known words: to learn from.
    [[nodiscard]] std::vector<Label> unseen(std::size_t word) const;
    // Equal for words that have the same form and the same given values.
    [[nodiscard]] std::uint64_t type(std::size_t word) const noexcept;

private:
    void select(Choice choice, std::size_t word, bool judge, std::vector<Label>& chosen) const;

    const Candidates& candidates_;
    const features::WordRows& rows_;
    const corpus::Columns& columns_;
    Given given_;
    std::size_t payload_;
};

}  // namespace laconic::tag
