#pragma once
// Documents as columns: one array per field over all words of all sentences, and the strings in one byte buffer.
//
// A word is a syntactic word (a line with an integer id in CoNLL-U). Multiword tokens, empty nodes and comments lie
// beside the columns, in the order of the file, so that nothing is lost on the way through.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/access.hpp"
#include "corpus/form_types.hpp"

namespace laconic::corpus {

enum class Field : std::uint8_t { form, lemma, upos, xpos, feats, deprel, deps, misc };
inline constexpr std::size_t field_count = 8;

inline constexpr std::int32_t no_head = -1;    // the head column is "_"
inline constexpr std::int32_t no_offset = -1;  // the character offset is not known

// Things that a sentence may have any number of, in the order of the file.
template <class T>
struct PerSentence {
    std::vector<T> items;
    std::vector<std::uint32_t> starts{0};  // index of the first item of each sentence, and the end

    [[nodiscard]] std::span<const T> operator[](std::size_t sentence) const noexcept {
        return {items.data() + starts[sentence], starts[sentence + 1] - starts[sentence]};
    }
    void close() { starts.push_back(static_cast<std::uint32_t>(items.size())); }
    void truncate(std::size_t sentences) {
        starts.resize(sentences + 1);
        items.resize(starts.back());
    }
};

// A line that is not a word: a multiword token ("3-4") or an empty node ("3.1").
struct Aside {
    std::uint32_t first = 0;   // multiword token: its first word; empty node: the word it follows (0: before the first)
    std::uint32_t second = 0;  // multiword token: its last word; empty node: the number after the dot
    std::array<Span, field_count> fields{};
    Span head{};  // as it was written, for it has no meaning here
};

// How a sentence lay in its file. The default is what every writer produces.
struct Layout {
    bool crlf = false;   // its lines end in CR LF
    bool exact = false;  // `after` holds what stood between its last line and the next sentence; else one blank line
    Span after{};
};

struct Columns {
    std::string bytes;                                    // the source, then whatever was appended
    std::vector<std::uint32_t> sentences{0};              // word index at which each sentence starts, and the end
    std::array<std::vector<Span>, field_count> fields{};  // one span per word
    std::vector<std::int32_t> heads;                      // 0 is the root, otherwise 1-based within the sentence
    std::vector<std::int32_t> starts, ends;  // character offsets into the text of the document; empty until `locate`

    PerSentence<Span> comments;  // whole lines, with the "#"
    PerSentence<Aside> multiwords;
    PerSentence<Aside> empty_nodes;
    std::vector<Layout> layouts;  // one per sentence
    mutable Access access;        // readers and writer at the moment
    Span lead{};                  // what stood before the first sentence: blank lines, a byte order mark
    mutable RememberedTypes remembered_types;

    [[nodiscard]] std::size_t words() const noexcept { return heads.size(); }
    [[nodiscard]] std::size_t sentence_count() const noexcept { return sentences.size() - 1; }
    // The numbers of all sentences, from 0 on.
    [[nodiscard]] std::vector<std::uint32_t> all_sentences() const {
        std::vector<std::uint32_t> all(sentence_count());
        std::iota(all.begin(), all.end(), 0U);
        return all;
    }
    // How many words a sentence has.
    [[nodiscard]] std::size_t size_of(std::size_t sentence) const noexcept {
        return sentences[sentence + 1] - sentences[sentence];
    }

    [[nodiscard]] std::vector<Span>& operator[](Field field) noexcept {
        return fields[static_cast<std::size_t>(field)];
    }
    [[nodiscard]] const std::vector<Span>& operator[](Field field) const noexcept {
        return fields[static_cast<std::size_t>(field)];
    }
    [[nodiscard]] std::string_view view(Span span) const noexcept { return {bytes.data() + span.begin, span.size}; }
    [[nodiscard]] std::string_view view(Field field, std::size_t word) const noexcept {
        return view((*this)[field][word]);
    }
    // The different forms. What is appended to the buffer changes nothing in them.
    [[nodiscard]] std::shared_ptr<const FormTypes> form_types() const {
        return remembered_types.get(bytes, (*this)[Field::form]);
    }
    [[nodiscard]] std::span<const std::int32_t> heads_of(std::size_t sentence) const noexcept {
        return {heads.data() + sentences[sentence], sentences[sentence + 1] - sentences[sentence]};
    }

    // Appends a string to the buffer. Throws InputError where the buffer would outgrow 32-bit offsets.
    Span append(std::string_view text);

    // Ends a sentence: the words, comments, multiword tokens and empty nodes added since the last call belong to it.
    void close_sentence(Layout layout = {});

    // Keeps the first sentences and drops the rest, open or closed. The buffer is left as it is.
    void truncate(std::size_t sentence_count);
};

// Sentences [begin, end) with a buffer of their own. Linear in the slice.
[[nodiscard]] Columns slice(const Columns& columns, std::size_t begin, std::size_t end);

// All sentences of all parts, in order; a part that lacked its last blank line gets one if something follows it.
[[nodiscard]] Columns concatenate(std::span<const Columns* const> parts);

// Puts `# sent_id = N` before the comments of each sentence, from `first` on; behind `# newdoc` and `# newpar`, which
// open what it stands in. Linear.
void number_sentences(Columns& columns, std::uint64_t first);

// Same words, fields, heads, comments, multiword tokens and empty nodes? Line ends and blank lines do not count.
[[nodiscard]] bool equal(const Columns& a, const Columns& b);

}  // namespace laconic::corpus
