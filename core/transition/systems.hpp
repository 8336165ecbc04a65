#pragma once
// All transition systems, by name.

#include <memory>
#include <string_view>
#include <vector>

#include "transition/system.hpp"

namespace laconic::transition {

[[nodiscard]] std::vector<std::string_view> system_names();

// Both throw std::invalid_argument for a name that no system has.
[[nodiscard]] const SystemFacts& system_facts(std::string_view name);
[[nodiscard]] std::shared_ptr<const TransitionSystem> make_system(std::string_view name, const SystemOptions& options);

}  // namespace laconic::transition
