#pragma once
// What a template sees of a sentence that is tagged from left to right.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "features/sentence_atoms.hpp"
#include "tag/gazetteer.hpp"
#include "tag/history.hpp"

namespace laconic::tag {

using features::Atom;

// What a component lets templates see beside words, columns and its own predictions.
struct TokenInputs {
    std::span<const Gazetteer* const> gazetteers{};  // aligned with the plan's arguments, null where there is none
    bool history = false;                            // SEEN
};

// Where each slot of a plan of the kinds `token` and `entity` finds its atom. Throws ConfigError for a slot that the
// component cannot fill.
class TokenReader {
public:
    explicit TokenReader(const features::Plan& plan, TokenInputs inputs = {});

    struct Source {
        std::int32_t offset;  // from the token in focus
        std::uint32_t
            column;  // of a lexicon's row, of columns(), gazetteers(), or of the cache of histories; see beside_tags()
        enum Kind : std::uint8_t { word, tag, document, gazetteer, seen } kind;
    };
    [[nodiscard]] const Source& operator[](std::size_t slot) const noexcept { return sources_[slot]; }
    [[nodiscard]] std::size_t padding() const noexcept { return padding_; }  // the farthest look outside a sentence
    // Columns of the document that templates read, such as UPOS for a tagger of features.
    [[nodiscard]] const std::vector<features::AtomColumn>& columns() const noexcept { return columns_; }
    // Those of them that are read for each word of a sentence and lie beside its tag: tags of all kinds, whose atoms
    // are quickly there. Source::column is then the place here + 1, and the kind that of a tag.
    [[nodiscard]] const std::vector<std::uint32_t>& beside_tags() const noexcept { return beside_tags_; }
    [[nodiscard]] const std::vector<const Gazetteer*>& gazetteers() const noexcept { return gazetteers_; }
    [[nodiscard]] std::size_t histories() const noexcept { return histories_; }  // different offsets of SEEN
    // Does every template look at the word in focus alone, and of the document at these fields alone?
    [[nodiscard]] bool reads_only(std::span<const corpus::Field> given) const;

private:
    std::vector<Source> sources_;
    std::vector<features::AtomColumn> columns_;
    std::vector<std::uint32_t> beside_tags_;
    std::vector<const Gazetteer*> gazetteers_;
    std::size_t padding_ = 0, histories_ = 0;
};

// The words of a batch and the columns that templates read. Columns are turned into atoms when a template first reads
// them.
class TokenBatch {
public:
    TokenBatch(const TokenReader& reader, const features::WordRows& rows, const corpus::Columns& columns);

    [[nodiscard]] const TokenReader& reader() const noexcept { return reader_; }
    [[nodiscard]] const features::WordRows& rows() const noexcept { return rows_; }
    [[nodiscard]] const corpus::Columns& columns() const noexcept { return columns_; }
    // The row of a word beyond its sentence.
    [[nodiscard]] const std::uint32_t* outside() const noexcept { return outside_.data(); }
    [[nodiscard]] Atom document(std::size_t column, std::size_t word) const noexcept {
        return documents_(column, word);
    }
    [[nodiscard]] Atom gazetteer(std::size_t number, std::size_t word) const noexcept { return matches_[number][word]; }

private:
    const TokenReader& reader_;
    const features::WordRows& rows_;
    const corpus::Columns& columns_;
    std::vector<Atom> outside_;
    features::DocumentAtoms documents_;
    std::vector<std::vector<Atom>> matches_;  // of each gazetteer
};

// The atoms of one sentence. Sentences are entered one after another; nothing is allocated once the longest was seen.
class TokenContext {
public:
    static constexpr bool ready = true;

    explicit TokenContext(const TokenBatch& batch);
    // With what SEEN reads, and the atom of each label.
    TokenContext(const TokenBatch& batch, const History& history, std::span<const Atom> labels);

    void enter(std::size_t begin, std::size_t end);  // words of a sentence
    void focus(std::size_t position) noexcept { at_ = padding_ + position; }
    void decided(Atom tag) noexcept { tags_[at_ * stride_] = tag; }
    // The row of the word in focus: atoms, then payloads.
    [[nodiscard]] const std::uint32_t* row() const noexcept { return words_[at_]; }

    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept {
        const TokenReader::Source& source = (*reader_)[slot];
        const std::size_t index = at_ + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(source.offset));
        if (source.kind <= TokenReader::Source::tag) [[likely]]
            return bases_[source.kind][index][source.column];
        if (source.kind == TokenReader::Source::seen) return seen(source.column, index);
        if (!inside(index)) return features::nothing;
        const std::size_t word = begin_ + index - padding_;
        return source.kind == TokenReader::Source::document ? batch_->document(source.column, word)
                                                            : batch_->gazetteer(source.column, word);
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t) const noexcept { return {}; }  // no set-valued nodes here

private:
    [[nodiscard]] Atom seen(std::size_t column, std::size_t index) const noexcept;
    [[nodiscard]] bool inside(std::size_t index) const noexcept {
        return index >= padding_ && index < padding_ + size_;
    }

    const TokenBatch* batch_;
    const TokenReader* reader_;
    const History* history_ = nullptr;
    std::span<const Atom> labels_{};
    std::size_t padding_, stride_, begin_ = 0, size_ = 0, at_ = 0;
    std::vector<const std::uint32_t*> words_;  // rows of the sentence, padded
    std::vector<Atom> tags_;  // own predictions, and the columns beside_tags(): a row for each word, padded
    std::vector<const std::uint32_t*> tag_rows_;          // where they are
    std::array<const std::uint32_t* const*, 2> bases_{};  // words_ and tag_rows_, so that both are read alike
    struct Recalled {
        std::size_t focus = static_cast<std::size_t>(-1);  // word of the batch
        Atom atom = features::nothing;
    };
    mutable std::vector<Recalled> recalled_;  // one per offset of SEEN: several templates read the same
};

}  // namespace laconic::tag
