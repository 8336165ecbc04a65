#pragma once
// Training of a parser with hidden rows: several sentences are parsed at the same time, and one decision of each makes
// a batch.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decision_atoms.hpp"
#include "learn/index.hpp"
#include "learn/network.hpp"
#include "transition/joint_labels.hpp"
#include "transition/parser.hpp"

namespace laconic::transition {

// Sentences with the trees they should get: one head and one relation per word of the document.
struct Treebank {
    const corpus::Columns& columns;
    std::span<const std::int32_t> heads;
    std::span<const Relation> relations;
};

// Counts the features of the states on the path of the oracle and a little off it, so that a cut-off knows them:
// `random_moves` is the probability of making any valid move in place of the oracle's.
void count_features(learn::FeatureIndex& index, const Model& model, const Treebank& treebank,
                    std::span<const std::uint32_t> sentences, double random_moves, std::uint64_t seed);

// The decisions of the same states by the atoms of each slot, as hidden rows take them: of each state with a choice its
// move, and the relation of each arc that a right move makes, all among the joint labels.
void collect_atoms(learn::DecisionAtoms& decisions, const Model& model, const Treebank& treebank,
                   std::span<const std::uint32_t> sentences, double random_moves, std::uint64_t seed);

struct EpochOptions {
    std::size_t batch = 32;      // sentences parsed at the same time
    double exploration = 0.9;    // probability of following the prediction and not the oracle
    double first = 1, last = 1;  // shares of the rate at the start and the end
    std::size_t snapshots = 0;
    std::uint64_t seed = 1;
};

// One pass over the sentences in the given order. Returns the number of decisions.
std::size_t learn_epoch(learn::Network& network, const learn::FeatureIndex& index, const Model& model,
                        const Treebank& treebank, std::span<const std::uint32_t> order, const EpochOptions& options);

}  // namespace laconic::transition
