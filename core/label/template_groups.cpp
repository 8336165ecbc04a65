#include "label/template_groups.hpp"

#include <algorithm>
#include <utility>

namespace laconic::label {

namespace {

constexpr std::size_t fewest_to_fold = 3;

// Does an address lead to the word in focus, or to a child of it?
bool is_focus(const features::Slot& address) {
    return static_cast<features::Node>(address.node) == features::Node::token && address.index == 0 &&
           address.steps == 0;
}
bool is_child(const features::Slot& address) {
    using enum features::Step;
    if (static_cast<features::Node>(address.node) != features::Node::token || address.index != 0) return false;
    if (address.steps == 0) return false;
    switch (static_cast<features::Step>(address.path[0])) {
        case lc:
        case rc:
        case lc2:
        case rc2:
        case fc:
        case ec:
        case fc2:
        case ec2:
        case children:
            return true;
        default:
            return false;
    }
}

}  // namespace

TemplateGroups::TemplateGroups(const features::Plan& plan, const EdgeReader& reader) : folded_(1) {
    std::vector<Group> groups;
    bool leading = true;
    for (std::size_t j = 0; j < plan.size(); ++j) {
        const auto slots = plan[j];
        const EdgeReader::Source& first = reader.sources()[slots[0]];
        const bool children = plan.slots()[slots[0]].many;
        const auto same_word = [&](std::uint16_t slot) {
            const EdgeReader::Source& source = reader.sources()[slot];
            return source.kind == EdgeReader::word && source.address == first.address &&
                   plan.slots()[slot].many == children && (!children || slots.size() == 1);
        };
        const auto number = static_cast<std::uint16_t>(j);
        const bool single = std::ranges::all_of(slots, same_word);
        leading = leading && single && is_focus(reader.addresses()[first.address]) && !children;
        const auto near = [&](std::uint16_t slot) {
            const features::Slot& address = reader.addresses()[reader.sources()[slot].address];
            return is_focus(address) || is_child(address);
        };
        if (!single) {
            (std::ranges::all_of(slots, near) ? of_children_ : others_).push_back(number);
        } else if (leading) {
            folded_[0].address = first.address;
            folded_[0].templates.push_back(number);
        } else {
            const auto same = [&](const Group& group) {
                return group.address == first.address && group.children == children;
            };
            auto at = std::ranges::find_if(groups, same);
            if (at == groups.end()) at = groups.insert(at, {first.address, children, {}});
            at->templates.push_back(number);
        }
    }
    for (Group& group : groups) {
        if (group.templates.size() >= fewest_to_fold) {
            folded_.push_back(std::move(group));
        } else {
            small_templates_ += group.templates.size();
            small_.push_back(std::move(group));
        }
    }
}

}  // namespace laconic::label
