#pragma once
// All systems with their oracles, by name.

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "transition/arc_eager_oracle.hpp"
#include "transition/arc_hybrid_oracle.hpp"
#include "transition/arc_standard_oracle.hpp"
#include "transition/list_based_oracle.hpp"
#include "transition/step_back_oracle.hpp"
#include "transition/swap_oracle.hpp"

namespace laconic::transition {

enum class SystemName : std::uint8_t {
    arc_eager,
    arc_hybrid,
    arc_standard,
    list_based,
    swap,
    step_back,
    step_back_plain,
    step_back_waits,
    stay,
    stay_plain,
    stay_waits,
    start_over,
    start_over_plain,
    start_over_waits
};
// Step-back by its policy; `plain` has neither WaitLeft nor WaitRight, `waits` has both.
inline constexpr std::array<std::string_view, 14> system_names{
    "arc-eager",        "arc-hybrid",      "arc-standard", "list-based", "swap",       "step-back",
    "step-back-plain",  "step-back-waits", "stay",         "stay-plain", "stay-waits", "start-over",
    "start-over-plain", "start-over-waits"};
static_assert(system_names.size() == static_cast<std::size_t>(SystemName::start_over_waits) + 1);

inline SystemName system_named(std::string_view name) {
    for (std::size_t i = 0; i < system_names.size(); ++i)
        if (system_names[i] == name) return static_cast<SystemName>(i);
    throw std::invalid_argument("there is no transition system '" + std::string(name) + "'");
}

// Calls use(system) with the system of that name: the choice is made once, not at every step.
template <class Use>
decltype(auto) with_system(SystemName name, bool single_root, Use&& use) {
    switch (name) {
        case SystemName::arc_eager:
            return use(ArcEager{single_root});
        case SystemName::arc_standard:
            return use(ArcStandard{single_root});
        case SystemName::list_based:
            return use(ListBased{single_root});
        case SystemName::swap:
            return use(Swap{single_root});
        case SystemName::arc_hybrid:
            return use(ArcHybrid{single_root});
        default: {
            // Three policies, each in three ways.
            const auto number = static_cast<std::size_t>(name) - static_cast<std::size_t>(SystemName::step_back);
            return use(StepBack{single_root, static_cast<Focus>(number / 3), static_cast<Waits>(number % 3)});
        }
    }
}

}  // namespace laconic::transition
