#pragma once
// What a template of the kind `edge` sees of an arc in a whole tree.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/columns.hpp"
#include "features/codes.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "label/tree.hpp"

namespace laconic::label {

using features::Atom;

// A set-valued node shows at most so many members, those nearest to the modifier for BETWEEN, the leftmost for
// CHILDREN: whatever the tree, a decision costs a bounded number of steps.
inline constexpr std::size_t most_members = 48;

// Where each slot of a plan finds its atom. Throws ConfigError for a slot that no labeler can fill.
class EdgeReader {
public:
    // `pos` is the column that POS means.
    EdgeReader(const features::Plan& plan, corpus::Field pos);

    enum Kind : std::uint8_t { word, document, dep, distance, direction, valency, left_valency, right_valency };
    struct Source {
        features::Slot slot;
        Kind kind = word;
        std::uint32_t column = 0;  // of a lexicon's row, or of the document
        std::uint32_t set = 0;     // number among the set-valued slots
    };
    // What fills a column of the document: a field, one feature of it, or all tags together.
    struct Filler {
        corpus::Field field;
        std::string feature{};
        bool morph = false;

        bool operator==(const Filler&) const = default;
    };
    [[nodiscard]] const Source& operator[](std::size_t slot) const noexcept { return sources_[slot]; }
    [[nodiscard]] const std::vector<Filler>& fillers() const noexcept { return fillers_; }  // the first one is POS
    [[nodiscard]] std::size_t sets() const noexcept { return sets_; }

private:
    std::uint32_t column_of(const Filler& filler);

    std::vector<Source> sources_;
    std::vector<Filler> fillers_;
    std::size_t sets_ = 0;
};

// The atoms of one batch. Sentences are entered one after another; nothing is allocated once the longest was seen.
class EdgeContext {
public:
    EdgeContext(const EdgeReader& reader, const features::WordRows& rows, const corpus::Columns& columns);

    // A sentence; its heads must form a tree.
    void enter(std::size_t begin, std::size_t end);
    void focus(Place modifier) noexcept {
        modifier_ = modifier;
        ++decision_;
    }
    void decided(Atom label) noexcept { labels_[modifier_] = label; }
    [[nodiscard]] const Tree& tree() const noexcept { return tree_; }
    // The tag that POS means.
    [[nodiscard]] Atom tag(Place word) const noexcept {
        return word == nowhere ? features::nothing : document(0, word);
    }

    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept {
        const EdgeReader::Source& source = reader_[slot];
        return value(source, find(source.slot));
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) const noexcept;

private:
    [[nodiscard]] Place find(const features::Slot& slot) const noexcept;
    [[nodiscard]] Place step(Place word, features::Step step) const noexcept;
    [[nodiscard]] Place beside(Place word, std::int32_t offset) const noexcept {
        if (word == nowhere) return nowhere;
        const std::int64_t place = std::int64_t{word} + offset;
        return place >= 1 && place <= static_cast<std::int64_t>(tree_.size()) ? static_cast<Place>(place) : nowhere;
    }
    [[nodiscard]] Place sibling() const noexcept;
    [[nodiscard]] Atom value(const EdgeReader::Source& source, Place word) const noexcept;
    [[nodiscard]] Atom document(std::size_t column, Place word) const noexcept {
        Atom& atom = documents_[column][begin_ + word - 1];
        if (atom == features::unknown) atom = read(column, begin_ + word - 1);
        return atom;
    }
    [[nodiscard]] Atom read(std::size_t column, std::size_t word) const noexcept;

    const EdgeReader& reader_;
    const features::WordRows& rows_;
    const corpus::Columns& columns_;
    Tree tree_;
    std::size_t begin_ = 0;
    Place modifier_ = nowhere;
    std::vector<Atom> labels_;  // of the sentence, by place; `unknown` until decided
    // Columns of the document as atoms, `unknown` until they are asked for.
    mutable std::vector<std::vector<Atom>> documents_;
    struct Members {
        std::uint64_t decision = 0;
        std::vector<Atom> atoms;
    };
    mutable std::vector<Members> members_;  // several templates ask for the same set
    std::uint64_t decision_ = 0;
};

}  // namespace laconic::label
