#include "text/context.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "features/codes.hpp"

namespace laconic::text {

using features::Attribute;
using features::Node;

namespace {

constexpr std::size_t longest_rest = 12;
constexpr std::size_t longest_line = 80;  // a longer one is not measured

Atom point_atom(char32_t point) noexcept {
    return static_cast<Atom>(point) + 2;
}

CharReader::Kind kind_of(Node node, Attribute attribute) {
    if (node == Node::character) {
        switch (attribute) {
            case Attribute::character:
                return CharReader::point;
            case Attribute::lower:
                return CharReader::lower;
            case Attribute::cls:
                return CharReader::cls;
            case Attribute::script:
                return CharReader::script;
            case Attribute::tag:
                return CharReader::tag;
            default:
                break;
        }
    } else if (node == Node::state) {
        switch (attribute) {
            case Attribute::gap:
                return CharReader::gap;
            case Attribute::length:
                return CharReader::length;
            case Attribute::quote:
                return CharReader::quote;
            case Attribute::bracket:
                return CharReader::bracket;
            case Attribute::distance:
                return CharReader::line;
            default:
                break;
        }
    } else {
        switch (attribute) {
            case Attribute::lower:
                return CharReader::word_lower;
            case Attribute::shape:
                return CharReader::word_shape;
            case Attribute::length:
                return CharReader::word_length;
            case Attribute::word_casing:
                return CharReader::word_casing;
            default:
                break;
        }
    }
    throw ConfigError("the templates of a segmenter read something that a text does not have");
}

std::uint8_t word_of(Node node, int index) {
    if (node == Node::token && index <= 0 && index >= -2) return static_cast<std::uint8_t>(CharContext::token - index);
    if (node == Node::chunk && index == 0) return CharContext::chunk;
    if (node == Node::rest && index == 0) return CharContext::rest;
    if (node == Node::ahead && index >= 0 && index <= 2) return static_cast<std::uint8_t>(CharContext::ahead + index);
    if (node == Node::character || node == Node::state) return 0;
    throw ConfigError("the templates of a segmenter start from a node that it does not have");
}

}  // namespace

CharReader::CharReader(const features::Plan& plan) {
    for (const features::Slot& slot : plan.slots()) {
        const auto node = static_cast<Node>(slot.node);
        const Kind kind = kind_of(node, static_cast<Attribute>(slot.attribute));
        const bool decided = kind != tag || (slot.index < 0 && slot.index >= -features::decisions_before);
        const bool near = slot.index <= features::characters_behind && slot.index >= -features::characters_before;
        if (!decided || !near || slot.many || slot.steps > 0)
            throw ConfigError("the templates of a segmenter look too far away");
        sources_.push_back({kind, word_of(node, slot.index), slot.index});
    }
}

CharContext::CharContext(const CharReader& reader, const Characters& characters, const CasingStatistics& casing,
                         const std::array<Gap, gap_count>& gaps)
    : reader_(reader), characters_(characters), casing_(casing), gaps_(gaps) {}

void CharContext::start(std::size_t at) {
    fresh_ = true;
    quote_ = false;
    brackets_ = tokens_ = 0;
    previous_ = {};
    tags_.fill(sentence_end);
    // The chunk may have begun before: far enough back it is too long to be known anyway.
    chunk_ = at;
    while (chunk_ > 0 && at - chunk_ <= longest_word && !characters_.white(chunk_ - 1)) --chunk_;
    line_ = at;
    while (line_ > 0 && at - line_ <= longest_line && characters_.gap(line_ - 1) < Gap::line) --line_;
}

void CharContext::begin_chunk(std::size_t at) noexcept {
    if (at == 0 || !characters_.white(at - 1)) return;
    chunk_ = at;
    if (characters_.gap(at - 1) >= Gap::line) line_ = at;
}

void CharContext::focus(std::size_t at) {
    at_ = at;
    known_ = 0;
    begin_chunk(at);
    if (fresh_) token_ = at;
    fresh_ = false;
    behind_ = at + 1;
    gap_ = Gap::none;
    if (behind_ < characters_.size() && characters_.white(behind_)) {
        gap_ = gaps_[static_cast<std::size_t>(characters_.gap(behind_))];
        ++behind_;
    }
    see(characters_.point(at));
}

void CharContext::pass(std::size_t begin, std::size_t end) {
    begin_chunk(begin);
    if (fresh_) token_ = begin;
    fresh_ = false;
    for (std::size_t at = end - std::min(end - begin, tags_.size()); at < end; ++at) tags_[at % tags_.size()] = inside;
}

void CharContext::see(char32_t point) noexcept {
    if (point == '"')
        quote_ = !quote_;
    else if (point == 0x201c || point == 0xab || point == 0x300c)
        quote_ = true;
    else if (point == 0x201d || point == 0xbb || point == 0x300d)
        quote_ = false;
    else if (point == '(' || point == '[' || point == '{')
        ++brackets_;
    else if ((point == ')' || point == ']' || point == '}') && brackets_ > 0)
        --brackets_;
}

void CharContext::decided(std::uint8_t label) {
    tags_[at_ % tags_.size()] = label;
    if (label == inside) return;
    fresh_ = true;
    ++tokens_;
    previous_ = {Range{token_, at_ + 1}, previous_[0]};
    if (label == sentence_end) {
        quote_ = false;
        brackets_ = tokens_ = 0;
        previous_ = {};
        tags_.fill(sentence_end);  // a sentence knows nothing of the one before
    }
}

Atom CharContext::atom(std::uint16_t slot) noexcept {
    const CharReader::Source source = reader_[slot];
    switch (source.kind) {
        case CharReader::word_lower:
            return word(source.word).lower;
        case CharReader::word_shape:
            return word(source.word).shape;
        case CharReader::word_length:
            return word(source.word).length;
        case CharReader::word_casing:
            return casing_.atom(word(source.word).lower);
        case CharReader::gap:
            return static_cast<Atom>(gap_) + 2;
        case CharReader::length:
            return length_atom(tokens_);
        case CharReader::quote:
            return static_cast<Atom>(quote_) + 2;
        case CharReader::bracket:
            return static_cast<Atom>(std::min<std::size_t>(brackets_, 3)) + 2;
        case CharReader::line:
            return gap_ == Gap::line ? length_atom(at_ + 1 - line_) : features::nothing;
        default:
            break;
    }
    const std::size_t i = at_ + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(source.offset));
    if (i >= characters_.size()) return features::nothing;  // before the text, too: the sum wraps around
    switch (source.kind) {
        case CharReader::point:
            return point_atom(characters_.point(i));
        case CharReader::lower:
            return point_atom(unicode::lower(characters_.point(i)));
        case CharReader::cls:
            return static_cast<Atom>(characters_.code(i)) + 2;
        case CharReader::script:
            return static_cast<Atom>(unicode::script_of(characters_.point(i))) + 2;
        default:
            return characters_.white(i) ? features::nothing : static_cast<Atom>(tags_[i % tags_.size()]) + 2;
    }
}

