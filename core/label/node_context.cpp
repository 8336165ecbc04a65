#include "label/node_context.hpp"

#include "features/tree_steps.hpp"
#include "label/template_groups.hpp"
#include "learn/key.hpp"

namespace laconic::label {

NodeContext::NodeContext(const EdgeReader& reader, const SentenceTypes& words, const corpus::Tree& tree)
    : reader_(reader),
      words_(words),
      tree_(tree),
      nodes_(reader.addresses().size(), corpus::none),
      rows_(nodes_.size() + 1),
      codes_(nodes_.size() + 1) {
    for (const features::Slot& address : reader.addresses()) {
        Look look{Look::by_path, leads_to_child(address)};
        if (static_cast<features::Node>(address.node) == features::Node::token && address.steps == 0)
            look = {Look::by_index, false, {}, address.index};
        else if (static_cast<features::Node>(address.node) == features::Node::token && address.index == 0 &&
                 address.steps == 1)
            look = {Look::by_step, look.child, static_cast<features::Step>(address.path[0])};
        looks_.push_back(look);
    }
    for (const EdgeReader::Source& source : reader.sources()) {
        if (source.kind == EdgeReader::word) {
            places_.push_back({source.address, source.column});
            continue;
        }
        const auto column = static_cast<std::uint16_t>(tree_slots_.size());
        places_.push_back({static_cast<std::uint16_t>(nodes_.size()), column});
        tree_slots_.push_back({source.kind, source.address, column});
    }
    tree_atoms_.resize(tree_slots_.size());
    tree_codes_.resize(tree_slots_.size());
    rows_.back() = tree_atoms_.data();
    codes_.back() = tree_codes_.data();
    members_.resize(reader.sets() * features::most_children);
}

std::uint16_t NodeContext::tree_column(const EdgeReader& reader, std::uint16_t slot) noexcept {
    std::uint16_t column = 0;
    for (std::uint16_t before = 0; before < slot; ++before)
        column = static_cast<std::uint16_t>(column + (reader.sources()[before].kind != EdgeReader::word));
    return column;
}

std::span<const Atom> NodeContext::atoms(std::uint16_t slot) noexcept {
    const EdgeReader::Source& source = reader_.sources()[slot];
    Atom* to = members_.data() + source.set * features::most_children;
    std::size_t size = 0;
    for (const Node child : children_of(source.address))
        to[size++] = source.kind == EdgeReader::word ? words_.row(child)[source.column]
                                                     : tree_atom(tree_, corpus::none, source.kind, child);
    return {to, size};
}

static_assert(learn::ReadyContext<NodeContext>);

}  // namespace laconic::label
