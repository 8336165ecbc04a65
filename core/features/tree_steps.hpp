#pragma once
// What steps, distances and valencies mean, in every kind of context that has a tree: a finished one or one that a
// parser is building.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "corpus/tree.hpp"
#include "features/codes.hpp"
#include "features/plan.hpp"

namespace laconic::features {

// The value of every attribute of the artificial root that reads a word.
inline constexpr Atom root_atom = 2;

// Small numbers as atoms: behind `unknown`, `nothing` and the root.
constexpr Atom number_atom(std::uint32_t number) noexcept {
    return number + root_atom + 1;
}

// CHILDREN shows at most so many, from the left: whatever the tree, a decision costs a bounded number of steps.
inline constexpr std::size_t most_children = 32;

// A tree whose children are found in the order of the sentence. The neighbours of a node that does not exist are
// `none`.
template <class T>
concept SentenceTree = requires(const T& tree, corpus::Node node) {
    { tree.words() } -> std::convertible_to<corpus::Node>;
    { tree.head(node) } -> std::convertible_to<corpus::Node>;
    { tree.first_child(node) } -> std::convertible_to<corpus::Node>;
    { tree.last_child(node) } -> std::convertible_to<corpus::Node>;
    { tree.previous_sibling(node) } -> std::convertible_to<corpus::Node>;
    { tree.next_sibling(node) } -> std::convertible_to<corpus::Node>;
    { tree.left_valency(node) } -> std::convertible_to<std::uint32_t>;
    { tree.right_valency(node) } -> std::convertible_to<std::uint32_t>;
};

// The node that a step leads to; none if there is none. CHILDREN leads to a set, which is read elsewhere.
template <SentenceTree T>
[[nodiscard]] corpus::Node step_from(const T& tree, corpus::Node from, Step step) noexcept {
    if (from == corpus::none) return corpus::none;
    // A child that stands on the wrong side is none.
    const auto left = [from](corpus::Node child) { return child < from ? child : corpus::none; };
    const auto right = [from](corpus::Node child) { return child > from ? child : corpus::none; };
    switch (step) {
        case Step::h:
            return tree.head(from);
        case Step::lc:
            return left(tree.first_child(from));
        case Step::rc:
            return right(tree.last_child(from));
        case Step::lc2:
            return left(tree.next_sibling(left(tree.first_child(from))));
        case Step::rc2:
            return right(tree.previous_sibling(right(tree.last_child(from))));
        case Step::fc:
            return tree.first_child(from);
        case Step::ec:
            return tree.last_child(from);
        case Step::fc2:
            return tree.next_sibling(tree.first_child(from));
        case Step::ec2:
            return tree.previous_sibling(tree.last_child(from));
        case Step::ls:
            return tree.previous_sibling(from);
        case Step::rs:
            return tree.next_sibling(from);
        case Step::pw:
            return from > 1 ? from - 1 : corpus::none;
        case Step::fw:
            return from > corpus::root && from < tree.words() ? from + 1 : corpus::none;
        case Step::children:
            return from;
    }
    return corpus::none;
}

// Distances of at least 1 in steps that grow: 1, 2, 3, 4, 5 to 7, 8 to 15, more are the numbers from 1 to 7.
constexpr std::uint32_t distance_step(std::uint32_t distance) noexcept {
    return distance <= 4 ? distance : distance <= 7 ? 5 : distance <= 15 ? 6 : 7;
}

// Where there is nothing to count, the number 0 stands for NOTHING; what is counted stands behind it.
constexpr Atom small_atom(std::uint32_t number) noexcept {
    return number == 0 ? nothing : number_atom(number - 1);
}

// DISTANCE. The root stands nowhere in the sentence: NOTHING.
constexpr std::uint32_t distance_number(corpus::Node node, corpus::Node origin) noexcept {
    if (node <= corpus::root || origin <= corpus::root) return 0;
    return 1 + distance_step(static_cast<std::uint32_t>(node < origin ? origin - node : node - origin));
}
constexpr Atom distance_atom(corpus::Node node, corpus::Node origin) noexcept {
    return small_atom(distance_number(node, origin));
}

// DIRECTION: 0 to the left of the origin, otherwise 1.
constexpr std::uint32_t direction_number(corpus::Node node, corpus::Node origin) noexcept {
    return node <= corpus::root || origin <= corpus::root ? 0 : node < origin ? 1 : 2;
}
constexpr Atom direction_atom(corpus::Node node, corpus::Node origin) noexcept {
    return small_atom(direction_number(node, origin));
}

// VALENCY and its like: more than seven children count as seven.
constexpr std::uint32_t valency_number(std::uint32_t children) noexcept {
    return 1 + std::min<std::uint32_t>(children, 7);
}
constexpr Atom valency_atom(std::uint32_t children) noexcept {
    return small_atom(valency_number(children));
}

}  // namespace laconic::features
