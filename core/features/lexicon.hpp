#pragma once
// The frozen vocabulary: for each known word type a row with the atom of every word-level attribute that a plan reads,
// and payloads for the task (numbers of candidate sets, say). A row is computed when it is first asked for: a text has
// few of the words that a lexicon knows. Any number of threads may look things up.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/on_demand.hpp"
#include "base/unicode.hpp"
#include "features/codes.hpp"
#include "features/dictionary.hpp"
#include "features/forms.hpp"
#include "features/plan.hpp"
#include "features/word.hpp"

namespace laconic::features {

// The ambiguity class of a word outside the lexicon.
inline constexpr Atom unknown_word = 2;

struct WordAttribute {
    Attribute attribute = Attribute::lex;
    std::uint8_t number = 0;
    std::uint16_t argument = 0;

    bool operator==(const WordAttribute&) const = default;
};

// Which column of a lexicon's rows each slot of a plan reads.
struct WordColumns {
    static constexpr std::int32_t none = -1;
    std::vector<WordAttribute> attributes;  // each once, in the order of the slots
    std::vector<std::int32_t> columns;      // per slot of the plan; none if the slot is not word-level

    WordColumns() = default;
    explicit WordColumns(const Plan& plan);
};

class Lexicon {
public:
    static constexpr std::uint32_t absent = Forms::absent;

    // What a word outside the lexicon has in place of a payload.
    static constexpr std::uint32_t no_payload = 0xffffffff;

    // `dictionaries` are aligned with the plan's arguments (null where an argument is none). `ambiguity` has one atom
    // per form, or is empty if no attribute reads it. `payloads` holds `payload_count` numbers per form. Everything
    // else in a row follows from the form. Throws ModelError where sizes do not fit or a dictionary is missing.
    Lexicon(Forms forms, std::vector<WordAttribute> attributes,
            std::vector<std::shared_ptr<const Dictionary>> dictionaries, std::vector<Atom> ambiguity,
            std::span<const std::uint32_t> payloads, std::size_t payload_count);

    [[nodiscard]] std::size_t size() const noexcept { return forms_.size(); }
    [[nodiscard]] const Forms& forms() const noexcept { return forms_; }
    [[nodiscard]] const std::vector<WordAttribute>& attributes() const noexcept { return attributes_; }
    [[nodiscard]] const std::vector<Atom>& ambiguity() const noexcept { return ambiguity_; }
    [[nodiscard]] std::size_t payload_count() const noexcept { return stride_ - attributes_.size(); }
    [[nodiscard]] const std::vector<std::uint32_t>& payloads() const noexcept { return payloads_; }  // form after form
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

    // A form with typographic apostrophes (U+2019) that is not there stands for the same with those of a typewriter.
    [[nodiscard]] std::uint32_t find(std::string_view form) const { return find(form, hash_bytes(form)); }
    [[nodiscard]] std::uint32_t find(std::string_view form, std::uint64_t hash) const {
        const std::uint32_t found = forms_.find(form, hash);
        if (found != absent || !unicode::has_typographic_apostrophe(form)) return found;
        return forms_.find(unicode::with_straight_apostrophes(form));
    }
    // Atoms in the order of attributes(), then payloads.
    [[nodiscard]] const std::uint32_t* row(std::size_t form) const {
        Word scratch;
        prepare(form, scratch);
        return prepared_row(form);
    }
    // Computes the row of a form, if that was not done before, so that prepared_row() has it.
    void prepare(std::size_t form, Word& scratch) const {
        prepared_.ensure(form, [&] { compute_known(form, scratch); });
    }
    [[nodiscard]] const std::uint32_t* prepared_row(std::size_t form) const noexcept {
        return rows_.get() + form * stride_;
    }

    // Writes the row of a word outside the lexicon: no LEX, no payload, LOWER only if some known word has it in any
    // case.
    void compute(std::string_view form, Word& scratch, std::uint32_t* row) const;

private:
    void compute_known(std::size_t form, Word& scratch) const;
    void fill(std::string_view form, const Word& word, std::uint32_t* row) const;
    void collect_lowers() const;
    [[nodiscard]] std::size_t lower_bucket(Atom lower) const noexcept;  // where it is, or where it would be

    Forms forms_;
    std::vector<WordAttribute> attributes_;
    std::vector<std::shared_ptr<const Dictionary>> dictionaries_;
    std::vector<Atom> ambiguity_;
    std::vector<std::uint32_t> payloads_;
    std::size_t stride_ = 0;
    std::unique_ptr<std::uint32_t[]> rows_;  // those that are prepared_
    OnDemand prepared_;
    // The lower-cased forms of all words, as atoms: open addressing, at most half full; `unknown` where there is none.
    // Made when the first unknown word is met.
    mutable std::vector<Atom> lowers_;
    OnDemand lowers_made_{1};
};

}  // namespace laconic::features
