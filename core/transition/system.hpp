#pragma once
// What a transition system is: which moves there are, when they may be made, and what they do.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "transition/state.hpp"

namespace laconic::transition {

// A set of moves: bit m stands for move m.
using Moves = std::uint32_t;

constexpr Moves only(Move move) noexcept {
    return Moves{1} << move;
}
constexpr Moves only_if(bool possible, Move move) noexcept {
    return Moves{possible} << move;
}
constexpr bool has(Moves moves, Move move) noexcept {
    return (moves >> move & 1) != 0;
}

// Which labels an arc may get depends on how it came about.
enum class ArcKind : std::uint8_t { left, right, from_root };
inline constexpr std::size_t arc_kinds = 3;
inline constexpr std::size_t max_moves = 8;

template <class T>
concept System = requires(const T& system, State& state, const State& seen, Move move, Relation relation) {
    { T::names.size() } -> std::convertible_to<std::size_t>;  // a word for each move
    { T::dynamic } -> std::convertible_to<bool>;              // has it costs off the gold path?
    { T::makes_roots } -> std::convertible_to<bool>;          // does a right arc on the lowest word come from the root?
    { system.done(seen) } -> std::same_as<bool>;              // no move is left
    { system.valid(seen) } -> std::same_as<Moves>;            // never empty before that
    { system.arc(seen, move) } -> std::same_as<Arc>;          // what a move would add; none for some
    { system.apply(state, move, relation) } -> std::same_as<void>;       // one step
    { system.finish(state, relation, relation) } -> std::same_as<void>;  // heads for words that ended without one
};

constexpr ArcKind kind_of(Arc arc) noexcept {
    if (arc.head == root) return ArcKind::from_root;
    return arc.dependent < arc.head ? ArcKind::left : ArcKind::right;
}

// Would a right arc come from the root now?
template <System S>
bool rooted(const State& state) noexcept {
    return S::makes_roots && state.stack_size() == 1;
}

// Words without a head become roots; where there may be one root only, all but the first hang on the first.
inline void attach_rest(State& state, bool single_root, Relation root_relation, Relation spare) {
    Node first = none;
    for (Node node = 1; node <= state.words(); ++node)
        if (state.head(node) == root && first == none) first = node;
    for (Node node = 1; node <= state.words(); ++node) {
        if (state.head(node) != none) continue;
        if (single_root && first != none) {
            state.attach({first, node}, spare);
        } else {
            state.attach({root, node}, root_relation);
            first = node;
        }
    }
}

}  // namespace laconic::transition
