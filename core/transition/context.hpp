#pragma once
// What a template sees of the state of a transition parser.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/codes.hpp"
#include "features/plan.hpp"
#include "features/sentence_atoms.hpp"
#include "features/tree_steps.hpp"
#include "transition/state.hpp"

namespace laconic::transition {

using features::Atom;

// Where each slot of a plan finds its atom. Slots at the same address share it, so that a decision finds each node
// once, and addresses share the paths that lead to them.
class Reader {
public:
    // Adds the columns that the plan reads. Throws ConfigError for a slot that a parser cannot fill.
    Reader(const features::Plan& plan, features::AtomColumns& columns);

    struct Address {
        enum Kind : std::uint8_t { stack, queue, head, mod, state, step } kind;
        std::uint8_t step_code;  // for a step: which, from the address `from`
        std::uint16_t from;      // or the index on the stack or in the queue
    };
    struct Source {
        enum Kind : std::uint8_t {
            word,  // a column of the words
            dep,
            distance,
            direction,
            valency,
            left_valency,
            right_valency,
            history
        } kind;
        std::uint8_t number;  // how far back in history
        std::uint16_t address;
        std::uint16_t column;
        std::uint16_t set;  // for the children of a node: which buffer

        // Counted from the address in `column`?
        [[nodiscard]] bool measured() const noexcept { return kind == distance || kind == direction; }
    };
    [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
    [[nodiscard]] const std::vector<Address>& addresses() const noexcept { return addresses_; }
    [[nodiscard]] std::size_t sets() const noexcept { return sets_; }
    // Addresses that distances and directions are measured from.
    static constexpr std::uint16_t next_word = 0, arc_head = 1;

private:
    std::uint16_t address(Address wanted);

    std::vector<Source> sources_;
    std::vector<Address> addresses_;
    std::size_t sets_ = 0;
};

// The node at an address; find(address) is that at another one.
template <class Find>
[[nodiscard]] Node resolve(const State& state, Arc arc, Reader::Address address, Find&& find) noexcept {
    switch (address.kind) {
        case Reader::Address::stack:
            return state.stack(address.from);
        case Reader::Address::queue:
            return state.queue(address.from);
        case Reader::Address::head:
            return arc.head;
        case Reader::Address::mod:
            return arc.dependent;
        case Reader::Address::step:
            return features::step_from(state, find(address.from), static_cast<features::Step>(address.step_code));
        default:
            return none;
    }
}

// What a source reads of the state, DEP excepted, as a number: 0 where there is nothing to read, else below
// `small_numbers`, HISTORY excepted.
inline constexpr std::uint32_t small_numbers = 9;
template <class Find>
[[nodiscard]] std::uint32_t state_number(const State& state, const Reader::Source& source, Node node,
                                         Find&& find) noexcept {
    using Kind = Reader::Source::Kind;
    if (source.kind == Kind::history) return std::uint32_t{state.history(source.number)} + 1;
    if (node == none) return 0;
    switch (source.kind) {
        case Kind::distance:
            return features::distance_number(node, find(source.column));
        case Kind::direction:
            return features::direction_number(node, find(source.column));
        case Kind::valency:
            return features::valency_number(state.valency(node));
        case Kind::left_valency:
            return features::valency_number(state.left_valency(node));
        default:
            return features::valency_number(state.right_valency(node));
    }
}

// One decision after another about one sentence. An address is resolved when a template first reads it.
class StateContext {
public:
    // `relations` has the atom of each label. Nothing is copied: all must outlive this.
    StateContext(const Reader& reader, const features::SentenceAtoms& words, const State& state,
                 std::span<const Atom> relations)
        : sources_(reader.sources().data()),
          addresses_(reader.addresses().data()),
          words_(&words),
          state_(&state),
          relations_(relations),
          found_(reader.addresses().size()),
          sets_(reader.sets()) {}

    // Another state of the same sentence.
    void look_at(const State& state) noexcept { state_ = &state; }
    // The state or the arc has changed: the next decision.
    void refresh(Arc arc = {}) noexcept {
        arc_ = arc;
        if (++now_ == 0) {
            for (Found& one : found_) one.when = 0;
            now_ = 1;
        }
    }

    [[nodiscard]] Atom atom(std::uint16_t slot) noexcept {
        const Reader::Source& source = sources_[slot];
        const Node node = find(source.address);
        if (source.kind == Reader::Source::word) [[likely]]
            return (*words_)[node][source.column];
        return of_state(source, node);
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot);

private:
    struct Found {
        std::uint32_t when = 0;
        Node node = none;
    };

    [[nodiscard]] Node find(std::uint16_t address) noexcept {
        Found& found = found_[address];
        if (found.when != now_)
            found = {now_, resolve(*state_, arc_, addresses_[address], [this](std::uint16_t at) { return find(at); })};
        return found.node;
    }
    [[nodiscard]] Atom of_state(const Reader::Source& source, Node node) noexcept;

    const Reader::Source* sources_;
    const Reader::Address* addresses_;
    const features::SentenceAtoms* words_;
    const State* state_;
    std::span<const Atom> relations_;
    Arc arc_{};
    std::uint32_t now_ = 0;
    std::vector<Found> found_;
    std::vector<std::vector<Atom>> sets_;
};

}  // namespace laconic::transition
