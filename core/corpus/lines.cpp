#include "corpus/lines.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace laconic::corpus {

namespace {

std::uint64_t read8(const char* from) noexcept {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

constexpr std::uint64_t ones = 0x0101010101010101ULL;
constexpr std::uint64_t highs = 0x8080808080808080ULL;

// The high bit of every byte of `word` that equals the byte repeated in `pattern`; exact, with no false bit above a
// hit.
constexpr std::uint64_t equal_bytes(std::uint64_t word, std::uint64_t pattern) noexcept {
    const std::uint64_t x = word ^ pattern;
    return ~(((x & ~highs) + ~highs) | x | ~highs);
}

// Length of the well-formed sequence that starts at p, 0 where there is none (Unicode, table 3-7).
std::size_t sequence(const unsigned char* p, std::size_t left) noexcept {
    const auto tail = [&](std::size_t i) { return (p[i] & 0xc0) == 0x80; };
    if (p[0] < 0x80) return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4) return 0;
    if (p[0] < 0xe0) return left >= 2 && tail(1) ? 2 : 0;
    if (p[0] < 0xf0) {
        if (left < 3 || !tail(1) || !tail(2)) return 0;
        if (p[0] == 0xe0 && p[1] < 0xa0) return 0;
        if (p[0] == 0xed && p[1] > 0x9f) return 0;
        return 3;
    }
    if (left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    if (p[0] == 0xf0 && p[1] < 0x90) return 0;
    if (p[0] == 0xf4 && p[1] > 0x8f) return 0;
    return 4;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view bytes) noexcept {
    std::size_t i = 0;
    while (i < bytes.size()) {
        while (i + 8 <= bytes.size() && (read8(bytes.data() + i) & highs) == 0) i += 8;
        if (i == bytes.size()) break;
        const std::size_t length = sequence(reinterpret_cast<const unsigned char*>(bytes.data() + i), bytes.size() - i);
        if (length == 0) return i;
        i += length;
    }
    return bytes.size();
}

std::size_t count_characters(std::string_view utf8) noexcept {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string quote(std::string_view bytes) {
    constexpr std::size_t longest = 40;
    constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "\"";
    std::size_t i = 0;
    while (i < bytes.size() && i < longest) {
        const auto* p = reinterpret_cast<const unsigned char*>(bytes.data() + i);
        const std::size_t length = sequence(p, bytes.size() - i);
        if (length == 0 || *p < 0x20 || *p == 0x7f) {
            result += "\\x";
            result += hex[*p >> 4];
            result += hex[*p & 15];
            ++i;
        } else {
            result += bytes.substr(i, length);
            i += length;
        }
    }
    result += i < bytes.size() ? "...\"" : "\"";
    return result;
}

void check_written(std::string_view bytes) {
    if (bytes.size() <= longest_line) return;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const bool crlf = end > begin && end < bytes.size() && bytes[end - 1] == '\r';
        if (end - begin - (crlf ? 1 : 0) > longest_line)
            throw InputError("a line would have more than " + std::to_string(longest_line) +
                                 " bytes, which no reader takes: it begins " + quote(bytes.substr(begin, end - begin)),
                             "");
        begin = end + 1;
    }
}

void Faults::add(std::string reason, const Line& line, std::size_t offset) {
    const std::uint64_t column = 1 + count_characters(line.text.substr(0, offset));
    if (!options_.lenient) throw InputError(std::move(reason), options_.file, line.number, column);
    list_.push_back({std::move(reason), line.number, column});
}

void Faults::sort_from(std::size_t begin) {
    std::stable_sort(
        list_.begin() + static_cast<std::ptrdiff_t>(begin), list_.end(),
        [](const Fault& a, const Fault& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; });
}

bool Faults::check_length(const Line& line) {
    if (line.text.size() <= longest_line) return true;
    add("the line has more than " + std::to_string(longest_line) + " bytes: expected shorter lines", line);
    return false;
}

void Faults::check_bytes(const Line& line) {
    if (!check_length(line)) return;
    if (const std::size_t bad = first_invalid_utf8(line.text); bad < line.text.size())
        add("invalid UTF-8: expected a file in UTF-8", line, bad);
    if (const std::size_t nul = line.text.find('\0'); nul != std::string_view::npos)
        add("a NUL byte: expected text", line, nul);
    if (const std::size_t cr = line.text.find('\r'); cr != std::string_view::npos)
        add("a carriage return inside a line: expected lines that end in LF or CR LF", line, cr);
}

// Whole lines, as many as lie in a stretch that stays in the cache until they are read.
void Lines::look_ahead() noexcept {
    constexpr std::size_t stretch = std::size_t{1} << 15;
    const std::size_t end = source_.size() - offset_ <= stretch ? source_.size() : offset_ + stretch;
    checked_ = std::min(source_.find('\n', end), source_.size());
    const std::string_view ahead = source_.substr(offset_, checked_ - offset_);
    clean_ = ahead.find('\0') == std::string_view::npos && ahead.find('\r') == std::string_view::npos &&
             first_invalid_utf8(ahead) == ahead.size();
}

bool Lines::next(Line& line) noexcept {
    if (offset_ == source_.size()) return false;
    if (offset_ >= checked_) look_ahead();
    const char* begin = source_.data() + offset_;
    const std::size_t left = source_.size() - offset_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', left));
    std::size_t size = end == nullptr ? left : static_cast<std::size_t>(end - begin);
    line.begin = offset_;
    line.number = number_++;
    offset_ += end == nullptr ? size : size + 1;
    line.crlf = end != nullptr && size > 0 && begin[size - 1] == '\r';
    if (line.crlf) --size;
    line.text = {begin, size};
    return true;
}

std::size_t split_tabs(std::string_view line, std::span<std::string_view> out) noexcept {
    std::size_t count = 0, begin = 0, i = 0;
    const auto cut = [&](std::size_t at) {
        if (count < out.size()) out[count] = line.substr(begin, at - begin);
        ++count;
        begin = at + 1;
    };
    if constexpr (std::endian::native == std::endian::little)
        for (; i + 8 <= line.size(); i += 8) {
            std::uint64_t hits = equal_bytes(read8(line.data() + i), ones * '\t');
            for (; hits != 0; hits &= hits - 1) cut(i + static_cast<std::size_t>(std::countr_zero(hits)) / 8);
        }
    for (; i < line.size(); ++i)
        if (line[i] == '\t') cut(i);
    cut(line.size());
    return count;
}

bool parse_number(std::string_view text, std::int32_t& number) noexcept {
    if (text.empty() || text.size() > 10 || (text[0] == '0' && text.size() > 1)) return false;
    std::int64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        value = value * 10 + (c - '0');
    }
    if (value > std::numeric_limits<std::int32_t>::max()) return false;
    number = static_cast<std::int32_t>(value);
    return true;
}

}  // namespace laconic::corpus