const Word& CharContext::word(std::uint8_t which) noexcept {
    if ((known_ >> which & 1U) == 0) {
        const Range found = range(which);
        words_[which] = word_at(characters_, found.begin, found.end);
        known_ |= 1U << which;
    }
    return words_[which];
}

CharContext::Range CharContext::word_from(std::size_t at) const noexcept {
    std::size_t end = at;
    while (end < characters_.size() && end - at <= longest_word && is_word(characters_.code(end))) ++end;
    if (end == at && end < characters_.size()) ++end;
    return {at, end};
}

CharContext::Range CharContext::range(std::uint8_t which) const noexcept {
    const std::size_t size = characters_.size();
    switch (which) {
        case token:
            return {token_, at_ + 1};
        case before:
            return previous_[0];
        case before_that:
            return previous_[1];
        case chunk: {
            std::size_t end = at_ + 1;
            while (end < size && end - chunk_ <= longest_word && !characters_.white(end)) ++end;
            return {chunk_, end};
        }
        case rest: {
            std::size_t end = at_ + 1;
            while (end < size && end - at_ <= longest_rest && !characters_.white(end)) ++end;
            return {at_ + 1, end};
        }
        default: {
            Range found = word_from(behind_);
            for (std::uint8_t more = ahead; more < which && found.end < size; ++more)
                found = word_from(found.end + (characters_.white(found.end) ? 1 : 0));
            return found;
        }
    }
}

}  // namespace laconic::text
