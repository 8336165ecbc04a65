#pragma once
// What templates of the kind `node` see of a word in a whole tree, for words whose types are known.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/tree.hpp"
#include "features/tree_steps.hpp"
#include "label/context.hpp"
#include "label/word_types.hpp"

namespace laconic::label {

// All words that templates look at are found when a word comes into focus: an atom then is one look into memory.
class NodeContext {
public:
    static constexpr bool ready = true;

    // Nothing is copied: all must outlive this.
    NodeContext(const EdgeReader& reader, const SentenceTypes& words, const corpus::Tree& tree);

    // Nothing is looked for among the children of a leaf.
    void focus(Node node) noexcept {
        const bool leaf = tree_.valency(node) == 0;
        for (std::size_t i = 0; i < looks_.size(); ++i) {
            const Look look = looks_[i];
            Node found = corpus::none;
            if (look.kind == Look::by_index) {
                const Node near = node + look.index;
                const bool exists = node > corpus::root && near > corpus::root && near <= tree_.words();
                found = exists || look.index == 0 ? near : corpus::none;
            } else if (!leaf || !look.child) {
                found = look.kind == Look::by_step ? features::step_from(tree_, node, look.step)
                                                : node_at(tree_, node, reader_.addresses()[i]);
            }
            nodes_[i] = found;
            rows_[i] = words_.row(found);
            codes_[i] = words_.codes(found);
        }
        for (const TreeSlot& slot : tree_slots_) {
            const Atom value = tree_atom(tree_, node, slot.kind, nodes_[slot.address]);
            tree_atoms_[slot.column] = value;
            tree_codes_[slot.column] = static_cast<Code>(value);
        }
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

    // Where the code of a slot is found: by the number of an address and the column of a code, or behind the addresses
    // by the number of a slot that reads the tree.
    struct Place {
        std::uint16_t row = 0, column = 0;
    };
    // What the tree tells has small numbers, which are their own codes.
    static constexpr std::size_t tree_values = features::valency_atom(7) + 1;
    // The number of a slot among those that read the tree.
    [[nodiscard]] static std::uint16_t tree_column(const EdgeReader& reader, std::uint16_t slot) noexcept;
    [[nodiscard]] Code code(Place place) const noexcept { return codes_[place.row][place.column]; }

private:
    struct Look {
        enum Kind : std::uint8_t { by_index, by_step, by_path } kind = by_path;
        bool child = false;  // leads to a child of the word in focus first
        features::Step step{};
        std::int16_t index = 0;
    };
    struct TreeSlot {
        EdgeReader::Kind kind;
        std::uint16_t address, column;
    };

    const EdgeReader& reader_;
    const SentenceTypes& words_;
    const corpus::Tree& tree_;
    std::vector<Look> looks_;           // at each address
    std::vector<Place> places_;         // of the atom of each slot
    std::vector<TreeSlot> tree_slots_;  // slots that read the tree
    std::vector<Node> nodes_;           // at each address
    std::vector<const Atom*> rows_;     // at each address, then those of the tree
    std::vector<const Code*> codes_;    // likewise
    std::vector<Atom> tree_atoms_;
    std::vector<Code> tree_codes_;
    // Of each set-valued slot: a template may combine several.
    std::vector<Atom> members_;
};

}  // namespace laconic::label
