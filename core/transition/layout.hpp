#pragma once
// The words of a sentence as a matrix of atoms: what templates read of a word whatever the state, once per sentence.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "transition/state.hpp"

namespace laconic::transition {

using features::Atom;

// What every attribute of the artificial root is.
inline constexpr Atom root_atom = 2;

// Which columns the matrix has, for the plans of one component.
class Layout {
public:
    // One column of the matrix: of the lexicon's rows, or of the document.
    struct Column {
        enum Kind : std::uint8_t { word, field, feat, morph, entity } kind = word;
        std::uint32_t number = 0;  // of the lexicon's attribute or of the field
        std::string name{};        // of the feature

        bool operator==(const Column&) const = default;
    };
    static constexpr std::uint16_t none = 0xffff;

    // `names` are the arguments that the lexicon's attributes refer to; `pos` is what POS stands for.
    Layout(std::span<const features::WordAttribute> words, std::vector<std::string> names, corpus::Field pos)
        : words_(words.begin(), words.end()), names_(std::move(names)), pos_(pos) {}

    // The column of a slot, added if need be; `none` if the slot reads the state. Throws ModelError where the lexicon
    // lacks the attribute.
    std::uint16_t add(const features::Plan& plan, const features::Slot& slot);
    [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }

private:
    std::vector<features::WordAttribute> words_;
    std::vector<std::string> names_;
    corpus::Field pos_;
    std::vector<Column> columns_;
};

class WordAtoms {
public:
    // Nothing is copied: all must outlive this.
    WordAtoms(const Layout& layout, const features::WordRows& rows, const corpus::Columns& columns)
        : layout_(&layout), rows_(&rows), columns_(&columns) {}

    // The words of a sentence. Linear in them; nothing is allocated once the longest was seen.
    void enter(std::size_t sentence);
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // The atoms of a word, of the root, or of a word that does not exist.
    [[nodiscard]] const Atom* operator[](Node node) const noexcept {
        return atoms_.data() + static_cast<std::size_t>(node + 1) * stride_;
    }

private:
    void fill(const Layout::Column& column, std::size_t number, std::size_t begin);

    const Layout* layout_;
    const features::WordRows* rows_;
    const corpus::Columns* columns_;
    std::size_t size_ = 0, stride_ = 0;
    std::vector<Atom> atoms_;
};

}  // namespace laconic::transition
