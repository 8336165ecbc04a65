#include "transition/systems.hpp"

#include <algorithm>
#include <array>
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

struct RegisteredSystem {
    const SystemFacts* facts;
    std::shared_ptr<const TransitionSystem> (*make)(const SystemOptions& options);
};

template <class... Systems>
constexpr std::array<RegisteredSystem, sizeof...(Systems)> entries() {
    return {
        RegisteredSystem{&Systems::known, [](const SystemOptions& options) -> std::shared_ptr<const TransitionSystem> {
                             return std::make_shared<const Systems>(options);
                         }}...};
}

// A new system is a header and a name here.
constexpr auto systems = entries<ArcEager, ArcHybrid, ArcStandard, ListBased, Swap, StepBack>();

const RegisteredSystem& entry(std::string_view name) {
    const auto found = std::ranges::find(systems, name, [](const RegisteredSystem& one) { return one.facts->name; });
    if (found == systems.end())
        throw std::invalid_argument("there is no transition system '" + std::string(name) + "'");
    return *found;
}

}  // namespace

std::vector<std::string_view> system_names() {
    std::vector<std::string_view> names;
    for (const RegisteredSystem& one : systems) names.push_back(one.facts->name);
    return names;
}

const SystemFacts& system_facts(std::string_view name) {
    return *entry(name).facts;
}

std::shared_ptr<const TransitionSystem> make_system(std::string_view name, const SystemOptions& options) {
    return entry(name).make(options);
}

}  // namespace laconic::transition
