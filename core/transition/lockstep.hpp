#pragma once
// Training of a hidden parser: several sentences go in lockstep, one decision of each makes a batch.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/index.hpp"
#include "learn/network.hpp"
#include "transition/parser.hpp"
#include "transition/questions.hpp"

namespace laconic::transition {

// Sentences with the trees they should get: one head and one relation per word of the document.
struct Treebank {
    const corpus::Columns& columns;
    std::span<const std::int32_t> heads;
    std::span<const Relation> relations;
};

// Counts the features of the states on the way of the oracle, and a little off it (`stray` is the chance of any valid
// move in its place), so that a cut-off knows them.
void count_features(learn::FeatureIndex& index, const Model& model, const Treebank& treebank,
                    std::span<const std::uint32_t> sentences, double stray, std::uint64_t seed);

struct Lesson {
    std::size_t batch = 32;      // sentences in lockstep
    double exploration = 0.9;    // chance to follow the prediction and not the oracle
    double first = 1, last = 1;  // shares of the rate at the begin and the end
    std::size_t snapshots = 0;
    std::uint64_t seed = 1;
};

// One pass over the sentences in the given order. Returns the number of decisions.
std::size_t learn_epoch(learn::Network& network, const learn::FeatureIndex& index, const Model& model,
                        const Treebank& treebank, std::span<const std::uint32_t> order, const Lesson& lesson);

}  // namespace laconic::transition
