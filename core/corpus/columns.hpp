#pragma once
// Documents as columns: one array per field over all words of all sentences, and the strings in one byte buffer.
//
// A word is a syntactic word (a line with an integer id in CoNLL-U). Multiword tokens, empty nodes and comments lie beside the
// columns, in the order of the file, so that nothing is lost on the way through.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laconic::corpus {

// A piece of Columns::bytes.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

enum class Field : std::uint8_t { form, lemma, upos, xpos, feats, deprel, deps, misc };
inline constexpr std::size_t field_count = 8;

inline constexpr std::int32_t no_head = -1;    // the head column is "_"
inline constexpr std::int32_t no_offset = -1;  // the character offset is not known

struct Columns {
    std::string bytes;                                    // the source, then whatever was appended
    std::vector<std::uint32_t> sentences{0};              // word index at which each sentence starts, and the end
    std::array<std::vector<Span>, field_count> fields{};  // one span per word
    std::vector<std::int32_t> heads;                      // 0 is the root, otherwise 1-based within the sentence
    std::vector<std::int32_t> starts, ends;               // character offsets into the text of the document

    [[nodiscard]] std::size_t words() const noexcept { return heads.size(); }
    [[nodiscard]] std::size_t sentence_count() const noexcept { return sentences.size() - 1; }

    [[nodiscard]] std::vector<Span>& operator[](Field field) noexcept { return fields[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const std::vector<Span>& operator[](Field field) const noexcept {
        return fields[static_cast<std::size_t>(field)];
    }
    [[nodiscard]] std::string_view view(Span span) const noexcept { return {bytes.data() + span.begin, span.size}; }

    // Appends a string to the buffer. Throws InputError where the buffer would outgrow 32-bit offsets.
    Span append(std::string_view text);
};

}  // namespace laconic::corpus
