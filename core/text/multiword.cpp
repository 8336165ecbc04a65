#include "text/multiword.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/unicode.hpp"

namespace laconic::text {

namespace {

constexpr char behind = '\n';  // stands between a token and the next in an entry

// Case does not change it: other scripts share one value.
constexpr std::size_t case_insensitive_byte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) return 0x80;
    return byte >= 'A' && byte <= 'Z' ? byte + 0x20U : byte;
}

std::size_t last_pair(std::string_view form) noexcept {
    const std::size_t before = form.size() > 1 ? case_insensitive_byte(form[form.size() - 2]) : 0;
    return before * 256 + case_insensitive_byte(form.back());
}

// The tables know lower-case partners only; the distances back are few, and a wrong one is noticed.
char32_t upper(char32_t point) noexcept {
    constexpr std::array<char32_t, 12> distances{32, 1, 80, 48, 40, 8, 16, 26, 37, 38, 63, 64};
    if (unicode::class_of(point) != unicode::Class::lower) return point;
    for (const char32_t distance : distances)
        if (point > distance && unicode::lower(point - distance) == point) return point - distance;
    return point;
}

std::string upper(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const unicode::Decoded next = unicode::decode(text, at);
        unicode::append(result, upper(next.point));
        at += next.size;
    }
    return result;
}

struct Casing {
    bool title = false;  // begins with an upper-case letter
    bool upper = false;  // two or more, and no lower-case one
};

Casing casing(std::string_view form) noexcept {
    std::size_t uppers = 0, lowers = 0;
    bool title = false;
    for (std::size_t at = 0; at < form.size();) {
        const unicode::Decoded next = unicode::decode(form, at);
        const auto cls = unicode::class_of(next.point);
        if (at == 0) title = cls == unicode::Class::upper;
        uppers += cls == unicode::Class::upper ? 1 : 0;
        lowers += cls == unicode::Class::lower ? 1 : 0;
        at += next.size;
    }
    return {title, uppers > 1 && lowers == 0};
}

std::size_t count_points(std::string_view text) noexcept {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at += unicode::decode(text, at).size;
    return count;
}

// Gives lower-cased words the letters of the token that they spell out, or else its casing.
void dress(std::string_view form, std::string_view lowered, std::vector<std::string>& words) {
    std::string spelled;
    for (const std::string& word : words) spelled += word;
    if (spelled == lowered) {
        for (std::string& word : words) {
            const std::string_view part = unicode::first(form, count_points(word));
            word = part;
            form.remove_prefix(part.size());
        }
        return;
    }
    const Casing found = casing(form);
    if (found.upper)
        for (std::string& word : words) word = upper(word);
    else if (found.title && !words.front().empty()) {
        const std::string_view head = unicode::first(words.front(), 1);
        words.front() = upper(head) + words.front().substr(head.size());
    }
}

}  // namespace

Multiwords::Multiwords(features::Forms tokens, features::Forms endings, std::vector<std::uint32_t> begins,
                       std::vector<std::string> words)
    : tokens_(std::move(tokens)), endings_(std::move(endings)), begins_(std::move(begins)), words_(std::move(words)) {
    if (begins_.size() != tokens_.size() + endings_.size() + 1 || begins_.front() != 0 ||
        begins_.back() != words_.size() || !std::ranges::is_sorted(begins_))
        throw ModelError("multiword tokens and their words do not fit together");
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
        const bool ending = i >= tokens_.size();
        const std::uint32_t size = begins_[i + 1] - begins_[i];
        if (size == 1 || (ending && size == 0)) throw ModelError("a multiword token of fewer than two words");
        for (std::uint32_t w = begins_[i]; w < begins_[i + 1]; ++w)
            if ((words_[w].empty() && (!ending || w > begins_[i])) ||
                words_[w].find_first_of(std::string_view("\t\n\r\0", 4)) != std::string::npos)
                throw ModelError("a word of a multiword token cannot stand in a column");
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const std::string_view token = tokens_[i].substr(0, tokens_[i].find(behind));
        if (token.empty()) throw ModelError("an empty multiword token");
        last_bytes_.set(last_pair(token));
        if (token.size() < tokens_[i].size()) followed_.set(last_pair(token));
        longest_token_ = std::max(longest_token_, token.size());
    }
    for (std::size_t i = 0; i < endings_.size(); ++i) {
        const std::string_view ending = endings_[i];
        if (ending.empty()) throw ModelError("an empty ending");
        if (ending.size() > 1)
            last_bytes_.set(last_pair(ending));
        else
            for (std::size_t before = 0; before < 256; ++before)
                last_bytes_.set(before * 256 + case_insensitive_byte(ending[0]));
        ending_sizes_.push_back(ending.size());
    }
    std::ranges::sort(ending_sizes_, std::ranges::greater{});
    ending_sizes_.erase(std::unique(ending_sizes_.begin(), ending_sizes_.end()), ending_sizes_.end());
}

bool Multiwords::possible(std::string_view form) const noexcept {
    return !form.empty() && last_bytes_.test(last_pair(form));
}

bool Multiwords::looks_behind(std::string_view form) const noexcept {
    return !form.empty() && followed_.test(last_pair(form));
}

void Multiwords::split(std::string_view form, std::string_view next, std::vector<std::string>& words) const {
    if (!split_as(form, form, next, words) && unicode::has_typographic_apostrophe(form))
        split_as(unicode::with_straight_apostrophes(form), form, next, words);
}

bool Multiwords::split_as(std::string_view spelling, std::string_view form, std::string_view next,
                          std::vector<std::string>& words) const {
    words.clear();
    if (!possible(spelling)) return false;
    // Long tokens have nothing but their endings looked at, and that is bounded.
    constexpr std::size_t longest = 200;
    if (spelling.size() > std::max(longest, longest_token_)) return false;
    const std::string lowered = unicode::lower(spelling);
    const auto take = [&](std::size_t entry) {
        words.assign(words_.begin() + begins_[entry], words_.begin() + begins_[entry + 1]);
    };
    std::uint32_t found = features::Forms::absent;
    if (!next.empty() && looks_behind(spelling)) found = tokens_.find(lowered + behind + unicode::lower(next));
    if (found == features::Forms::absent) found = tokens_.find(lowered);
    if (found != features::Forms::absent) {
        take(found);
        if (!words.empty()) dress(form, lowered, words);
        return true;
    }
    for (const std::size_t size : ending_sizes_) {
        if (size >= lowered.size()) continue;
        const std::size_t cut = lowered.size() - size;
        found = endings_.find(std::string_view(lowered).substr(cut));
        if (found == features::Forms::absent) continue;
        take(tokens_.size() + found);
        words.front().insert(0, lowered, 0, cut);
        // What is left may be a multiword token itself: can't + 've. It is shorter, so this ends.
        std::vector<std::string> inner;
        if (words.front().size() < lowered.size()) split(words.front(), {}, inner);
        if (!inner.empty()) {
            words.erase(words.begin());
            words.insert(words.begin(), inner.begin(), inner.end());
        }
        dress(form, lowered, words);
        return true;
    }
    return false;
}

}  // namespace laconic::text
