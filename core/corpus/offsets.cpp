#include "corpus/offsets.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/lines.hpp"

namespace laconic::corpus {

namespace {

// The escapes of SpacesAfter and its like: \s \t \r \n \p \\, and \0 for NUL, which no line can hold.
std::string unescape(std::string_view value) {
    std::string result;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] != '\\' || i + 1 == value.size()) {
            result += value[i];
            continue;
        }
        switch (value[++i]) {
            case 's':
                result += ' ';
                break;
            case 't':
                result += '\t';
                break;
            case 'r':
                result += '\r';
                break;
            case 'n':
                result += '\n';
                break;
            case 'p':
                result += '|';
                break;
            case '0':
                result += '\0';
                break;
            case '\\':
                result += '\\';
                break;
            default:
                result += '\\';
                result += value[i];
        }
    }
    return result;
}

bool white(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// Where `part` first stands in `text`, npos where there is none. Linear (Knuth, Morris & Pratt 1977).
std::size_t find_linear(std::string_view text, std::string_view part) {
    std::vector<std::size_t> border(part.size() + 1, 0);  // of each prefix: its longest proper suffix that begins it
    for (std::size_t i = 1, matched = 0; i < part.size(); ++i) {
        while (matched > 0 && part[i] != part[matched]) matched = border[matched];
        border[i + 1] = matched += part[i] == part[matched] ? 1 : 0;
    }
    for (std::size_t i = 0, matched = 0; i < text.size(); ++i) {
        while (matched > 0 && text[i] != part[matched]) matched = border[matched];
        matched += text[i] == part[matched] ? 1 : 0;
        if (matched == part.size()) return i + 1 - matched;
    }
    return std::string_view::npos;
}

// Finds one form after another in a text, with nothing but white space between them. Linear in the text and the forms,
// whatever white space the forms themselves begin with.
class Follower {
public:
    explicit Follower(std::string_view text) : text_(text) {}

    // How much was skipped before the form; npos where it does not follow.
    std::size_t skip(std::string_view form) {
        gap_end_ = std::max(gap_end_, at_);
        while (gap_end_ < text_.size() && white(text_[gap_end_])) ++gap_end_;
        const std::size_t own =
            static_cast<std::size_t>(std::find_if_not(form.begin(), form.end(), white) - form.begin());
        const std::size_t gap = gap_end_ - at_;
        std::size_t skipped = std::string_view::npos;
        if (own == form.size())
            skipped = find_linear(text_.substr(at_, gap), form);
        else if (own <= gap && text_.substr(gap_end_ - own).starts_with(form))
            skipped = gap - own;  // the first character that is not white is the first of both
        if (skipped != std::string_view::npos) at_ += skipped + form.size();
        return skipped;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t gap_end_ = 0;  // end of the white space from there on
};

// White space inside a token, where any kind of it may stand.
bool white(char32_t point) noexcept {
    return point <= ' ' || unicode::class_of(point) == unicode::Class::space;
}

// Finds one word after another in the text of their token, letter by letter; case and white space do not count.
class Speller {
public:
    explicit Speller(std::string_view text) : text_(text) {}

    // The characters [start, end) of the text that are the word; false where it is not what comes next.
    bool next(std::string_view word, std::int32_t& start, std::int32_t& end) {
        bool begun = false;
        for (std::size_t at = 0; at < word.size();) {
            const unicode::Decoded wanted = unicode::decode(word, at);
            at += wanted.size;
            if (white(wanted.point)) continue;
            skip_white();
            if (at_ == text_.size()) return false;
            const unicode::Decoded found = unicode::decode(text_, at_);
            if (found.point != wanted.point && unicode::lower(found.point) != unicode::lower(wanted.point))
                return false;
            if (!begun) start = offset_;
            begun = true;
            at_ += found.size;
            end = ++offset_;
        }
        return begun;
    }

    [[nodiscard]] bool finished() {
        skip_white();
        return at_ == text_.size();
    }

private:
    void skip_white() {
        while (at_ < text_.size()) {
            const unicode::Decoded found = unicode::decode(text_, at_);
            if (!white(found.point)) return;
            at_ += found.size;
            ++offset_;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;       // in bytes
    std::int32_t offset_ = 0;  // in characters
};

// A surface token: a word by itself, or a multiword token.
struct Surface {
    std::string_view form, misc;
    std::size_t first_word, last_word;  // [first, last) in the columns
};

class Locator {
public:
    explicit Locator(const Columns& columns) : columns_(columns) {
        located_.starts.assign(columns.words(), no_offset);
        located_.ends.assign(columns.words(), no_offset);
    }

    Located run() {
        for (std::size_t s = 0; s < columns_.sentence_count(); ++s) sentence(s);
        if (explicit_gap_) put(gap_);
        return std::move(located_);
    }

private:
    void sentence(std::size_t s) {
        collect(s);
        std::string_view text, ignored;
        bool has_text = false, fresh = false;
        for (const Span comment : columns_.comments[s]) {
            const std::string_view line = columns_.view(comment);
            has_text = has_text || comment_value(line, "text", text);
            fresh = fresh || comment_value(line, "newdoc", ignored) || comment_value(line, "newpar", ignored);
        }
        if (s > 0) put(fresh && !explicit_gap_ ? std::string_view("\n\n") : std::string_view(gap_));
        gap_.clear();
        explicit_gap_ = false;
        if (has_text && !spelled_out_)
            align(text);
        else
            lay_out();
    }

    void collect(std::size_t s) {
        surface_.clear();
        spelled_out_ = false;
        const auto multiwords = columns_.multiwords[s];
        auto multiword = multiwords.begin();
        const std::size_t begin = columns_.sentences[s], end = columns_.sentences[s + 1];
        for (std::size_t i = begin; i < end;) {
            Surface token{columns_.view(Field::form, i), columns_.view(Field::misc, i), i, i + 1};
            if (multiword != multiwords.end() && begin + multiword->first - 1 == i) {
                token.form = columns_.view(multiword->fields[static_cast<std::size_t>(Field::form)]);
                token.misc = columns_.view(multiword->fields[static_cast<std::size_t>(Field::misc)]);
                token.last_word = std::min<std::size_t>(begin + multiword->second, end);
                ++multiword;
            }
            spelled_out_ = spelled_out_ || token.misc.find("Spaces") != std::string_view::npos;
            i = token.last_word;
            surface_.push_back(token);
        }
    }

    // The spaces of the annotation, token by token.
    void lay_out() {
        for (std::size_t t = 0; t < surface_.size(); ++t) {
            const Surface& token = surface_[t];
            std::string_view value;
            if (t > 0) put(gap_);
            if (misc_value(token.misc, "SpacesBefore", value)) put(unescape(value));
            const std::int32_t start = length();
            const std::string text =
                misc_value(token.misc, "SpacesInToken", value) ? unescape(value) : std::string(token.form);
            put(text);
            mark(token, text, start, length());
            set_gap(token);
        }
    }

    // `# text` as it is: every token must follow the one before, with nothing but white space between them.
    void align(std::string_view text) {
        const std::int32_t base = length();
        std::int32_t offset = base;
        bool aligned = true;
        Follower follower(text);
        for (const Surface& token : surface_) {
            const std::size_t skipped = follower.skip(token.form);
            aligned = skipped != std::string_view::npos;
            if (!aligned) break;
            offset += static_cast<std::int32_t>(skipped);
            const auto size = static_cast<std::int32_t>(count_characters(token.form));
            mark(token, token.form, offset, offset + size);
            offset += size;
        }
        if (!aligned && !surface_.empty()) {
            const std::size_t first = surface_.front().first_word, last = surface_.back().last_word;
            for (std::size_t i = first; i < last; ++i) located_.starts[i] = located_.ends[i] = no_offset;
        }
        put(text);
        if (!surface_.empty()) set_gap(surface_.back());
    }

    void set_gap(const Surface& token) {
        std::string_view value;
        explicit_gap_ = misc_value(token.misc, "SpacesAfter", value);
        if (explicit_gap_)
            gap_ = unescape(value);
        else
            gap_.assign(misc_value(token.misc, "SpaceAfter", value) && value == "No" ? 0 : 1, ' ');
    }

    void mark(const Surface& token, std::string_view text, std::int32_t start, std::int32_t end) {
        located_.starts[token.first_word] = start;
        located_.ends[token.first_word] = end;
        if (token.last_word - token.first_word == 1) return;  // nearly all
        assign_offsets(columns_, token.first_word, token.last_word, text, start, end, located_.starts, located_.ends);
    }

    void put(std::string_view text) {
        located_.text += text;
        length_ += count_characters(text);
        if (length_ > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            throw InputError("the text has more than 2^31 characters: read the file in batches", "");
    }

    [[nodiscard]] std::int32_t length() const noexcept { return static_cast<std::int32_t>(length_); }

    const Columns& columns_;
    Located located_;
    std::size_t length_ = 0;  // of the text, in characters
    std::vector<Surface> surface_;
    bool spelled_out_ = false;  // a token of the sentence has SpacesAfter, SpacesBefore or SpacesInToken
    std::string gap_;           // what follows the last token
    bool explicit_gap_ = false;
};

}  // namespace

Located locate(const Columns& columns) {
    return Locator(columns).run();
}

void assign_offsets(const Columns& columns, std::size_t first, std::size_t last, std::string_view text,
                    std::int32_t start, std::int32_t end, std::vector<std::int32_t>& starts,
                    std::vector<std::int32_t>& ends) {
    bool spelled = last - first > 1;
    Speller speller(text);
    for (std::size_t i = first; spelled && i < last; ++i) {
        std::int32_t from = 0, to = 0;
        spelled = speller.next(columns.view(Field::form, i), from, to);
        starts[i] = start + from;
        ends[i] = start + to;
    }
    if (spelled && speller.finished()) {
        starts[first] = start;
        ends[last - 1] = end;
        return;
    }
    for (std::size_t i = first; i < last; ++i) {
        starts[i] = start;
        ends[i] = end;
    }
}

bool misc_value(std::string_view misc, std::string_view key, std::string_view& value) noexcept {
    while (!misc.empty()) {
        const std::size_t end = std::min(misc.find('|'), misc.size());
        const std::string_view item = misc.substr(0, end);
        if (item.size() > key.size() && item.starts_with(key) && item[key.size()] == '=') {
            value = item.substr(key.size() + 1);
            return true;
        }
        misc.remove_prefix(std::min(end + 1, misc.size()));
    }
    return false;
}

bool same_spaces(std::string_view misc, std::string_view other) {
    const auto spaces = [](std::string_view text) {
        std::string found;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('|'), text.size());
            const std::string_view item = text.substr(0, end);
            if (item.find("Space") != std::string_view::npos) found.append(item).append("|");
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return found;
    };
    return spaces(misc) == spaces(other);
}

}  // namespace laconic::corpus
