#pragma once
// What templates of the kinds `edge` and `node` see of an arc, or of a word, in a whole tree.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "features/codes.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "features/sentence_atoms.hpp"
#include "features/tree_steps.hpp"

namespace laconic::label {

using corpus::Node;
using features::Atom;

// BETWEEN shows at most so many words, those nearest to the modifier: whatever the tree, a decision costs a bounded
// number of steps.
inline constexpr std::size_t most_between = 48;

// The children of a word that CHILDREN shows.
[[nodiscard]] inline std::span<const Node> shown_children(const corpus::Tree& tree, Node node) noexcept {
    const std::span<const Node> all = tree.children(node);
    return all.first(std::min(all.size(), features::most_children));
}

// Where each slot of a plan finds its atom. Slots at the same address share it, so that a decision finds each word
// once. Throws ConfigError for a slot that no labeler can fill.
class EdgeReader {
public:
    // `words` are the lexicon's attributes for this plan; `pos` is the column that POS means.
    EdgeReader(const features::Plan& plan, std::span<const features::WordAttribute> words, corpus::Field pos);

    enum Kind : std::uint8_t { word, dep, distance, direction, valency, left_valency, right_valency };
    struct Source {
        Kind kind = word;
        bool between = false;  // the set BETWEEN instead of children
        std::uint16_t address = 0;
        std::uint16_t column = 0;
        std::uint16_t set = 0;  // number among the set-valued slots
    };
    [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
    // Where words are found: the node, index and path of a slot.
    [[nodiscard]] const std::vector<features::Slot>& addresses() const noexcept { return addresses_; }
    [[nodiscard]] const features::AtomColumns& columns() const noexcept { return columns_; }
    [[nodiscard]] std::uint16_t pos() const noexcept { return pos_; }  // the column that POS means
    [[nodiscard]] std::size_t sets() const noexcept { return sets_; }

private:
    std::uint16_t address(const features::Slot& slot);

    features::AtomColumns columns_;
    std::uint16_t pos_;
    std::vector<Source> sources_;
    std::vector<features::Slot> addresses_;
    std::size_t sets_ = 0;
};

// The word at an address, seen from the word in focus; none if there is none.
[[nodiscard]] Node node_at(const corpus::Tree& tree, Node focus, const features::Slot& address) noexcept;
// What the tree tells of a node, seen from the word in focus; not for words and labels.
[[nodiscard]] Atom tree_atom(const corpus::Tree& tree, Node focus, EdgeReader::Kind kind, Node node) noexcept;

// Throws InputError for the heads of a sentence that are absent or no tree.
[[noreturn]] void refuse_heads(std::span<const std::int32_t> heads, std::size_t sentence);

// The heads of all words, each sentence checked to be a tree: InputError, with the number of the sentence, where heads
// are absent or no tree. A copy, since Python may write to doc.heads at any time, and what was checked must be what is
// used to index memory. Linear.
std::vector<std::int32_t> check_heads(const corpus::Columns& columns);

// The atoms of one batch. Sentences are entered one after another; nothing is allocated once the longest was seen.
class EdgeContext {
public:
    // Throws as check_heads.
    EdgeContext(const EdgeReader& reader, const features::WordRows& rows, const corpus::Columns& columns);

    void enter(std::size_t sentence);
    void focus(Node modifier) noexcept {
        modifier_ = modifier;
        ++decision_;
    }
    void decided(Atom label) noexcept { labels_[static_cast<std::size_t>(modifier_)] = label; }
    [[nodiscard]] const corpus::Tree& tree() const noexcept { return tree_; }
    // The tag that POS means; `nothing` for the root.
    [[nodiscard]] Atom tag(Node node) const noexcept {
        return node == corpus::root ? features::nothing : words_[node][reader_.pos()];
    }

    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept {
        const EdgeReader::Source& source = sources_[slot];
        return value(source, find(source.address));
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) const noexcept;

private:
    struct Found {
        std::uint64_t decision = 0;
        Node node = corpus::none;
    };
    struct Members {
        std::uint64_t decision = 0;
        std::vector<Atom> atoms;
    };

    [[nodiscard]] Node find(std::uint16_t address) const noexcept {
        Found& found = found_[address];
        if (found.decision != decision_) found = {decision_, node_at(tree_, modifier_, reader_.addresses()[address])};
        return found.node;
    }
    [[nodiscard]] Atom value(const EdgeReader::Source& source, Node node) const noexcept {
        if (source.kind == EdgeReader::word) [[likely]]
            return words_[node][source.column];
        if (source.kind == EdgeReader::dep)
            return node == corpus::none ? features::nothing : labels_[static_cast<std::size_t>(node)];
        return tree_atom(tree_, modifier_, source.kind, node);
    }

    const EdgeReader& reader_;
    const EdgeReader::Source* sources_;
    const corpus::Columns& columns_;
    std::vector<std::int32_t> heads_;  // of all words
    features::SentenceAtoms words_;
    corpus::Tree tree_;
    Node modifier_ = corpus::none;
    std::uint64_t decision_ = 0;
    std::vector<Atom>
        labels_;  // of the arcs to each node: `unknown` until decided, `nothing` for the root, which has none
    mutable std::vector<Found> found_;
    mutable std::vector<Members> members_;  // several templates read the same set
};

}  // namespace laconic::label
