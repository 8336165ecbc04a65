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

inline void Characters::add(char32_t point, Code code, Gap gap, std::size_t byte, std::size_t offset) noexcept {
    points_[size_] = point;
    codes_[size_] = code;
    gaps_[size_] = gap;
    bytes_[size_] = static_cast<std::uint32_t>(byte);
    offsets_[size_++] = static_cast<std::int32_t>(offset);
}

Characters::Characters(std::string_view text) : text_(text) {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw InputError("a text of more than 2 GiB: give it in pieces", "");
    const std::size_t room = text.size() + 1;
    points_ = std::make_unique_for_overwrite<char32_t[]>(room);
    codes_ = std::make_unique_for_overwrite<Code[]>(room);
    gaps_ = std::make_unique_for_overwrite<Gap[]>(room);
    bytes_ = std::make_unique_for_overwrite<std::uint32_t[]>(room);
    offsets_ = std::make_unique_for_overwrite<std::int32_t[]>(room);
    std::size_t at = 0, offset = 0;
    while (at < text.size()) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (const Code code = byte_codes[byte]; code != space_code) [[likely]] {
            add(byte, code, Gap::none, at++, offset++);
            continue;
        }
        if (byte == ' ' && at + 1 < text.size() && byte_codes[static_cast<unsigned char>(text[at + 1])] != space_code) {
            add(U' ', space_code, Gap::space, at++, offset++);
            continue;
        }
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
    bytes_[size_] = static_cast<std::uint32_t>(at);
    offsets_[size_] = static_cast<std::int32_t>(offset);
}

}  // namespace laconic::text
