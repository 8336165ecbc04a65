#pragma once
// Settings of a learner as Python spells them.

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "learn/network.hpp"
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

// Of laconic.learn.HiddenSettings.
inline learn::NetworkSettings network_settings(const nanobind::handle& given) {
    const auto real = [&](const char* name) { return nanobind::cast<double>(given.attr(name)); };
    learn::NetworkSettings settings;
    settings.units = nanobind::cast<std::uint32_t>(given.attr("units"));
    settings.rate = real("rate");
    settings.first_decay = real("first_decay");
    settings.second_decay = real("second_decay");
    settings.row_dropout = real("row_dropout");
    settings.unit_dropout = real("unit_dropout");
    settings.exit_weight = real("exit_weight");
    settings.seed = nanobind::cast<std::uint64_t>(given.attr("seed"));
    return settings;
}
inline std::vector<std::uint32_t> exits_of(const nanobind::handle& given) {
    return nanobind::cast<std::vector<std::uint32_t>>(given.attr("exits"));
}

}  // namespace laconic::bindings
