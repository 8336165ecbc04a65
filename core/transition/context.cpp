#include "transition/context.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "learn/key.hpp"

namespace laconic::transition {

namespace {

using features::Attribute;
using features::Step;

// Small numbers as atoms: behind `unknown`, `nothing` and the root.
Atom number_atom(std::uint32_t value) noexcept {
    return value + root_atom + 1;
}

// 1, 2, 3, 4, 5 to 7, 8 to 15, more.
std::uint32_t distance_bin(std::uint32_t distance) noexcept {
    if (distance <= 4) return distance;
    return distance <= 7 ? 5 : distance <= 15 ? 6 : 7;
}

constexpr std::uint32_t most_children = 7;  // a valency beyond counts as this

Reader::Source::Kind kind_of(Attribute attribute) {
    switch (attribute) {
        case Attribute::dep:
            return Reader::Source::dep;
        case Attribute::distance:
            return Reader::Source::distance;
        case Attribute::direction:
            return Reader::Source::direction;
        case Attribute::valency:
            return Reader::Source::valency;
        case Attribute::lvalency:
            return Reader::Source::left_valency;
        case Attribute::rvalency:
            return Reader::Source::right_valency;
        case Attribute::history:
            return Reader::Source::history;
        default:
            throw ConfigError("the templates of a parser read something that a parser does not have");
    }
}

Reader::Address base_of(const features::Slot& slot) {
    const auto index = static_cast<std::uint16_t>(slot.index);
    switch (static_cast<features::Node>(slot.node)) {
        case features::Node::stack:
            return {Reader::Address::stack, 0, index};
        case features::Node::queue:
            return {Reader::Address::queue, 0, index};
        case features::Node::focus:
            if (slot.index > 0) return {Reader::Address::queue, 0, static_cast<std::uint16_t>(slot.index - 1)};
            return {Reader::Address::stack, 0, static_cast<std::uint16_t>(-slot.index)};
        case features::Node::head:
            return {Reader::Address::head, 0, 0};
        case features::Node::mod:
            return {Reader::Address::mod, 0, 0};
        case features::Node::state:
            return {Reader::Address::state, 0, 0};
        default:
            throw ConfigError("the templates of a parser start from STACK, QUEUE, FOCUS, HEAD, MOD or STATE");
    }
}

}  // namespace

Reader::Reader(const features::Plan& plan, Layout& layout) {
    address({Address::queue, 0, 0});
    address({Address::head, 0, 0});
    for (const features::Slot& slot : plan.slots()) {
        Source source{Source::word, slot.number, address(base_of(slot)), 0, 0};
        for (std::size_t i = 0; i < slot.steps; ++i)
            if (static_cast<Step>(slot.path[i]) != Step::children)
                source.address = address({Address::step, slot.path[i], source.address});
        if (slot.many) source.set = static_cast<std::uint16_t>(sets_++);
        source.column = layout.add(plan, slot);
        if (source.column == Layout::none) source.kind = kind_of(static_cast<Attribute>(slot.attribute));
        // Distances of the dependent of an arc count from its head, those of a pair from its first word, all others
        // from the next word.
        const auto node = static_cast<features::Node>(slot.node);
        if (source.kind == Source::distance || source.kind == Source::direction)
            source.column = node == features::Node::mod     ? arc_head
                            : node == features::Node::focus ? address({Address::stack, 0, 0})
                                                            : next_word;
        sources_.push_back(source);
    }
}

std::uint16_t Reader::address(Address wanted) {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        const Address& one = addresses_[i];
        if (one.kind == wanted.kind && one.step_code == wanted.step_code && one.from == wanted.from)
            return static_cast<std::uint16_t>(i);
    }
    addresses_.push_back(wanted);
    return static_cast<std::uint16_t>(addresses_.size() - 1);
}

Node StateContext::resolve(Reader::Address address) noexcept {
    switch (address.kind) {
        case Reader::Address::stack:
            return state_->stack(address.from);
        case Reader::Address::queue:
            return state_->queue(address.from);
        case Reader::Address::head:
            return arc_.head;
        case Reader::Address::mod:
            return arc_.dependent;
        case Reader::Address::step:
            return step(static_cast<Step>(address.step_code), find(address.from));
        default:
            return none;
    }
}

Node StateContext::step(Step step, Node from) const noexcept {
    if (from == none) return none;
    switch (step) {
        case Step::h:
            return state_->head(from);
        case Step::lc:
            return state_->leftmost(from);
        case Step::rc:
            return state_->rightmost(from);
        case Step::lc2:
            return state_->leftmost2(from);
        case Step::rc2:
            return state_->rightmost2(from);
        case Step::ls:
            return state_->previous_sibling(from);
        case Step::rs:
            return state_->next_sibling(from);
        case Step::pw:
            return from > 1 ? from - 1 : none;
        case Step::fw:
            return from > root && from < state_->words() ? from + 1 : none;
        default:
            return from;
    }
}

Atom StateContext::of_state(const Reader::Source& source, Node node) noexcept {
    using Kind = Reader::Source::Kind;
    if (source.kind == Kind::history) return number_atom(state_->history(source.number));
    if (node == none) return features::nothing;
    switch (source.kind) {
        case Kind::dep: {
            const Relation relation = state_->relation(node);
            return relation == no_relation ? features::nothing : relations_[relation];
        }
        case Kind::distance:
        case Kind::direction: {
            const Node origin = find(source.column);
            if (origin == none || origin == root || node == root) return features::nothing;
            if (source.kind == Kind::direction) return number_atom(node < origin ? 0 : 1);
            return number_atom(distance_bin(static_cast<std::uint32_t>(node < origin ? origin - node : node - origin)));
        }
        case Kind::valency:
            return number_atom(std::min(state_->valency(node), most_children));
        case Kind::left_valency:
            return number_atom(std::min(state_->left_valency(node), most_children));
        default:
            return number_atom(std::min(state_->right_valency(node), most_children));
    }
}

std::span<const Atom> StateContext::atoms(std::uint16_t slot) {
    const Reader::Source& source = sources_[slot];
    std::vector<Atom>& set = sets_[source.set];
    set.clear();
    for (Node child = state_->first_child(find(source.address)); child != none && set.size() < max_children;
         child = state_->next_sibling(child))
        set.push_back(source.kind == Reader::Source::word ? (*words_)[child][source.column] : of_state(source, child));
    return set;
}

static_assert(learn::Context<StateContext>);

}  // namespace laconic::transition
