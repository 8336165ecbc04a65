#include "corpus/entity_spans.hpp"

#include "corpus/offsets.hpp"

namespace laconic::corpus {

namespace {

struct Tag {
    char letter = 'O';
    std::string_view label;
};

Tag tag_of(std::string_view misc) noexcept {
    std::string_view value;
    if (!misc_value(misc, "NER", value)) return {};
    const std::string_view letter = value.substr(0, value.find('-'));
    if (letter.size() != 1 || std::string_view("BIELSU").find(letter) == std::string_view::npos) return {};
    return {letter[0], value.size() > 2 ? value.substr(2) : std::string_view{}};
}

bool closes(char letter) noexcept {
    return std::string_view("OELSU").find(letter) != std::string_view::npos;
}

}  // namespace

std::vector<EntitySpan> entity_spans(const Columns& columns, std::size_t begin, std::size_t end) {
    std::vector<EntitySpan> found;
    for (std::size_t sentence = begin; sentence < end; ++sentence) {
        Tag before;
        for (std::uint32_t word = columns.sentences[sentence]; word < columns.sentences[sentence + 1]; ++word) {
            const Tag tag = tag_of(columns.view(Field::misc, word));
            if (tag.letter != 'O') {
                const bool starts = tag.letter == 'B' || tag.letter == 'S' || tag.letter == 'U' ||
                                    closes(before.letter) || tag.label != before.label;
                if (starts)
                    found.push_back({word, word, tag.label});
                else
                    found.back().last = word;
            }
            before = tag;
        }
    }
    return found;
}

}  // namespace laconic::corpus
