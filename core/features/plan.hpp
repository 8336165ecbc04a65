#pragma once
// A template set compiled: which atoms each template joins. The order of templates is meaning and is never changed
// here.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace laconic::features {

// The value of one attribute of one node. Values are stable 32-bit hashes of strings, never ids of a batch or a table.
using Atom = std::uint32_t;
inline constexpr Atom unknown = 0;  // no information: a template with it is skipped without touching memory
inline constexpr Atom nothing = 1;  // the node does not exist, which is information

constexpr Atom as_atom(std::uint64_t hash) noexcept {
    const auto value = static_cast<Atom>(hash >> 32);
    return value > nothing ? value : value + 2;
}
inline Atom atom(std::string_view text) noexcept {
    return as_atom(hash_bytes(text));
}

// Where one atom is read: an attribute of the node reached from `node`[`index`] by the steps of `path`.
// The codes are those of the context kind that the template set was written for; a context reads nothing else.
struct Slot {
    static constexpr std::size_t max_steps = 5;

    std::uint8_t attribute = 0;
    std::uint8_t node = 0;
    std::int16_t index = 0;   // STACK1 is node STACK, index 1; TOKEN-2 is node TOKEN, index -2
    std::uint8_t number = 0;  // of the attribute: affix length, length of a cluster's prefix, how far back in history
    std::uint16_t argument = 0;  // of FEAT, DICT and CLUSTER: which of the plan's arguments names it
    std::uint8_t steps = 0;      // how much of `path` is used
    std::array<std::uint8_t, max_steps> path{};
    bool many = false;  // the node is a set: the context gives a span of atoms

    bool operator==(const Slot&) const = default;
};

// Slots are shared between templates: a context computes each at most once per decision.
class Plan {
public:
    // `templates` holds slot numbers; `names` the templates as text, from which the keys of features are seeded;
    // `arguments` the names of FEATS features and of dictionaries that slots refer to.
    Plan(std::vector<Slot> slots, const std::vector<std::vector<std::uint16_t>>& templates,
         const std::vector<std::string>& names, std::vector<std::string> arguments = {});

    [[nodiscard]] std::size_t size() const noexcept { return seeds_.size(); }
    [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
    [[nodiscard]] std::span<const std::uint16_t> operator[](std::size_t index) const noexcept {
        return {joined_.data() + begins_[index], begins_[index + 1] - begins_[index]};
    }
    // A template of up to three slots, none of them a set, for contexts in which reading a slot again is cheaper than a
    // branch on the number of slots: the first slot is repeated for those that are not there. Of other templates `size`
    // is 0.
    struct Brief {
        std::uint64_t seed = 0;
        std::array<std::uint16_t, 3> slots{};
        std::uint16_t size = 0;
    };
    [[nodiscard]] const Brief& brief(std::size_t index) const noexcept { return briefs_[index]; }
    // Does any slot of the template stand for a set?
    [[nodiscard]] bool many(std::size_t index) const noexcept { return many_[index] != 0; }
    [[nodiscard]] const std::vector<std::string>& arguments() const noexcept { return arguments_; }
    [[nodiscard]] std::uint64_t seed(std::size_t index) const noexcept { return seeds_[index]; }

private:
    std::vector<Slot> slots_;
    std::vector<std::uint16_t> joined_;  // slot numbers of all templates, one template after another
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint64_t> seeds_;
    std::vector<std::uint8_t> many_;
    std::vector<Brief> briefs_;
    std::vector<std::string> arguments_;
};

}  // namespace laconic::features
