#include "transition/context.hpp"

#include "base/error.hpp"
#include "learn/key.hpp"

namespace laconic::transition {

namespace {

using features::Attribute;
using features::Step;

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

Reader::Reader(const features::Plan& plan, features::AtomColumns& columns) {
    address({Address::queue, 0, 0});
    address({Address::head, 0, 0});
    for (const features::Slot& slot : plan.slots()) {
        Source source{Source::word, slot.number, address(base_of(slot)), 0, 0};
        for (std::size_t i = 0; i < slot.steps; ++i)
            if (static_cast<Step>(slot.path[i]) != Step::children)
                source.address = address({Address::step, slot.path[i], source.address});
        if (slot.many) source.set = static_cast<std::uint16_t>(sets_++);
        source.column = columns.add(plan, slot);
        if (source.column == features::AtomColumns::none) source.kind = kind_of(static_cast<Attribute>(slot.attribute));
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

Atom StateContext::of_state(const Reader::Source& source, Node node) noexcept {
    if (source.kind == Reader::Source::dep) {
        const Relation relation = node == none ? no_relation : state_->relation(node);
        return relation == no_relation ? features::nothing : relations_[relation];
    }
    return features::small_atom(
        state_number(*state_, source, node, [this](std::uint16_t address) { return find(address); }));
}

std::span<const Atom> StateContext::atoms(std::uint16_t slot) {
    const Reader::Source& source = sources_[slot];
    std::vector<Atom>& set = sets_[source.set];
    set.clear();
    for (Node child = state_->first_child(find(source.address)); child != none && set.size() < features::most_children;
         child = state_->next_sibling(child))
        set.push_back(source.kind == Reader::Source::word ? (*words_)[child][source.column] : of_state(source, child));
    return set;
}

static_assert(learn::Context<StateContext>);
static_assert(features::SentenceTree<State>);

}  // namespace laconic::transition
