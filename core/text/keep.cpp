#include "text/keep.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace laconic::text {

namespace {

bool in(char32_t point, std::string_view set) noexcept {
    return point < 0x80 && set.find(static_cast<char>(point)) != std::string_view::npos;
}

bool is_ascii_word(char32_t point) noexcept {
    return (point >= '0' && point <= '9') || (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z');
}

// Does the ASCII string `wanted`, in lower case, stand at `at`?
bool stands(const Characters& characters, std::size_t at, std::string_view wanted) noexcept {
    if (characters.size() - at < wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (unicode::lower(characters.point(at + i)) != static_cast<unsigned char>(wanted[i])) return false;
    return true;
}

bool url_begins(const Characters& characters, std::size_t at) noexcept {
    constexpr std::array<std::string_view, 4> heads{"http://", "https://", "ftp://", "www."};
    for (const std::string_view head : heads)
        if (stands(characters, at, head) && at + head.size() < characters.size() &&
            is_word(characters.code(at + head.size())))
            return true;
    return false;
}

}  // namespace

void keep_whole(const Characters& characters, std::size_t begin, std::size_t end, std::span<Known> known) {
    for (std::size_t i = begin; i + 1 < end; ++i) known[i] = Known::inside;
    known[end - 1] = Known::end;
    if (begin > 0 && known[begin - 1] == Known::nothing && in(characters.point(begin - 1), "([{<\"'"))
        known[begin - 1] = Known::end;
}

void keep_emails(const Characters& characters, std::span<Known> known) {
    if (characters.text().find('@') == std::string_view::npos) return;
    std::size_t done = 0;
    for (std::size_t at = 0; at < characters.size(); ++at) {
        if (characters.point(at) != '@') continue;
        std::size_t begin = at, end = at + 1;
        while (begin > done && (is_ascii_word(characters.point(begin - 1)) || in(characters.point(begin - 1), "._%+-")))
            --begin;
        while (begin < at && !is_ascii_word(characters.point(begin))) ++begin;
        bool dot = false;
        while (end < characters.size() && (is_ascii_word(characters.point(end)) || in(characters.point(end), ".-")))
            ++end;
        while (end > at + 1 && !is_ascii_word(characters.point(end - 1))) --end;
        for (std::size_t i = at + 2; i < end; ++i) dot = dot || characters.point(i) == '.';
        if (begin < at && dot && is_ascii_word(characters.point(at + 1))) keep_whole(characters, begin, end, known);
        done = at + 1;
    }
}

void keep_urls(const Characters& characters, std::span<Known> known) {
    for (std::size_t at = 0; at < characters.size(); ++at) {
        const char32_t small = characters.point(at) | 0x20U;
        if (small != 'h' && small != 'f' && small != 'w') continue;
        const bool fresh = at == 0 || !is_word(characters.code(at - 1));
        if (!fresh || !url_begins(characters, at)) continue;
        std::size_t end = at, open = 0, close = 0;
        for (; end < characters.size() && !characters.white(end) && !in(characters.point(end), "<>\"{}|\\^`"); ++end) {
            open += characters.point(end) == '(' ? 1 : 0;
            close += characters.point(end) == ')' ? 1 : 0;
        }
        // Marks at its end belong to the sentence, and so does a bracket that was not opened in it.
        for (; end > at; --end) {
            const char32_t last = characters.point(end - 1);
            if (last == ')' && close > open)
                --close;
            else if (!in(last, ".,;:!?'*]"))
                break;
        }
        keep_whole(characters, at, end, known);
        at = end - 1;
    }
}

Exceptions::Exceptions(std::span<const std::string> strings) {
    for (const std::string& string : strings) {
        const Characters characters(string);
        if (characters.size() > longest)
            throw std::invalid_argument("a string that is never split has at most " + std::to_string(longest) +
                                        " characters, not " + std::to_string(characters.size()));
        std::uint32_t node = root;
        for (std::size_t i = 0; i < characters.size(); ++i) {
            const std::uint64_t step = std::uint64_t{node} << 32 | characters.point(i);
            const auto [found, added] = next_.try_emplace(step, static_cast<std::uint32_t>(ends_.size()));
            if (added) ends_.push_back(0);
            node = found->second;
        }
        if (node != root) ends_[node] = 1;
    }
}

void Exceptions::keep(const Characters& characters, std::span<Known> known) const {
    const std::size_t size = characters.size();
    for (std::size_t at = 0; at < size; ++at) {
        if (at > 0 && is_word(characters.code(at - 1)) && is_word(characters.code(at))) continue;
        std::size_t end = at;
        std::uint32_t node = root;
        for (std::size_t i = at; i < size; ++i) {
            const auto found = next_.find(std::uint64_t{node} << 32 | characters.point(i));
            if (found == next_.end()) break;
            node = found->second;
            const bool open = i + 1 < size && is_word(characters.code(i)) && is_word(characters.code(i + 1));
            if (ends_[node] != 0 && !open) end = i + 1;
        }
        if (end == at) continue;
        keep_whole(characters, at, end, known);
        at = end - 1;
    }
}

}  // namespace laconic::text
