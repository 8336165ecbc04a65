#include "query/sentence_words.hpp"

#include <algorithm>

#include "base/unicode.hpp"
#include "corpus/entity_spans.hpp"
#include "corpus/misc.hpp"
#include "corpus/offsets.hpp"

namespace laconic::query {

using corpus::Field;

namespace {

constexpr std::string_view absent = "_";

}  // namespace

SentenceWords::SentenceWords(const Pattern& pattern, const corpus::Columns& columns) : columns_(columns) {
    for (const Regex& regex : pattern.regexes) matchers_.emplace_back(regex);
}

void SentenceWords::enter(std::size_t sentence) {
    begin_ = columns_.sentences[sentence];
    heads_ = columns_.heads_of(sentence);
    size_ = heads_.size();
    sentence_ = sentence;
    have_tree_ = have_entities_ = false;
}

bool SentenceWords::passes(const Test& test, std::uint32_t word) {
    std::string_view value = value_of(test, word);
    const bool there = !value.empty();
    bool good = there;
    if (test.regex >= 0)
        good = there && matchers_[static_cast<std::size_t>(test.regex)].matches(value);
    else if (!test.values.empty())
        good = std::ranges::any_of(test.values,
                                   [&](const std::string& one) { return there ? one == value : one == absent; });
    if (test.presence == Presence::must_not) return !good;
    return good || (test.presence == Presence::may && !there);
}

std::string_view SentenceWords::value_of(const Test& test, std::uint32_t word) {
    switch (test.source) {
        case Source::lower:
            buffer_ = unicode::lower(columns_.view(Field::form, begin_ + word));
            return buffer_;
        case Source::id:
            buffer_ = std::to_string(word + 1);
            return buffer_;
        case Source::entity:
            return entity_of(word);
        case Source::root:
            return heads_[word] == 0 ? "root" : "";
        default:
            break;
    }
    const auto field = static_cast<Field>(test.source);
    const std::string_view column = columns_.view(field, begin_ + word);
    if (!test.key.empty()) {
        std::string_view value;
        return corpus::misc_value(column, test.key, value) ? value : std::string_view{};
    }
    if (column != absent || field == Field::form) return column;
    // The lemma of an underscore is one.
    return field == Field::lemma && columns_.view(Field::form, begin_ + word) == absent ? column : std::string_view{};
}

std::string_view SentenceWords::entity_of(std::uint32_t word) {
    if (!have_entities_) {
        have_entities_ = true;
        entities_.assign(size_, {});
        for (const corpus::EntitySpan& span : corpus::entity_spans(columns_, sentence_, sentence_ + 1))
            for (std::uint32_t one = span.first; one <= span.last; ++one) entities_[one - begin_] = span.label;
    }
    return entities_[word];
}

std::string_view SentenceWords::label_of(std::size_t word) const {
    return columns_.view(Field::deprel, begin_ + static_cast<std::uint32_t>(word));
}

const corpus::Tree* SentenceWords::tree() {
    if (!have_tree_) {
        have_tree_ = true;
        is_tree_ = tree_.try_enter(heads_);
    }
    return is_tree_ ? &tree_ : nullptr;
}

}  // namespace laconic::query
