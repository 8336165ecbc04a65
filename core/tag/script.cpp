#include "tag/script.hpp"

#include <algorithm>
#include <vector>

#include "base/unicode.hpp"

namespace laconic::tag {

namespace {

constexpr std::size_t longest = 64;

std::u32string lowered(std::string_view text) {
    std::u32string points;
    for (std::size_t at = 0; at < text.size();) {
        const unicode::Decoded next = unicode::decode(text, at);
        points.push_back(unicode::lower(next.point));
        at += next.size;
    }
    return points;
}

struct Common {
    std::size_t in_first = 0, in_second = 0, size = 0;
};

// The longest piece that both have; the first in `a` of several, and of those the first in `b`.
Common longest_common(const std::u32string& a, const std::u32string& b) {
    Common best;
    std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : 0;
            if (row[j] > best.size) best = {i - row[j], j - row[j], row[j]};
        }
        std::swap(above, row);
    }
    return best;
}

// The piece that stays. A change at the end alone is one that other words may share: where the common beginning is
// nearly as long as the longest common piece, and little stands behind it, that stays.
Common kept_piece(const std::u32string& a, const std::u32string& b) {
    constexpr std::size_t longest_ending = 4, nearly = 2;
    const Common best = longest_common(a, b);
    const auto [end, unused] = std::ranges::mismatch(a, b);
    const auto shared = static_cast<std::size_t>(end - a.begin());
    if (shared > 0 && shared + nearly >= best.size && a.size() - shared <= longest_ending) return {0, 0, shared};
    return best;
}

// Byte offset of a code point.
std::size_t offset_of(std::string_view text, std::size_t point) noexcept {
    return unicode::first(text, point).size();
}

}  // namespace

std::size_t length_of(std::string_view text) noexcept {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at += unicode::decode(text, at).size;
    return count;
}

Script derive(std::string_view form, std::string_view lemma) {
    const Script whole{Letters::keep, Script::all, 0, std::string(lemma), {}};
    const std::u32string a = lowered(form);
    const std::u32string b = lowered(lemma);
    if (a.size() > longest || b.size() > longest) {
        for (const Letters letters : {Letters::lower, Letters::keep, Letters::head}) {
            const Script same{letters, 0, 0, {}, {}};
            std::string made;
            apply(same, form, made);
            if (made == lemma) return same;
        }
        return whole;
    }
    const Common common = kept_piece(a, b);
    if (common.size == 0) return whole;
    Script script;
    script.cut_front = static_cast<std::uint32_t>(common.in_first);
    script.cut_back = static_cast<std::uint32_t>(a.size() - common.in_first - common.size);
    script.front = lemma.substr(0, offset_of(lemma, common.in_second));
    script.back = lemma.substr(offset_of(lemma, common.in_second + common.size));
    std::string made;
    for (const Letters letters : {Letters::lower, Letters::keep, Letters::head}) {
        script.letters = letters;
        apply(script, form, made);
        if (made == lemma) return script;
    }
    return whole;
}

void apply(const Script& script, std::string_view form, std::string& lemma) {
    lemma.clear();
    if (script.cut_front == Script::all && !(script.front.empty() && script.back.empty())) {
        lemma.append(script.front).append(script.back);
        return;
    }
    const bool ascii = std::ranges::all_of(form, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    const std::size_t length = ascii ? form.size() : length_of(form);
    const bool fits = script.needs() <= length;
    const std::size_t begin = fits ? script.cut_front : 0;
    const std::size_t end = fits ? length - script.cut_back : length;
    const Letters letters = fits ? script.letters : Letters::lower;
    if (fits) lemma.append(script.front);
    if (ascii) {
        const std::size_t front = lemma.size();
        lemma.append(form.substr(begin, end - begin));
        if (letters != Letters::keep)
            for (std::size_t i = front + (letters == Letters::head && begin == 0 ? 1 : 0); i < lemma.size(); ++i)
                lemma[i] = static_cast<char>(lemma[i] >= 'A' && lemma[i] <= 'Z' ? lemma[i] + ('a' - 'A') : lemma[i]);
    }
    for (std::size_t at = 0, point = 0; !ascii && at < form.size() && point < end; ++point) {
        const unicode::Decoded next = unicode::decode(form, at);
        const bool keep = letters == Letters::keep || (letters == Letters::head && point == 0);
        if (point >= begin) {
            if (keep)
                lemma.append(form.substr(at, next.size));
            else
                unicode::append(lemma, unicode::lower(next.point));
        }
        at += next.size;
    }
    if (fits) lemma.append(script.back);
}

}  // namespace laconic::tag
