#pragma once
// What a template sees of a text that is segmented from left to right.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/codes.hpp"
#include "features/plan.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

namespace laconic::text {

inline constexpr std::size_t label_count = 3;
enum : std::uint8_t { inside = 0, token_end = 1, sentence_end = 2 };

// How many characters behind the one in focus a template may look at.
inline constexpr std::size_t farthest_look = 3 * (longest_word + 2) + 32;

static_assert(farthest_look >= features::characters_behind);

// Where each slot of a plan of the kind `char` finds its atom. Throws ConfigError for a slot that no segmenter can
// fill.
class CharReader {
public:
    explicit CharReader(const features::Plan& plan);

    enum Kind : std::uint8_t {
        point,
        lower,
        cls,
        script,
        tag,
        word_lower,
        word_shape,
        word_length,
        word_casing,
        gap,
        length,
        quote,
        bracket,
        line
    };
    struct Source {
        Kind kind;
        std::uint8_t word;    // which of CharContext's words
        std::int16_t offset;  // from the character in focus
    };
    [[nodiscard]] const Source& operator[](std::size_t slot) const noexcept { return sources_[slot]; }

private:
    std::vector<Source> sources_;
};

// The atoms of one decision, each string read when a template first needs it. A decision costs a bounded number of
// steps whatever the text.
class CharContext {
public:
    static constexpr std::size_t word_count = 8;
    enum Which : std::uint8_t { token, before, before_that, chunk, rest, ahead, ahead_1, ahead_2 };

    // gaps[g] is the kind of gap that templates read where g stands: training may not have shown every kind.
    CharContext(const CharReader& reader, const Characters& characters, const CasingStatistics& casing,
                const std::array<Gap, gap_count>& gaps);

    void start(std::size_t at);  // a text begins here, and with it a sentence
    void focus(std::size_t at);  // of characters that are not white space, in order
    // In place of focus() and decided(inside): letters and digits [begin, end), at least one, with a token that goes on
    // behind each.
    void pass(std::size_t begin, std::size_t end);
    void decided(std::uint8_t label);

    [[nodiscard]] Gap gap() const noexcept { return gap_; }                // behind the focus, as templates read it
    [[nodiscard]] std::size_t behind() const noexcept { return behind_; }  // the next that is not white space
    [[nodiscard]] std::size_t tokens() const noexcept { return tokens_; }  // so far in the sentence

    [[nodiscard]] Atom atom(std::uint16_t slot) noexcept;
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t) const noexcept { return {}; }  // no set-valued nodes here

private:
    struct Range {
        std::size_t begin = 0, end = 0;
    };
    [[nodiscard]] const Word& word(std::uint8_t which) noexcept;
    [[nodiscard]] Range range(std::uint8_t which) const noexcept;
    [[nodiscard]] Range word_from(std::size_t at) const noexcept;
    void begin_chunk(std::size_t at) noexcept;
    void see(char32_t point) noexcept;

    const CharReader& reader_;
    const Characters& characters_;
    const CasingStatistics& casing_;
    std::array<Gap, gap_count> gaps_;
    std::size_t at_ = 0, behind_ = 0, token_ = 0, chunk_ = 0, line_ = 0, tokens_ = 0;
    Gap gap_ = Gap::none;
    bool fresh_ = true;  // the next character starts a token
    bool quote_ = false;
    std::size_t brackets_ = 0;
    std::array<Range, 2> previous_{};
    std::array<std::uint8_t, features::decisions_before> tags_{};  // ring: the last decisions
    std::array<Word, word_count> words_{};
    std::uint32_t known_ = 0;  // which of words_ are of this focus
};

}  // namespace laconic::text
