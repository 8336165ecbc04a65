#pragma once
// From a context to the keys of its features. A task supplies the context; nothing else in `learn` knows what a slot
// means.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "features/plan.hpp"

namespace laconic::learn {

using features::Atom;
using features::Plan;

// Reads atoms of one decision, lazily: an atom that no template reads is not computed.
template <class T>
concept Context = requires(T& context, std::uint16_t slot) {
    { context.atom(slot) } -> std::convertible_to<Atom>;                    // of a single node
    { context.atoms(slot) } -> std::convertible_to<std::span<const Atom>>;  // of a set-valued node
};

// One whose atoms are computed before the decision: reading an atom twice is then cheaper than a branch on whether it
// was read.
template <class T>
concept ReadyContext = Context<T> && T::ready;

// What a context found of some templates: rows of weights, sums of rows that were added before, and how many rows both
// stand for.
struct FoundRows {
    std::span<const std::int8_t* const> rows;
    std::span<const std::int16_t* const> sums;
    std::uint64_t read = 0;
};

// One that finds rows of weights itself: of the templates in a range all but some others, which are read through its
// interpreter.
template <class T>
concept RowContext = Context<T> && requires(T& context, std::size_t index) {
    { context.rows(index, index) } -> std::same_as<FoundRows>;
    { context.others(index, index) } -> std::convertible_to<std::span<const std::uint16_t>>;
    { context.interpreter() } -> Context;
};

// Ends the mixing of atoms: both halves of the result depend on every bit before.
constexpr std::uint64_t finish(std::uint64_t key) noexcept {
    key *= 0xd6e8feb86659fd93ULL;
    return key ^ (key >> 32);
}

// Calls visit(key) for each feature of one template: none if an atom is unknown, one per combination of members for
// set-valued nodes.
template <Context C, class Visit>
inline void visit_keys(const Plan& plan, std::size_t index, C& context, Visit&& visit) {
    std::uint64_t key = plan.seed(index);
    const std::span<const std::uint16_t> slots = plan[index];
    if (!plan.many(index)) [[likely]] {
        for (const std::uint16_t slot : slots) {
            const Atom value = context.atom(slot);
            if (value == features::unknown) return;
            key = mix(key, value);
        }
        visit(finish(key));
        return;
    }
    const auto descend = [&](auto&& self, std::size_t depth, std::uint64_t prefix) -> void {
        if (depth == slots.size()) {
            visit(finish(prefix));
        } else if (plan.slots()[slots[depth]].many) {
            for (const Atom value : context.atoms(slots[depth]))
                if (value != features::unknown) self(self, depth + 1, mix(prefix, value));
        } else if (const Atom value = context.atom(slots[depth]); value != features::unknown) {
            self(self, depth + 1, mix(prefix, value));
        }
    };
    descend(descend, 0, key);
}

// The key of a brief template, and whether all of its atoms are known. Without a branch: the processor would guess
// wrong once in a while, which takes longer than everything else here.
struct BriefKey {
    std::uint64_t key;
    bool known;
};
template <ReadyContext C>
inline BriefKey brief_key(const Plan::Brief& brief, C& context) {
    const Atom first = context.atom(brief.slots[0]);
    const Atom second = context.atom(brief.slots[1]);
    const Atom third = context.atom(brief.slots[2]);
    const std::uint64_t one = mix(brief.seed, first);
    const std::uint64_t two = mix(one, second);
    const std::uint64_t three = mix(two, third);
    const std::uint64_t key = brief.size == 1 ? one : brief.size == 2 ? two : three;
    const bool known = (first != features::unknown) & (second != features::unknown) & (third != features::unknown);
    return {finish(key), known};
}

// A context over one row of a plain array of atoms: a slot reads the column of its index, a set-valued one `argument`
// columns from there on.
class ArrayContext {
public:
    ArrayContext(const Plan& plan, std::span<const Atom> row) noexcept : slots_(plan.slots()), row_(row) {}
    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept { return row_[column(slot)]; }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) const noexcept {
        return row_.subspan(column(slot), slots_[slot].argument);
    }
    // How many columns a plan reads; more than there can be if a slot names none.
    [[nodiscard]] static std::size_t columns(const Plan& plan) noexcept {
        std::size_t needed = 0;
        for (const features::Slot& slot : plan.slots()) {
            if (slot.index < 0) return std::numeric_limits<std::size_t>::max();
            needed = std::max(needed, static_cast<std::size_t>(slot.index) + (slot.many ? slot.argument : 1U));
        }
        return needed;
    }

private:
    [[nodiscard]] std::size_t column(std::uint16_t slot) const noexcept {
        return static_cast<std::size_t>(slots_[slot].index);
    }

    std::span<const features::Slot> slots_;
    std::span<const Atom> row_;
};

}  // namespace laconic::learn
