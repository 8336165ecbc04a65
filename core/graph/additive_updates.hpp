#pragma once
// How trainers of trees by MIRA use a learner of features.

#include "learn/settings.hpp"

namespace laconic::graph {

// Weights change by what is given, the step being computed outside, and are averaged.
[[nodiscard]] inline learn::Settings additive_updates() {
    learn::Settings settings;
    settings.update = learn::Update::perceptron;
    settings.rate = 1;
    settings.average = true;
    return settings;
}

}  // namespace laconic::graph
