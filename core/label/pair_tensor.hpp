#pragma once
// Where the factors of a labeler may start (shen2016): a linear model of pairs of features learns for one pass, and its
// weights, a sparse tensor of head feature, modifier feature and label, are decomposed greedily into products.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "label/label_candidates.hpp"
#include "label/labelled_trees.hpp"

namespace laconic::label {

// A tensor of three ways, as its entries that are not zero; each place is there once.
struct SparseTensor {
    struct Entry {
        std::array<std::uint32_t, 3> at;
        float value;
    };
    std::array<std::size_t, 3> sizes{};
    std::vector<Entry> entries;
};

// The product of three vectors: the first two have length one, the third has the scale.
using Component = std::array<std::vector<float>, 3>;

// One component after another, each of what the others leave, by power iteration: `sweeps` at most, or until a sweep
// changes the scale by less than a hundred-thousandth. Cost: entries times sweeps times components.
std::vector<Component> decompose(const SparseTensor& tensor, std::size_t rank, std::size_t sweeps, Random& random);

// The weights of a linear model after one pass over all arcs whose label is known, by passive-aggressive steps of at
// most `largest_step`. Its features are those of the head, those of the modifier, and each of them with the first
// feature of the other word, which is a tag in the shipped templates. A feature that stands alone has a partner behind
// all others, which every word has.
SparseTensor learn_pairs(const LabelledTrees& trees, const LabelCandidates& candidates, double largest_step);

}  // namespace laconic::label
