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
#include "transition/swap_oracle.hpp"

namespace laconic::transition {

enum class SystemName : std::uint8_t { arc_eager, arc_hybrid, arc_standard, list_based, swap };
inline constexpr std::array<std::string_view, 5> system_names{"arc-eager", "arc-hybrid", "arc-standard", "list-based",
                                                              "swap"};

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
        default:
            return use(ArcHybrid{single_root});
    }
}

}  // namespace laconic::transition
