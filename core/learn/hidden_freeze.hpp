#pragma once
// From a trained network to frozen hidden rows: factors multiplied out, numbers quantised, rows without weight dropped.

#include "features/lexicon.hpp"
#include "learn/hidden.hpp"
#include "learn/network.hpp"

namespace laconic::learn {

// The forms of the lexicon, if there is one, get one row for each group of word templates that their form leads: all
// templates of the group in one. `floor` is the largest number, in steps of the quantised rows, that a row may have and
// still be dropped.
[[nodiscard]] HiddenTable freeze(const Network& network, const FeatureIndex& index, const Plan& plan,
                                 const features::Lexicon* lexicon, int floor);

}  // namespace laconic::learn
