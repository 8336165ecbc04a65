#pragma once
// Settings of learners, read from the attributes of the Python objects that hold them.

#include "bindings/common.hpp"
#include "learn/network.hpp"
#include "learn/settings.hpp"

namespace laconic::bindings {

template <class T>
T attribute(nb::handle given, const char* name) {
    return nb::cast<T>(given.attr(name));
}

// Of laconic.learn.Settings, with mode full, truncated or every-exit and all exits spelled out.
inline learn::Settings settings_of(nb::handle given) {
    using namespace learn;
    const auto text = [&](const char* name) { return attribute<std::string>(given, name); };
    Settings settings;
    settings.mode = choice<Mode>(
        text("mode"), "mode", {{"full", Mode::full}, {"truncated", Mode::truncated}, {"every-exit", Mode::every_exit}});
    settings.loss = choice<Loss>(text("loss"), "loss",
                                 {{"hinge", Loss::hinge}, {"logistic", Loss::logistic}, {"snow", Loss::snow}});
    settings.update =
        choice<Update>(text("update"), "update", {{"adagrad", Update::adagrad}, {"perceptron", Update::perceptron}});
    settings.margin = attribute<double>(given, "margin");
    settings.rate = attribute<double>(given, "rate");
    settings.l2 = attribute<double>(given, "l2");
    settings.stability = attribute<double>(given, "stability");
    settings.average = attribute<bool>(given, "average");
    settings.exits = attribute<std::vector<std::uint32_t>>(given, "exits");
    return settings;
}

// Of laconic.learn.HiddenSettings.
inline learn::NetworkSettings network_settings(nb::handle given) {
    learn::NetworkSettings settings;
    settings.units = attribute<std::uint32_t>(given, "units");
    settings.rate = attribute<double>(given, "rate");
    settings.first_decay = attribute<double>(given, "first_decay");
    settings.second_decay = attribute<double>(given, "second_decay");
    settings.row_dropout = attribute<double>(given, "row_dropout");
    settings.unit_dropout = attribute<double>(given, "unit_dropout");
    settings.exit_weight = attribute<double>(given, "exit_weight");
    settings.seed = attribute<std::uint64_t>(given, "seed");
    return settings;
}
inline std::vector<std::uint32_t> exits_of(nb::handle given) {
    return attribute<std::vector<std::uint32_t>>(given, "exits");
}

}  // namespace laconic::bindings
