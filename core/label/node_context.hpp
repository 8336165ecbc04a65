#pragma once
// What templates of the kind `node` see of a word in a whole tree, for words whose types are known.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/tree.hpp"
#include "label/context.hpp"
#include "label/word_types.hpp"

namespace laconic::label {

// All words that templates look at are found when a word comes into focus: an atom then is one look into memory.
class NodeContext {
public:
    static constexpr bool ready = true;

    // Nothing is copied: all must outlive this.
    NodeContext(const EdgeReader& reader, const SentenceTypes& words, const corpus::Tree& tree);

    void focus(Node node) noexcept {
        for (std::size_t i = 0; i < addresses_.size(); ++i) {
            const features::Slot& address = addresses_[i];
            const Node near = node + address.index;
            if (address.steps > 0)
                nodes_[i] = node_at(tree_, node, address);
            else
                nodes_[i] = near == node || (node > corpus::root && near > corpus::root && near <= tree_.words())
                                ? near
                                : corpus::none;
            rows_[i] = words_.row(nodes_[i]);
        }
        for (const TreeSlot& slot : tree_slots_)
            tree_atoms_[slot.column] = tree_atom(tree_, node, slot.kind, nodes_[slot.address]);
    }
    [[nodiscard]] std::uint32_t type_of(std::uint16_t address) const noexcept { return words_[nodes_[address]]; }
    [[nodiscard]] std::span<const Node> children_of(std::uint16_t address) const noexcept {
        const Node parent = nodes_[address];
        return parent == corpus::none ? std::span<const Node>() : shown_children(tree_, parent);
    }

    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept {
        const Place place = places_[slot];
        return rows_[place.row][place.column];
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) noexcept;

private:
    struct Place {
        std::uint16_t row, column;
    };
    struct TreeSlot {
        EdgeReader::Kind kind;
        std::uint16_t address, column;
    };

    const EdgeReader& reader_;
    const SentenceTypes& words_;
    const corpus::Tree& tree_;
    const std::vector<features::Slot>& addresses_;
    std::vector<Place> places_;         // of each slot
    std::vector<TreeSlot> tree_slots_;  // slots that read the tree
    std::vector<Node> nodes_;           // at each address
    std::vector<const Atom*> rows_;     // at each address, then those of the tree
    std::vector<Atom> tree_atoms_;
    // Of each set-valued slot: a template may combine several.
    std::vector<Atom> members_;
};

}  // namespace laconic::label
