#pragma once
// What hidden rows lose without templates, the others as they are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/hidden.hpp"
#include "search/column_decisions.hpp"

namespace laconic::search {

// How much the loss of the chosen decisions would rise in all without each of the templates, after all of which they
// are taken. What a template adds to the units is replaced by its mean over the decisions: a constant can be learned
// without it. Scores are divided by the number with which the loss is least before anything is left out. Templates
// whose rows were merged go together, and each of them has the rise without all. Cost: decisions
// * (templates + groups * candidates) * units.
std::vector<double> ablate(const learn::HiddenTable& table, const DecisionAtoms& decisions, const Plan& plan,
                           const AtomColumns& columns, std::span<const std::uint32_t> chosen);

}  // namespace laconic::search
