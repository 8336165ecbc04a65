#pragma once
// One label per arc of a finished tree: the second stage of chang2007.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "label/context.hpp"
#include "label/label_candidates.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "learn/outcomes.hpp"

namespace laconic::label {

// Which arcs are labelled first: from the root down, or from the leaves up. DEP is known of what was labelled before.
enum class Order : std::uint8_t { down, up };

// What training adds to a frozen table.
struct Model {
    class Walk;

    const features::Plan& plan;
    const features::Lexicon& lexicon;
    const LabelCandidates& candidates;
    std::vector<Atom> atoms;  // of the labels
    corpus::Field pos;
    Order order;
};

// All functions below throw InputError, with the number of the sentence, where heads are absent or no tree.

// The key of the pair of tags of every arc.
std::vector<std::uint64_t> pair_keys(const corpus::Columns& columns, corpus::Field pos);

// Adds one example per arc of the given sentences that has something to teach (`teach` is not 0), the gold labels of
// arcs before it as history. An arc whose candidates lack its gold label gets them all.
void collect(learn::Examples& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint8_t> teach, std::span<const std::uint32_t> sentences);

using learn::final_scores;
using learn::FinalScores;
using learn::Labelled;
using learn::Prefixes;
using learn::prefixes;

// Labels every arc. `temperatures` has one per depth, from 1 on, and before them the confidence in an arc with one
// candidate; empty: no confidences are computed. Linear in the words.
template <learn::Scorer T>
Labelled label(const Model& model, const T& table, const corpus::Columns& columns, std::span<const learn::Exit> exits,
               std::span<const double> temperatures = {});

}  // namespace laconic::label
