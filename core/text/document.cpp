#include "text/document.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "corpus/offsets.hpp"
#include "text/context.hpp"

namespace laconic::text {

using corpus::Columns;
using corpus::Field;
using corpus::Span;

namespace {

void escape(std::string& to, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case ' ':
                to += "\\s";
                break;
            case '\t':
                to += "\\t";
                break;
            case '\n':
                to += "\\n";
                break;
            case '\r':
                to += "\\r";
                break;
            case '|':
                to += "\\p";
                break;
            case '\\':
                to += "\\\\";
                break;
            case '\0':
                to += "\\0";
                break;
            default:
                to += c;
        }
    }
}

class Builder {
public:
    Builder(const Characters& characters, std::size_t begin, std::size_t end, bool last, const Multiwords* multiwords)
        : characters_(characters),
          begin_(begin),
          end_(end),
          last_(last),
          byte_(characters.byte(begin)),
          offset_(characters.offset(begin)),
          multiwords_(multiwords) {
        columns_.bytes.assign(characters.slice(begin, end));
        blank_ = columns_.append("_");
        no_space_ = columns_.append("SpaceAfter=No");
        newpar_ = columns_.append("# newpar");
        const std::size_t likely = (end - begin) / 4 + 1;
        for (const Field field : {Field::form, Field::misc}) columns_[field].reserve(likely);
        columns_.starts.reserve(likely);
        columns_.ends.reserve(likely);
    }

    Columns run(std::span<const std::uint8_t> labels) {
        labels_ = labels;
        std::size_t token = end_;
        for (std::size_t at = begin_; at < end_; ++at) {
            if (characters_.white(at)) continue;
            if (token == end_) token = at;
            if (sentence_ == end_) sentence_ = token;
            if (labels[at] == inside) continue;
            add_token(token, at + 1);
            if (labels[at] == sentence_end) close(at + 1);
            token = end_;
        }
        for (const Field field : {Field::lemma, Field::upos, Field::xpos, Field::feats, Field::deprel, Field::deps})
            columns_[field].assign(columns_[Field::form].size(), blank_);
        return std::move(columns_);
    }

private:
    // [begin, end) as a piece of the buffer, which begins with the text.
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const noexcept {
        return {characters_.byte(begin) - byte_, characters_.byte(end) - characters_.byte(begin)};
    }

    void add_token(std::size_t begin, std::size_t end) {
        misc_.clear();
        Span form = span(begin, end);
        if (first_ && begin > begin_) entry("SpacesBefore=", characters_.slice(begin_, begin));
        first_ = false;
        bool normal = true;  // white space inside is one space at a time
        for (std::size_t i = begin + 1; i + 1 < end; ++i)
            if (characters_.white(i)) normal = normal && characters_.gap(i) == Gap::space;
        if (!normal) {
            form = columns_.append(collapsed(begin, end));
            entry("SpacesInToken=", characters_.slice(begin, end));
        }
        const bool last = last_ && end + 1 == end_;
        Span misc = blank_;
        if (end == end_ || !characters_.white(end)) {
            misc = no_space_;
            if (!misc_.empty()) misc_ += "|SpaceAfter=No";
        } else if (last || characters_.gap(end) != Gap::space) {
            entry("SpacesAfter=", characters_.slice(end, end + 1));
        }
        if (!misc_.empty()) {
            misc = columns_.append(misc_);
            spelled_out_ = true;
        }
        put(form, misc, begin, end);
    }

    void put(Span form, Span misc, std::size_t begin, std::size_t end) {
        words_.clear();
        if (multiwords_ != nullptr) {
            const std::string_view own = columns_.view(form);
            multiwords_->split(own, multiwords_->looks_behind(own) ? token_behind(end) : std::string_view(), words_);
        }
        const std::int32_t start = characters_.offset(begin) - offset_, stop = characters_.offset(end) - offset_;
        if (words_.empty()) {
            put_word(form, misc, start, stop);
            return;
        }
        const auto first = static_cast<std::uint32_t>(columns_[Field::form].size() - columns_.sentences.back());
        corpus::Aside aside{first + 1, first + static_cast<std::uint32_t>(words_.size())};
        aside.fields.fill(blank_);
        aside.head = blank_;
        aside.fields[static_cast<std::size_t>(Field::form)] = form;
        aside.fields[static_cast<std::size_t>(Field::misc)] = misc;
        columns_.multiwords.items.push_back(aside);
        const std::size_t from = columns_.starts.size();
        for (const std::string& word : words_) put_word(columns_.append(word), blank_, start, stop);
        corpus::assign_offsets(columns_, from, columns_.starts.size(), characters_.slice(begin, end), start, stop,
                               columns_.starts, columns_.ends);
    }

    // The next token of the sentence, if it goes on where a token has ended.
    [[nodiscard]] std::string_view token_behind(std::size_t end) const {
        std::size_t first = end;
        if (labels_[end - 1] == sentence_end) return {};
        while (first < end_ && characters_.white(first)) ++first;
        std::size_t last = first;
        while (last < end_ && labels_[last] == inside) ++last;
        return last < end_ ? characters_.slice(first, last + 1) : std::string_view();
    }

    void put_word(Span form, Span misc, std::int32_t start, std::int32_t stop) {
        columns_[Field::form].push_back(form);
        columns_[Field::misc].push_back(misc);
        columns_.heads.push_back(corpus::no_head);
        columns_.starts.push_back(start);
        columns_.ends.push_back(stop);
    }

    void close(std::size_t end) {
        if (sentence_ > 0 && characters_.gap(sentence_ - 1) == Gap::blank) columns_.comments.items.push_back(newpar_);
        constexpr std::string_view key = "# text = ";
        const Span head = columns_.append(key);
        const Span text = spelled_out_ ? columns_.append(collapsed(sentence_, end))
                                       : columns_.append(characters_.slice(sentence_, end));
        columns_.comments.items.push_back({head.begin, head.size + text.size});
        columns_.close_sentence();
        sentence_ = end_;
        spelled_out_ = false;
    }

    void entry(std::string_view key, std::string_view value) {
        if (!misc_.empty()) misc_ += '|';
        misc_ += key;
        escape(misc_, value);
    }

    // Each run of white space as one space.
    [[nodiscard]] std::string_view collapsed(std::size_t begin, std::size_t end) {
        collapsed_.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t first = i;
            while (i < end && !characters_.white(i)) ++i;
            collapsed_ += characters_.slice(first, i);
            if (i < end) collapsed_ += ' ';
        }
        return collapsed_;
    }

    const Characters& characters_;
    std::size_t begin_, end_;
    bool last_;
    std::uint32_t byte_;
    std::int32_t offset_;
    const Multiwords* multiwords_;
    std::span<const std::uint8_t> labels_;
    Columns columns_;
    Span blank_{}, no_space_{}, newpar_{};
    std::size_t sentence_ = end_;
    bool first_ = true, spelled_out_ = false;
    std::string misc_, collapsed_;
    std::vector<std::string> words_;
};

}  // namespace

Columns build(const Characters& characters, std::span<const std::uint8_t> labels, std::size_t begin, std::size_t end,
              bool last, const Multiwords* multiwords) {
    return Builder(characters, begin, end, last, multiwords).run(labels);
}

}  // namespace laconic::text
