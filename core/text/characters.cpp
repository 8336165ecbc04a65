#include "text/characters.hpp"

#include <limits>

#include "base/error.hpp"

namespace laconic::text {

namespace {

// Reads a run of white space, character by character, and says what kind of gap it is.
class GapReader {
public:
    void read(char32_t point) noexcept {
        ++count_;
        plain_ = plain_ && point == ' ';
        const bool line_feed_of_pair = point == '\n' && previous_ == '\r';
        if (point == '\n' || point == '\r' || point == 0x0b || point == 0x85 || point == 0x2028)
            lines_ += line_feed_of_pair ? 0 : 1;
        else if (point == '\f' || point == 0x2029)
            lines_ += 2;
        previous_ = point;
    }
    [[nodiscard]] Gap gap() const noexcept {
        if (lines_ > 1) return Gap::blank;
        if (lines_ == 1) return Gap::line;
        return plain_ && count_ == 1 ? Gap::space : Gap::wide;
    }

private:
    std::size_t count_ = 0, lines_ = 0;
    bool plain_ = true;
    char32_t previous_ = 0;
};

}  // namespace

Characters::Characters(std::string_view text) : text_(text) {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw InputError("a text of more than 2 GiB: give it in pieces", "");
    points_.reserve(text.size() + 1);
    codes_.reserve(text.size() + 1);
    gaps_.reserve(text.size() + 1);
    bytes_.reserve(text.size() + 1);
    offsets_.reserve(text.size() + 1);
    std::size_t at = 0, offset = 0;
    while (at < text.size()) {
        const unicode::Decoded next = unicode::decode(text, at);
        if (!is_white(next.point)) {
            add(next.point, code_of(next.point), Gap::none, at, offset);
            at += next.size;
            ++offset;
            continue;
        }
        const std::size_t begin = at, first = offset;
        GapReader reader;
        for (unicode::Decoded white = next; is_white(white.point);) {
            reader.read(white.point);
            at += white.size;
            ++offset;
            if (at == text.size()) break;
            white = unicode::decode(text, at);
        }
        add(U' ', space_code, reader.gap(), begin, first);
    }
    bytes_.push_back(static_cast<std::uint32_t>(at));
    offsets_.push_back(static_cast<std::int32_t>(offset));
}

void Characters::add(char32_t point, Code code, Gap gap, std::size_t byte, std::size_t offset) {
    points_.push_back(point);
    codes_.push_back(code);
    gaps_.push_back(gap);
    bytes_.push_back(static_cast<std::uint32_t>(byte));
    offsets_.push_back(static_cast<std::int32_t>(offset));
}

}  // namespace laconic::text
