#pragma once
// Training of hashed rows on columns of atoms: for trials of template sets that share their columns.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/hashed.hpp"
#include "search/column_decisions.hpp"

namespace laconic::search {

struct HashedSettings {
    std::size_t epochs = 4;
    float rate = 0.1F;
    std::uint32_t cutoff = 2;         // features seen less often among the decisions have no weights
    std::size_t places = 1ULL << 20;  // a power of two
    std::uint64_t seed = 1;
};

// Logistic loss, AdaGrad, weights averaged over all steps. `chosen` are the decisions to learn from; `offsets`, if not
// empty, the scores that each of all decisions starts with, label after label: what is trained then is added to them.
// Same arguments, same weights. Cost: epochs * decisions * templates * labels; memory: four bytes for each decision and
// template and for each place, and twelve for each feature and label.
learn::HashedTable train_hashed(const DecisionAtoms& decisions, const Plan& plan, const AtomColumns& columns,
                                std::span<const std::uint32_t> chosen, std::span<const float> offsets,
                                const HashedSettings& settings);

// Scores of the chosen decisions, label after label, added to their offsets if there are any.
std::vector<float> score_hashed(const learn::HashedTable& table, const DecisionAtoms& decisions, const Plan& plan,
                                const AtomColumns& columns, std::span<const std::uint32_t> chosen,
                                std::span<const float> offsets);

// The loss of each chosen decision by scores of the chosen decisions, and whether the best candidate is gold.
struct Judged {
    std::vector<double> losses;
    std::vector<std::uint8_t> right;
};
Judged judge(const DecisionAtoms& decisions, std::span<const std::uint32_t> chosen, std::span<const float> scores);

// How much the loss of the chosen decisions would rise in all without each of the templates, the others as they are.
// Cost: decisions * templates * candidates.
std::vector<double> ablate(const learn::HashedTable& table, const DecisionAtoms& decisions, const Plan& plan,
                           const AtomColumns& columns, std::span<const std::uint32_t> chosen);

// How many features each template has among the chosen decisions, those seen less often than `cutoff` left out. Counted
// exactly. Cost: one table of keys.
std::vector<std::uint32_t> count_features(const Plan& plan, const AtomColumns& columns,
                                          std::span<const std::uint32_t> chosen, std::uint32_t cutoff);

}  // namespace laconic::search
