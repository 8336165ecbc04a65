#pragma once
// Named entities: one BILOU label per word, left to right, greedy (Ratinov & Roth 2009).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "tag/context.hpp"
#include "tag/history.hpp"
#include "tag/tagger.hpp"

namespace laconic::tag {

// Label 0 is O; type t has B, I, L and U at 1 + 4 t on.
inline constexpr Label outside = 0;
constexpr std::size_t bilou_labels(std::size_t types) noexcept {
    return 1 + 4 * types;
}

// Which labels may follow which: no output is ever an illegal sequence.
class Transitions {
public:
    explicit Transitions(std::size_t types);

    [[nodiscard]] const learn::LabelSets& sets() const noexcept { return sets_; }
    // The set of labels after `before` (`outside` at the begin of a sentence). `may_start`: can an entity begin here?
    [[nodiscard]] std::uint32_t after(Label before, bool last, bool may_start) const noexcept {
        const bool open = before != outside && (before - 1) % 4 < 2;
        if (open) return open_[2 * ((before - 1U) / 4U) + (last ? 1 : 0)];
        return may_start ? closed_[last ? 1 : 0] : never_;
    }

private:
    learn::LabelSets sets_;
    std::uint32_t never_;                  // O alone
    std::array<std::uint32_t, 2> closed_;  // between entities; at the last word
    std::vector<std::uint32_t> open_;      // within one: two per type
};

// What labelling needs beside the weights.
struct Recogniser {
    const features::Plan& plan;
    const features::Lexicon& lexicon;          // payload 0: may an entity start with the word?
    std::vector<const Gazetteer*> gazetteers;  // of each argument of the plan, null if it names another thing
    const Transitions& transitions;
    std::vector<Atom> atoms;  // of each label

    [[nodiscard]] bool may_start(const std::uint32_t* row) const noexcept {
        return row[lexicon.attributes().size()] != 0;
    }
};

// Adds one example per word with a choice of the given sentences. `gold` gives the labels to learn and those to the
// left, `noted` those of the history; both must be legal. Sentences ascend; a gap between them ends the document.
void collect(learn::Examples& examples, const Recogniser& recogniser, const corpus::Columns& columns,
             std::span<const Label> gold, std::span<const Label> noted, std::span<const std::uint32_t> sentences);

// Labels every word. `history` is that of the document so far, and is carried on. Cost: linear in the words.
template <learn::Scorer T>
Labelled tag(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
             std::span<const learn::Exit> exits, History& history);

// For calibration and jackknifing: lead and label of each word of the sentences after each of `depths` templates,
// along the trajectory of `exits`.
template <learn::Scorer T>
Prefixes prefixes(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences);

// How each word of the sentences is decided, for explanations; a document starts with the first of them.
template <learn::Scorer T>
std::vector<learn::Trace> traces(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences);

}  // namespace laconic::tag
