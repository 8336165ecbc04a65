#include "label/context.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "features/tree_steps.hpp"
#include "learn/key.hpp"

namespace laconic::label {

namespace {

using features::Attribute;
using features::Step;

EdgeReader::Kind kind_of(Attribute attribute) {
    switch (attribute) {
        case Attribute::dep:
            return EdgeReader::dep;
        case Attribute::distance:
            return EdgeReader::distance;
        case Attribute::direction:
            return EdgeReader::direction;
        case Attribute::valency:
            return EdgeReader::valency;
        case Attribute::lvalency:
            return EdgeReader::left_valency;
        case Attribute::rvalency:
            return EdgeReader::right_valency;
        default:
            throw ConfigError("the templates of a labeler read something that an arc does not have");
    }
}

}  // namespace

EdgeReader::EdgeReader(const features::Plan& plan, std::span<const features::WordAttribute> words, corpus::Field pos)
    : columns_(words, plan.arguments(), pos),
      pos_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(pos)})) {
    for (const features::Slot& slot : plan.slots()) {
        Source source;
        source.address = address(slot);
        source.between = static_cast<features::Node>(slot.node) == features::Node::between;
        if (slot.many) source.set = static_cast<std::uint16_t>(sets_++);
        source.column = columns_.add(plan, slot);
        if (source.column == features::AtomColumns::none) source.kind = kind_of(static_cast<Attribute>(slot.attribute));
        sources_.push_back(source);
    }
}

std::uint16_t EdgeReader::address(const features::Slot& slot) {
    features::Slot wanted;
    wanted.node = slot.node;
    wanted.index = slot.index;
    wanted.steps = slot.steps;
    wanted.path = slot.path;
    const auto at = std::ranges::find(addresses_, wanted);
    const auto number = static_cast<std::uint16_t>(at - addresses_.begin());
    if (at == addresses_.end()) addresses_.push_back(wanted);
    return number;
}

namespace {

// The modifier next to one on the side of its head that looks to the head.
Node inner_sibling(const corpus::Tree& tree, Node modifier) noexcept {
    const Node head = tree.head(modifier);
    if (head == corpus::root) return corpus::none;  // it stands on no side of its modifiers
    const Node inner = modifier > head ? tree.previous_sibling(modifier) : tree.next_sibling(modifier);
    return (modifier > head ? inner > head : inner < head) ? inner : corpus::none;
}

}  // namespace

Node node_at(const corpus::Tree& tree, Node focus, const features::Slot& address) noexcept {
    Node node = focus;
    switch (static_cast<features::Node>(address.node)) {
        case features::Node::head:
            node = tree.head(focus);
            break;
        case features::Node::grand:
            node = tree.head(tree.head(focus));
            break;
        case features::Node::sib:
            node = inner_sibling(tree, focus);
            break;
        default:
            break;
    }
    if (address.index != 0) {
        const Node near = node + address.index;
        node = node > corpus::root && near > corpus::root && near <= tree.words() ? near : corpus::none;
    }
    for (std::size_t i = 0; i < address.steps && node != corpus::none; ++i)
        node = features::step_from(tree, node, static_cast<Step>(address.path[i]));
    return node;
}

Atom tree_atom(const corpus::Tree& tree, Node focus, EdgeReader::Kind kind, Node node) noexcept {
    if (node == corpus::none) return features::nothing;
    switch (kind) {
        case EdgeReader::distance:
            return features::distance_atom(node, tree.head(focus));
        case EdgeReader::direction:
            return features::direction_atom(node, tree.head(focus));
        case EdgeReader::valency:
            return features::valency_atom(tree.valency(node));
        case EdgeReader::left_valency:
            return features::valency_atom(tree.left_valency(node));
        default:
            return features::valency_atom(tree.right_valency(node));
    }
}

void refuse_heads(std::span<const std::int32_t> heads, std::size_t sentence) {
    const corpus::TreeFault fault = corpus::check_tree(heads);
    throw InputError("sentence " + std::to_string(sentence + 1) + " cannot get labels: " +
                         (fault.reason.empty() ? std::string("it has no heads") : fault.reason),
                     "");
}

std::vector<std::int32_t> check_heads(const corpus::Columns& columns) {
    std::vector<std::int32_t> all = columns.heads;
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const auto heads =
            std::span<const std::int32_t>(all).subspan(columns.sentences[sentence], columns.size_of(sentence));
        const bool absent = !heads.empty() && heads[0] == corpus::no_head;
        if (absent || !corpus::check_tree(heads).reason.empty()) refuse_heads(heads, sentence);
    }
    return all;
}

EdgeContext::EdgeContext(const EdgeReader& reader, const features::WordRows& rows, const corpus::Columns& columns)
    : reader_(reader),
      sources_(reader.sources().data()),
      columns_(columns),
      heads_(check_heads(columns)),
      words_(reader.columns(), rows, columns),
      found_(reader.addresses().size()),
      members_(reader.sets()) {
    for (Members& members : members_) members.atoms.reserve(most_between);
}

void EdgeContext::enter(std::size_t sentence) {
    tree_.enter(std::span(heads_).subspan(columns_.sentences[sentence], columns_.size_of(sentence)));
    words_.enter(sentence);
    labels_.assign(words_.size() + 1, features::unknown);
    labels_[corpus::root] = features::nothing;
}

std::span<const Atom> EdgeContext::atoms(std::uint16_t slot) const noexcept {
    const EdgeReader::Source& source = sources_[slot];
    Members& members = members_[source.set];
    if (members.decision == decision_) return members.atoms;
    members.decision = decision_;
    members.atoms.clear();
    if (source.between) {
        const Node head = tree_.head(modifier_);
        if (head == corpus::root) return members.atoms;
        const Node towards = head < modifier_ ? -1 : 1;
        for (Node word = modifier_ + towards; word != head && members.atoms.size() < most_between; word += towards)
            members.atoms.push_back(value(source, word));
        return members.atoms;
    }
    const Node parent = find(source.address);
    if (parent == corpus::none) return members.atoms;
    for (const Node child : shown_children(tree_, parent)) members.atoms.push_back(value(source, child));
    return members.atoms;
}

static_assert(learn::Context<EdgeContext>);
static_assert(features::SentenceTree<corpus::Tree>);

}  // namespace laconic::label
