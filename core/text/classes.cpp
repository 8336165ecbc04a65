#include "text/classes.hpp"

#include <algorithm>
#include <array>

namespace laconic::text {

namespace {

constexpr Code hiragana = 10, katakana = 11, han = 12, first_foreign_mark = first_mark + 32;
// Marks beyond ASCII that bound sentences or quotations in many scripts.
constexpr std::array<char32_t, 18> foreign_marks{0x2018, 0x2019, 0x201c, 0x201d, 0x2026, 0x2013,
                                                 0x2014, 0x00ab, 0x00bb, 0x3001, 0x3002, 0x300c,
                                                 0x300d, 0xff01, 0xff0c, 0xff1f, 0x061f, 0x0964};
static_assert(first_foreign_mark + foreign_marks.size() <= code_count);

Code find_code(char32_t point) noexcept {
    const auto cls = unicode::class_of(point);
    if (cls == unicode::Class::punctuation || cls == unicode::Class::symbol) {
        const auto found = std::ranges::find(foreign_marks, point);
        if (found != foreign_marks.end())
            return static_cast<Code>(first_foreign_mark + (found - foreign_marks.begin()));
        return static_cast<Code>(cls);
    }
    if (cls == unicode::Class::letter) {
        const auto script = unicode::script_of(point);
        if (script == unicode::Script::hiragana) return hiragana;
        if (script == unicode::Script::katakana) return katakana;
        if (script == unicode::Script::han) return han;
    }
    return static_cast<Code>(cls == unicode::Class::space ? unicode::Class::other : cls);
}

}  // namespace

Code code_of(char32_t point) noexcept {
    return point < 0x80 ? ascii_codes[point] : find_code(point);
}

}  // namespace laconic::text
