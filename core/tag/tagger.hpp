#pragma once
// One label per word, left to right, greedy, own predictions as atoms.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "learn/outcomes.hpp"
#include "learn/trace.hpp"
#include "tag/candidates.hpp"
#include "tag/context.hpp"
#include "tag/form_scores.hpp"

namespace laconic::tag {

// A word without a label to learn.
inline constexpr Label no_label = std::numeric_limits<Label>::max();

using learn::final_scores;
using learn::FinalScores;
using learn::Labelled;
using learn::Prefixes;
using learn::prefixes;

// What training adds to a frozen table: where words are looked up, what they may be, and the atom of each label.
struct Model {
    class Walk;

    const features::Plan& plan;
    const features::Lexicon& lexicon;
    const Candidates& candidates;
    std::vector<Atom> atoms;
};

// Adds one example per word of the given sentences, with the gold labels to the left as history, as features
// (learn::Examples) or as atoms (learn::DecisionAtoms). `gold` has one label per word of the batch; a word whose
// candidates lack its gold label gets them all.
template <class Store>
void collect(Store& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint32_t> sentences);

// The same for labels that follow from a word and its given values, once for each form, given values and label, with
// the candidates of a word never seen before: what to do with those is what there is to learn.
void collect_types(learn::Examples& examples, const Model& model, const corpus::Columns& columns,
                   std::span<const Label> gold, std::span<const std::uint32_t> sentences);

// Labels every word. `form_scores` is of the same plan, lexicon and table. `temperatures` has one per depth, from 1 on,
// and before them the confidence in a word with one candidate; empty: no confidences are computed. Cost: linear in the
// words; memory beyond the result: the overlay of unknown words.
Labelled tag(const Model& model, const learn::Table& table, const FormScores& form_scores,
             const corpus::Columns& columns, std::span<const learn::Exit> exits,
             std::span<const double> temperatures = {});

// How each word of the sentences is decided, for explanations; for any scorer.
template <learn::Scorer T>
std::vector<learn::Trace> traces(const Model& model, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences);

}  // namespace laconic::tag
