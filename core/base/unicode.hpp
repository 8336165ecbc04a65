#pragma once
// What the rooms need to know of Unicode: code points of UTF-8, simple lower case, coarse classes and scripts.

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "base/unicode_tables.hpp"

namespace laconic::unicode {

inline constexpr char32_t replacement = 0xfffd;

struct Decoded {
    char32_t point;
    std::size_t size;  // bytes read, at least 1
};

// Reads the code point that starts at `at`, which must be inside `text`. What is not UTF-8 gives U+FFFD, once for each
// longest piece that could have begun a code point, as Python's errors="replace" does.
Decoded decode_multibyte(std::string_view text, std::size_t at) noexcept;

inline Decoded decode(std::string_view text, std::size_t at) noexcept {
    const auto byte = static_cast<unsigned char>(text[at]);
    return byte < 0x80 ? Decoded{byte, 1} : decode_multibyte(text, at);
}

inline const tables::Record& record(char32_t point) noexcept {
    std::size_t block = point >> tables::shift;
    // The last block written stands for all behind it.
    if (block >= std::size(tables::stage1)) block = std::size(tables::stage1) - 1;
    const std::size_t offset = point & ((1U << tables::shift) - 1);
    return tables::records[tables::stage2[(std::size_t{tables::stage1[block]} << tables::shift) + offset]];
}

inline Class class_of(char32_t point) noexcept {
    return static_cast<Class>(record(point).cls);
}
inline Script script_of(char32_t point) noexcept {
    return static_cast<Script>(record(point).script);
}

// Simple mapping: one code point to one, whatever the context (U+0130 to i, capital sigma never to the final form).
inline char32_t lower(char32_t point) noexcept {
    return static_cast<char32_t>(static_cast<std::int32_t>(point) + record(point).lower);
}

// Appends a code point as UTF-8; surrogates and what lies beyond U+10FFFF become U+FFFD.
void append(std::string& text, char32_t point);

std::string lower(std::string_view text);

// U+2019, which many texts have where others, and most treebanks, have the apostrophe of a typewriter.
inline constexpr std::string_view typographic_apostrophe = "\xe2\x80\x99";

inline bool has_typographic_apostrophe(std::string_view text) noexcept {
    return text.find(typographic_apostrophe) != std::string_view::npos;
}
// The same text with apostrophes of a typewriter in their place: as many code points.
std::string with_straight_apostrophes(std::string_view text);

// The first `count` code points of a text, or all of it.
std::string_view first(std::string_view text, std::size_t count) noexcept;

}  // namespace laconic::unicode
