#pragma once
// What templates read of a word whatever the state of the task: attributes of its form, columns of the document. A
// component lists the columns of atoms that its plans read, then reads them word by word (DocumentAtoms, where most are
// never read) or all of a sentence at once (SentenceAtoms, where each is read many times).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "features/tree_steps.hpp"

namespace laconic::features {

// One column of atoms: an attribute in the rows of a lexicon, or something in the document.
struct AtomColumn {
    enum Kind : std::uint8_t { word, field, feat, morph, entity } kind = word;
    std::uint32_t number = 0;  // of the lexicon's attribute or of the field
    std::string name{};        // of the feature

    bool operator==(const AtomColumn&) const = default;
    // The fields of the document that it depends on.
    [[nodiscard]] std::vector<corpus::Field> fields() const;
};

// The column of the document that a slot reads, if it reads one. `pos` is what POS stands for.
[[nodiscard]] std::optional<AtomColumn> document_column(const Plan& plan, const Slot& slot, corpus::Field pos);
// The value of such a column for a word of the document.
[[nodiscard]] Atom document_atom(const AtomColumn& column, const corpus::Columns& columns, std::size_t word) noexcept;

// Which columns the plans of one component read, each once.
class AtomColumns {
public:
    static constexpr std::uint16_t none = 0xffff;

    // `names` are the arguments that the lexicon's attributes refer to; `pos` is what POS stands for.
    AtomColumns(std::span<const WordAttribute> words, std::vector<std::string> names, corpus::Field pos)
        : words_(words.begin(), words.end()), names_(std::move(names)), pos_(pos) {}

    // The column of a slot, added if need be; `none` if the slot reads the state. Throws ModelError where the lexicon
    // lacks the attribute.
    std::uint16_t add(const Plan& plan, const Slot& slot);
    std::uint16_t add(const AtomColumn& column);
    [[nodiscard]] const std::vector<AtomColumn>& list() const noexcept { return columns_; }

private:
    std::vector<WordAttribute> words_;
    std::vector<std::string> names_;
    corpus::Field pos_;
    std::vector<AtomColumn> columns_;
};

// The atoms of values of a document. Components write a value once and let all words that have it point there: a value
// at a place that was asked for before costs a comparison. One object serves one thread.
class ValueAtoms {
public:
    // Nothing is copied. Values of columns must not be written meanwhile.
    explicit ValueAtoms(const corpus::Columns& columns) : columns_(&columns) {}

    [[nodiscard]] Atom operator()(corpus::Span span) noexcept {
        Entry& entry = entries_[(span.begin * 0x9e3779b1U) >> (32 - bits)];
        if (entry.span != span) entry = {span, atom(columns_->view(span))};
        return entry.atom;
    }

private:
    static constexpr unsigned bits = 7;
    struct Entry {
        corpus::Span span{};
        Atom atom = features::atom({});
    };

    const corpus::Columns* columns_;
    std::array<Entry, 1U << bits> entries_{};
};

// Columns of the document as atoms, each computed when it is first read. One object serves one thread.
class DocumentAtoms {
public:
    // The columns of the document among `list`; nothing is copied but the list.
    DocumentAtoms(std::vector<AtomColumn> list, const corpus::Columns& columns);

    [[nodiscard]] Atom operator()(std::size_t column, std::size_t word) const noexcept {
        Atom& atom = atoms_[column][word];
        if (atom == unknown) atom = read(column, word);
        return atom;
    }

private:
    [[nodiscard]] Atom read(std::size_t column, std::size_t word) const noexcept;

    std::vector<AtomColumn> list_;
    const corpus::Columns* columns_;
    mutable ValueAtoms values_;
    mutable std::vector<std::vector<Atom>> atoms_;  // `unknown` until first read
};

// The words of a sentence as a matrix of atoms.
class SentenceAtoms {
public:
    // Nothing is copied: all must outlive this.
    SentenceAtoms(const AtomColumns& list, const WordRows& rows, const corpus::Columns& columns)
        : list_(&list), rows_(&rows), columns_(&columns) {}

    // The words of a sentence. Linear in them; nothing is allocated once the longest was seen.
    void enter(std::size_t sentence);
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // The atoms of a word, of the root, or of a word that does not exist.
    [[nodiscard]] const Atom* operator[](corpus::Node node) const noexcept {
        return atoms_.data() + static_cast<std::size_t>(node + 1) * stride_;
    }

private:
    const AtomColumns* list_;
    const WordRows* rows_;
    const corpus::Columns* columns_;
    std::size_t size_ = 0, stride_ = 0;
    std::vector<Atom> atoms_;
};

}  // namespace laconic::features
