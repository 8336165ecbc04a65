#pragma once
// Kinds of characters and of the white space between them, fine enough to say which neighbours never bound a token.

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/unicode.hpp"

namespace laconic::text {

// unicode::Class first (0 to 9), then scripts without spaces, then marks of their own.
using Code = std::uint8_t;
inline constexpr Code space_code = static_cast<Code>(unicode::Class::space);
inline constexpr std::size_t code_count = 64;

[[nodiscard]] Code code_of(char32_t point) noexcept;  // never space_code: see is_white

// What ends words whatever Unicode calls it: separators, the controls that Python's str.isspace() knows, NUL and the
// byte order mark, none of which can be part of a word that a CoNLL-U file holds.
[[nodiscard]] constexpr bool is_white_control(char32_t point) noexcept {
    return point <= 0x20 ? point == 0 || (point >= 0x09 && point <= 0x0d) || point >= 0x1c
                         : point == 0x85 || point == 0xfeff;
}
[[nodiscard]] inline bool is_white(char32_t point) noexcept {
    return is_white_control(point) || (point > 0x7f && unicode::class_of(point) == unicode::Class::space);
}

// The codes of ASCII, marks each with their own.
inline constexpr Code first_mark = 13;
inline constexpr std::array<Code, 128> ascii_codes = [] {
    std::array<Code, 128> codes{};
    Code next = first_mark;
    for (std::size_t c = 0x21; c < 0x7f; ++c) {
        using enum unicode::Class;
        if (c >= '0' && c <= '9')
            codes[c] = static_cast<Code>(digit);
        else if (c >= 'A' && c <= 'Z')
            codes[c] = static_cast<Code>(upper);
        else if (c >= 'a' && c <= 'z')
            codes[c] = static_cast<Code>(lower);
        else
            codes[c] = next++;
    }
    return codes;
}();
// By a byte of UTF-8: the code of the character that it is; space_code for white space and where it is only a part.
inline constexpr std::array<Code, 256> byte_codes = [] {
    std::array<Code, 256> codes{};
    codes.fill(space_code);
    for (std::size_t c = 0; c < ascii_codes.size(); ++c)
        if (!is_white_control(static_cast<char32_t>(c))) codes[c] = ascii_codes[c];
    return codes;
}();

// Letters, digits and what may stand on them.
[[nodiscard]] constexpr bool is_word(Code code) noexcept {
    using enum unicode::Class;
    return (code >= static_cast<Code>(upper) && code <= static_cast<Code>(number)) || (code >= 10 && code <= 12);
}

// The white space behind a character.
enum class Gap : std::uint8_t {
    none,
    space,  // one U+0020
    wide,   // anything else without a line end
    line,   // one line end
    blank   // more than one line end, a form feed or a paragraph separator
};
inline constexpr std::size_t gap_count = 5;

// Which labels are likely where a character of one kind is followed by a gap and a character of another.
inline constexpr std::size_t boundary_kinds = code_count * gap_count * code_count;
[[nodiscard]] constexpr std::size_t boundary_kind(Code before, Gap gap, Code behind) noexcept {
    return (before * gap_count + static_cast<std::size_t>(gap)) * code_count + behind;
}

}  // namespace laconic::text
