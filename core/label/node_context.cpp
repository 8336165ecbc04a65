#include "label/node_context.hpp"

#include "features/tree_steps.hpp"
#include "learn/key.hpp"

namespace laconic::label {

NodeContext::NodeContext(const EdgeReader& reader, const SentenceTypes& words, const corpus::Tree& tree)
    : reader_(reader),
      words_(words),
      tree_(tree),
      addresses_(reader.addresses()),
      nodes_(addresses_.size(), corpus::none),
      rows_(addresses_.size() + 1) {
    for (const EdgeReader::Source& source : reader.sources()) {
        if (source.kind == EdgeReader::word) {
            places_.push_back({source.address, source.column});
            continue;
        }
        const auto column = static_cast<std::uint16_t>(tree_slots_.size());
        places_.push_back({static_cast<std::uint16_t>(addresses_.size()), column});
        tree_slots_.push_back({source.kind, source.address, column});
    }
    tree_atoms_.resize(tree_slots_.size());
    rows_.back() = tree_atoms_.data();
    members_.resize(reader.sets() * features::most_children);
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
