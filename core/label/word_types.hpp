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

// The number of a value among those that the types of a model have in a column; 0: none of them has it.
using Code = std::uint16_t;

// The columns of the tag that POS means and of all tags: a second one, or the same.
struct TagColumns {
    std::uint16_t pos, other;
};
// `all_tags`: a second column of tags counts, if templates read one.
[[nodiscard]] TagColumns tag_columns(const features::AtomColumns& list, std::uint16_t pos, bool all_tags);

// What is asked most often of a word.
struct WordTags {
    Atom pos = features::nothing, other = features::nothing;
    Code code = 0;  // of the tag that POS means, if that column has codes
};

// The types of a model. Two more come first: the word that does not exist, and the root. In columns of few values, such
// as tags, the values have codes.
class WordTypes {
public:
    static constexpr std::uint32_t absent = FrozenMap::absent;
    static constexpr std::uint32_t none = 0, root = 1, reserved = 2;
    static constexpr std::size_t most_codes = 1024;  // of a column
    static constexpr std::uint16_t uncoded = 0xffff;

    // `atoms` has a row for each key, as long as there are columns. Throws ModelError unless it has, and every key is
    // there once.
    WordTypes(const features::AtomColumns& list, TagColumns tags, const std::vector<std::uint64_t>& keys,
              std::span<const Atom> atoms);

    // With those that come first.
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
    [[nodiscard]] const Atom* atoms(std::uint32_t type) const noexcept { return atoms_.data() + type * columns_; }
    // The place of a column among those that have codes, or `uncoded`; values by their codes, the first of which is
    // none.
    [[nodiscard]] std::uint16_t code_column(std::size_t column) const noexcept { return code_columns_[column]; }
    [[nodiscard]] const std::vector<Atom>& values(std::uint16_t code_column) const noexcept {
        return values_[code_column];
    }
    [[nodiscard]] std::size_t coded() const noexcept { return values_.size(); }
    // The codes of a type, and those of a row of atoms.
    [[nodiscard]] const Code* codes(std::uint32_t type) const noexcept { return codes_.data() + type * coded(); }
    void append_codes(const Atom* atoms, std::vector<Code>& to) const;
    [[nodiscard]] const TagColumns& tag_columns() const noexcept { return tag_columns_; }
    [[nodiscard]] const WordTags& tags(std::uint32_t type) const noexcept { return tags_[type]; }
    // Of a row of atoms with its codes.
    [[nodiscard]] WordTags tags_of(const Atom* atoms, const Code* codes) const noexcept {
        const std::uint16_t column = code_columns_[tag_columns_.pos];
        return {atoms[tag_columns_.pos], atoms[tag_columns_.other], column == uncoded ? Code{0} : codes[column]};
    }
    // What tells the type of a word: the strings of all fields that the columns read.
    [[nodiscard]] std::uint64_t key(const corpus::Columns& columns, std::size_t word) const noexcept;
    // The type of a key; `absent` for one that training did not see.
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept { return map_.find(key); }
    void fetch(std::uint64_t key) const noexcept { map_.fetch(key); }

private:
    void number_values();
    static std::uint64_t value_key(std::size_t column, Atom value) noexcept {
        return std::uint64_t{column} << 32 | value;
    }

    std::size_t columns_;
    TagColumns tag_columns_;
    std::vector<corpus::Field> fields_;
    FrozenMap map_;
    std::uint32_t size_;
    std::vector<Atom> atoms_;
    std::vector<std::uint16_t> code_columns_;
    std::vector<std::vector<Atom>> values_;  // of each column that has codes
    FrozenMap codes_of_{{}, {}, ""};         // from columns and values to codes
    std::vector<Code> codes_;
    std::vector<WordTags> tags_;
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
    // What tells the type of a word, whether the model knows it or not; only of words.
    [[nodiscard]] std::uint64_t key(Node word) const noexcept { return keys_[static_cast<std::size_t>(word - 1)]; }
    [[nodiscard]] const WordTags& tags(Node node) const noexcept { return tags_[static_cast<std::size_t>(node + 1)]; }
    [[nodiscard]] const Atom* row(Node node) const noexcept { return atoms((*this)[node]); }
    [[nodiscard]] const Code* codes(Node node) const noexcept { return codes_[static_cast<std::size_t>(node + 1)]; }
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
    std::vector<const Code*> codes_;
    std::vector<WordTags> tags_;
    std::vector<std::uint64_t> new_keys_;
    std::vector<Atom> new_atoms_;
    std::vector<Code> new_codes_;
    std::vector<std::uint32_t> slots_;  // of new keys: open addressing, at most half full
    features::Word word_;
    std::vector<std::uint32_t> lexicon_row_;
};

// The types of the words of some sentences that were seen at least so often, as a model keeps them.
struct CountedTypes {
    std::vector<std::uint64_t> keys;
    std::vector<Atom> atoms;
};
CountedTypes count_types(const features::AtomColumns& list, std::uint16_t pos, const features::Lexicon& lexicon,
                         const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
                         std::uint32_t minimum);

}  // namespace laconic::label
