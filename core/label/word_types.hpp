#pragma once
// Words by their types: everything that templates read of a word by itself, its form and its tags, is the same for all
// words of a type. A model knows the types that training saw, so that nothing but the number of its type has to be
// found for most words of a text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/frozen_map.hpp"
#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "features/lexicon.hpp"
#include "features/sentence_atoms.hpp"
#include "features/word.hpp"

namespace laconic::label {

using corpus::Node;
using features::Atom;

// The types of a model. Two more come first: the word that does not exist, and the root.
class WordTypes {
public:
    static constexpr std::uint32_t absent = FrozenMap::absent;
    static constexpr std::uint32_t none = 0, root = 1, reserved = 2;

    // `atoms` has a row for each key, as long as there are columns. Throws ModelError unless it has, and every key is
    // there once.
    WordTypes(const features::AtomColumns& list, const std::vector<std::uint64_t>& keys, std::span<const Atom> atoms);

    // With those that come first.
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
    [[nodiscard]] const Atom* atoms(std::uint32_t type) const noexcept { return atoms_.data() + type * columns_; }
    // What tells the type of a word: the strings of all fields that the columns read.
    [[nodiscard]] std::uint64_t key(const corpus::Columns& columns, std::size_t word) const noexcept;
    // The type of a key; `absent` for one that training did not see.
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept { return map_.find(key); }
    void fetch(std::uint64_t key) const noexcept { map_.fetch(key); }

private:
    std::size_t columns_;
    std::vector<corpus::Field> fields_;
    FrozenMap map_;
    std::uint32_t size_;
    std::vector<Atom> atoms_;
};

// The types of the words of a document, sentence by sentence. Those that the model does not know are numbered behind
// it, in the order of their first appearance.
class SentenceTypes {
public:
    // Nothing is copied: all must outlive this.
    SentenceTypes(const WordTypes& types, const features::AtomColumns& list, const features::Lexicon& lexicon,
                  const corpus::Columns& columns);

    // Linear in the words; nothing is allocated once the longest sentence was seen, but for new types.
    void enter(std::size_t sentence);

    [[nodiscard]] std::size_t words() const noexcept { return types_.size() - WordTypes::reserved; }
    // Of a word, of the root, or of a word that does not exist.
    [[nodiscard]] std::uint32_t operator[](Node node) const noexcept {
        return types_[static_cast<std::size_t>(node + 1)];
    }
    [[nodiscard]] const Atom* row(Node node) const noexcept { return rows_[static_cast<std::size_t>(node + 1)]; }
    [[nodiscard]] const Atom* atoms(std::uint32_t type) const noexcept {
        return type < known_.size() ? known_.atoms(type)
                                    : new_atoms_.data() + (type - known_.size()) * known_.columns();
    }
    // Types of the model and those that came up since.
    [[nodiscard]] std::size_t size() const noexcept { return known_.size() + new_keys_.size(); }

private:
    std::uint32_t add(std::uint64_t key, std::size_t word);
    void grow();

    const WordTypes& known_;
    const features::AtomColumns& list_;
    const features::Lexicon& lexicon_;
    const corpus::Columns& columns_;
    std::vector<std::uint64_t> keys_;  // of the words of the sentence
    std::vector<std::uint32_t> types_;
    std::vector<const Atom*> rows_;
    std::vector<std::uint64_t> new_keys_;
    std::vector<Atom> new_atoms_;
    std::vector<std::uint32_t> slots_;  // of new keys: open addressing, at most half full
    features::Word word_;
    std::vector<std::uint32_t> lexicon_row_;
};

// The types of the words of some sentences that were seen at least so often, as a model keeps them.
struct CountedTypes {
    std::vector<std::uint64_t> keys;
    std::vector<Atom> atoms;
};
CountedTypes count_types(const features::AtomColumns& list, const features::Lexicon& lexicon,
                         const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
                         std::uint32_t minimum);

}  // namespace laconic::label
