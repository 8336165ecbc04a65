#include "features/plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace laconic::features {

Plan::Plan(std::vector<Slot> slots, const std::vector<std::vector<std::uint16_t>>& templates,
           const std::vector<std::string>& names, std::vector<std::string> arguments)
    : slots_(std::move(slots)), begins_{0}, arguments_(std::move(arguments)) {
    if (names.size() != templates.size()) throw std::invalid_argument("a plan needs one name per template");
    for (std::size_t i = 0; i < templates.size(); ++i) {
        if (templates[i].empty()) throw std::invalid_argument("a template joins at least one slot");
        bool many = false;
        for (const std::uint16_t slot : templates[i]) {
            if (slot >= slots_.size()) throw std::invalid_argument("a template names a slot that does not exist");
            many = many || slots_[slot].many;
            joined_.push_back(slot);
        }
        begins_.push_back(static_cast<std::uint32_t>(joined_.size()));
        seeds_.push_back(hash_bytes(names[i]));
        many_.push_back(many ? 1 : 0);
        Brief brief{seeds_.back()};
        if (!many && templates[i].size() <= brief.slots.size()) {
            brief.slots.fill(templates[i].front());
            std::ranges::copy(templates[i], brief.slots.begin());
            brief.size = static_cast<std::uint16_t>(templates[i].size());
        }
        briefs_.push_back(brief);
    }
}

}  // namespace laconic::features
