#pragma once
// One label per word, left to right, greedy, own predictions as atoms.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "tag/context.hpp"

namespace laconic::tag {

using learn::Label;

// The number of a word's candidate set is the first payload of its row in the lexicon; words outside of it have set
// `open`.
struct Candidates {
    const learn::LabelSets& sets;
    std::uint32_t open;
    std::size_t payload;  // its place in a row

    [[nodiscard]] std::uint32_t number(const std::uint32_t* row) const noexcept {
        return row[payload] < sets.size() ? row[payload] : open;
    }
};

// What tagging a batch cost.
struct Work {
    std::uint64_t decisions = 0;
    std::uint64_t templates = 0;
    std::uint64_t rows = 0;  // cache lines of the weight table
};

struct Tagged {
    std::vector<Label> labels;          // one per word
    std::vector<std::uint32_t> depths;  // templates computed
    Work work;
};

// Adds one example per word of the given sentences, with the gold labels to the left as history. `gold` has one label
// per word of the batch; a word whose candidates lack its gold label gets them all. `atoms` is the atom of each label.
void collect(learn::Examples& examples, const features::Plan& plan, const features::Lexicon& lexicon,
             const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
             std::span<const Label> gold, std::span<const std::uint32_t> sentences);

// Labels every word. Cost: linear in the words; memory beyond the result: the overlay of unknown words.
Tagged tag(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
           const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
           std::span<const learn::Exit> exits);

// For calibration: the lead and the label after each of `depths` templates, along the trajectory of `exits`.
// Both results have one row of depths.size() per word; words with one candidate have an infinite lead.
struct Prefixes {
    std::vector<std::int32_t> leads;
    std::vector<Label> labels;
};
Prefixes prefixes(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
                  const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences);

}  // namespace laconic::tag
