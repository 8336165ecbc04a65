#pragma once
// Settings of a learner as Python spells them.

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "learn/settings.hpp"

namespace laconic::bindings {

template <class T>
T choice(const std::string& name, const char* what, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string known;
    for (const auto& [text, value] : choices) {
        if (name == text) return value;
        known += known.empty() ? text : std::string(", ") + text;
    }
    throw std::invalid_argument(std::string("no ") + what + " '" + name + "': choose one of " + known);
}

inline learn::Settings settings_from(const std::string& mode, const std::string& loss, const std::string& update,
                                     double margin, double rate, double l2, double stability, bool average,
                                     std::vector<std::uint32_t> exits) {
    using namespace learn;
    Settings settings;
    settings.mode = choice<Mode>(
        mode, "mode", {{"full", Mode::full}, {"truncated", Mode::truncated}, {"every-exit", Mode::every_exit}});
    settings.loss =
        choice<Loss>(loss, "loss", {{"hinge", Loss::hinge}, {"logistic", Loss::logistic}, {"snow", Loss::snow}});
    settings.update =
        choice<Update>(update, "update", {{"adagrad", Update::adagrad}, {"perceptron", Update::perceptron}});
    settings.margin = margin;
    settings.rate = rate;
    settings.l2 = l2;
    settings.stability = stability;
    settings.average = average;
    settings.exits = std::move(exits);
    return settings;
}

}  // namespace laconic::bindings
