#include "learn/shape.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "features/codes.hpp"

namespace laconic::learn {

namespace {

using features::Attribute;
using features::Slot;

bool same_node(const Slot& left, const Slot& right) {
    return left.node == right.node && left.index == right.index && left.steps == right.steps && left.path == right.path;
}

}  // namespace

Shape::Shape(const features::Plan& plan, std::vector<std::uint32_t> wanted)
    : groups(plan.size(), direct), exits(std::move(wanted)), exit_of(plan.size()), merged(plan.size(), 1) {
    const auto slot_of = [&](std::size_t j) -> const Slot* {
        const Slot& slot = plan.slots()[plan[j][0]];
        const auto attribute = static_cast<Attribute>(slot.attribute);
        const bool named = attribute == Attribute::dict || attribute == Attribute::cluster;
        const bool factored = plan[j].size() == 1 && !slot.many && !named && features::word_level(attribute);
        return factored ? &slot : nullptr;
    };
    for (std::size_t j = 0; j < plan.size();) {
        const Slot* leader = slot_of(j);
        std::size_t end = j + 1;
        if (leader != nullptr) {
            while (end < plan.size() && slot_of(end) != nullptr && same_node(*leader, *slot_of(end))) ++end;
            for (std::size_t i = j; i < end; ++i) groups[i] = static_cast<std::int32_t>(matrices);
            ++matrices;
            if (static_cast<Attribute>(leader->attribute) == Attribute::lex)
                merged[j] = static_cast<std::uint32_t>(end - j);
        }
        j = end;
    }
    const auto all = static_cast<std::uint32_t>(plan.size());
    std::erase_if(exits, [&](std::uint32_t depth) {
        return depth == 0 || depth >= all || (groups[depth] != direct && groups[depth] == groups[depth - 1]);
    });
    std::ranges::sort(exits);
    exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
    exits.push_back(all);
    for (std::uint32_t j = 0, exit = 0; j < all; ++j) {
        if (j == exits[exit]) ++exit;
        exit_of[j] = exit;
    }
}

}  // namespace laconic::learn
