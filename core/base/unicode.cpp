#include "base/unicode.hpp"

namespace laconic::unicode {

Decoded decode_multibyte(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) noexcept { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    std::size_t more = 0;
    char32_t point = 0;
    // The second byte decides whether a form is overlong, a surrogate or too large.
    unsigned low = 0x80;
    unsigned high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        more = 1;
        point = lead & 0x1f;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        more = 2;
        point = lead & 0x0f;
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        more = 3;
        point = lead & 0x07;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
    } else {
        return {replacement, 1};
    }
    for (std::size_t i = 1; i <= more; ++i) {
        if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return {replacement, i};
        point = (point << 6) | (byte(at + i) & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    return {point, more + 1};
}

void append(std::string& text, char32_t point) {
    const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    const auto rest = [&](unsigned shift) { put(0x80 | ((point >> shift) & 0x3f)); };
    if ((point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff) point = replacement;
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xc0 | (point >> 6));
        rest(0);
    } else if (point < 0x10000) {
        put(0xe0 | (point >> 12));
        rest(6);
        rest(0);
    } else {
        put(0xf0 | (point >> 18));
        rest(12);
        rest(6);
        rest(0);
    }
}

std::string lower(std::string_view text) {
    std::string lowered;
    lowered.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        append(lowered, lower(next.point));
        at += next.size;
    }
    return lowered;
}

std::string with_straight_apostrophes(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const bool found = text.substr(at).starts_with(typographic_apostrophe);
        result += found ? '\'' : text[at];
        at += found ? typographic_apostrophe.size() : 1;
    }
    return result;
}

std::string_view first(std::string_view text, std::size_t count) noexcept {
    std::size_t at = 0;
    for (; count > 0 && at < text.size(); --count) at += decode(text, at).size;
    return text.substr(0, at);
}

}  // namespace laconic::unicode
