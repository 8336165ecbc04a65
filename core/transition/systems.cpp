#include "transition/systems.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "transition/arc_eager.hpp"
#include "transition/arc_hybrid.hpp"
#include "transition/arc_standard.hpp"
#include "transition/list_based.hpp"
#include "transition/step_back.hpp"
#include "transition/swap.hpp"

namespace laconic::transition {

namespace {

using Made = std::shared_ptr<const TransitionSystem>;

template <class System, auto... options>
Made make(bool single_root) {
    return std::make_shared<const System>(single_root, options...);
}

// A new system is a header and a line here. `plain` has neither WaitLeft nor WaitRight, `waits` has both.
constexpr struct {
    std::string_view name;
    Made (*make)(bool single_root);
} systems[]{
    {"arc-eager", make<ArcEager>},
    {"arc-hybrid", make<ArcHybrid>},
    {"arc-standard", make<ArcStandard>},
    {"list-based", make<ListBased>},
    {"swap", make<Swap>},
    {"step-back", make<StepBack, Focus::step_back, Waits::left>},
    {"step-back-plain", make<StepBack, Focus::step_back, Waits::none>},
    {"step-back-waits", make<StepBack, Focus::step_back, Waits::both>},
    {"stay", make<StepBack, Focus::stay, Waits::left>},
    {"stay-plain", make<StepBack, Focus::stay, Waits::none>},
    {"stay-waits", make<StepBack, Focus::stay, Waits::both>},
    {"start-over", make<StepBack, Focus::start_over, Waits::left>},
    {"start-over-plain", make<StepBack, Focus::start_over, Waits::none>},
    {"start-over-waits", make<StepBack, Focus::start_over, Waits::both>},
};

}  // namespace

std::vector<std::string_view> system_names() {
    std::vector<std::string_view> names;
    for (const auto& system : systems) names.push_back(system.name);
    return names;
}

std::shared_ptr<const TransitionSystem> make_system(std::string_view name, bool single_root) {
    const auto* found = std::ranges::find(systems, name, [](const auto& system) { return system.name; });
    if (found == std::end(systems))
        throw std::invalid_argument("there is no transition system '" + std::string(name) + "'");
    return found->make(single_root);
}

}  // namespace laconic::transition
