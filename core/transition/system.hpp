#pragma once
// What a transition system is: which moves there are, when they may be made, and what they do.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "transition/gold.hpp"
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

// What oracles say of each move: how many arcs of the gold tree it would lose that could still be had before it.
using Costs = std::array<std::uint32_t, max_moves>;

// The arc that a move makes: its dependent stands to the left of its head, or to the right of it.
enum class MoveArc : std::uint8_t { none, left, right };
struct MoveFacts {
    std::string_view name;
    MoveArc arc = MoveArc::none;
};

// Where the focus of the step-back system goes after an arc.
enum class Focus : std::uint8_t { step_back, stay, start_over };
// Which moves of the step-back system say that a relation holds but that the child still lacks children.
enum class Waits : std::uint8_t { left, none, both };

// What a system is made with. A system that lacks a choice ignores it.
struct SystemOptions {
    bool single_root = false;
    Focus focus = Focus::step_back;
    Waits waits = Waits::left;
};

// What is known of a system before it runs.
struct SystemFacts {
    std::string_view name;
    std::span<const MoveFacts> moves;
    std::string_view template_kind = "transition";  // the kind of the templates that read its states
    bool projective = false;                        // builds projective trees only
    bool dynamic = false;                           // its oracle knows costs off the gold path
    bool joint_labels = true;                       // may its actions name the labels of arcs?
    bool has_focus = false;                         // SystemOptions::focus and waits are for it
    bool makes_roots = false;                       // a right arc on the lowest word of the stack comes from the root
    bool reorders = false;                          // words change places: a left arc may end up pointing to the right
};

// A system is chosen by name when a parser is made. Cost: about four virtual calls a decision.
class TransitionSystem {
public:
    explicit TransitionSystem(const SystemOptions& options) noexcept : single_root_(options.single_root) {}
    virtual ~TransitionSystem() = default;
    TransitionSystem(const TransitionSystem&) = delete;
    TransitionSystem& operator=(const TransitionSystem&) = delete;

    [[nodiscard]] virtual const SystemFacts& facts() const noexcept = 0;
    // No move is left.
    [[nodiscard]] virtual bool done(const State& state) const noexcept = 0;
    // Moves that are possible: never empty before the sentence is done.
    [[nodiscard]] virtual Moves valid(const State& state) const noexcept = 0;
    // What a move would add; no arc for some.
    [[nodiscard]] virtual Arc arc(const State& state, Move move) const noexcept = 0;
    // One step.
    virtual void apply(State& state, Move move, Relation relation) const = 0;
    // Heads for words that ended without one.
    virtual void finish(State& state, Relation root_relation, Relation spare) const = 0;
    // The oracle.
    [[nodiscard]] virtual Costs costs(const State& state, const Gold& gold) const = 0;

    [[nodiscard]] bool single_root() const noexcept { return single_root_; }
    // Would a right arc come from the root now?
    [[nodiscard]] bool rooted(const State& state) const noexcept {
        return facts().makes_roots && state.stack_size() == 1;
    }

private:
    bool single_root_;
};

// Systems that attach every word on the way: the root lies under the stack, and a right arc into the lowest word of the
// stack comes from it.
class RootUnderStack : public TransitionSystem {
public:
    using TransitionSystem::TransitionSystem;

    [[nodiscard]] bool done(const State& state) const noexcept final {
        return state.stack_size() == 0 && state.queue_size() == 0;
    }
    void finish(State&, Relation, Relation) const noexcept final {}  // every word has its head

protected:
    // A move that makes an arc takes its dependent, the top of the stack or the word below, off the stack; one that
    // makes none shifts the next word.
    static void step(State& state, Move move, Arc made, Relation relation) {
        if (made.exists()) {
            state.attach(made, relation);
            if (const Node top = state.pop(); top != made.dependent) {
                state.pop();
                state.push(top);
            }
        } else {
            state.shift();
        }
        state.remember(move);
    }
    [[nodiscard]] static Node below_top(const State& state) noexcept {
        return state.stack_size() > 1 ? state.stack(1) : root;
    }
};

constexpr ArcKind kind_of(Arc arc) noexcept {
    if (arc.head == root) return ArcKind::from_root;
    return arc.dependent < arc.head ? ArcKind::left : ArcKind::right;
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
