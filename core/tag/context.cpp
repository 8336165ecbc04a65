#include "tag/context.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>

namespace laconic::tag {

namespace {

using corpus::Field;
using features::Attribute;

// The column of a document that an attribute names; false if it names none.
bool field_of(Attribute attribute, Field& field) {
    switch (attribute) {
        case Attribute::lemma:
            field = Field::lemma;
            return true;
        case Attribute::upos:
            field = Field::upos;
            return true;
        case Attribute::xpos:
            field = Field::xpos;
            return true;
        case Attribute::feats:
            field = Field::feats;
            return true;
        default:
            return false;
    }
}

}  // namespace

TokenReader::TokenReader(const features::Plan& plan) {
    const features::WordColumns words(plan);
    for (std::size_t i = 0; i < plan.slots().size(); ++i) {
        const features::Slot& slot = plan.slots()[i];
        const auto attribute = static_cast<Attribute>(slot.attribute);
        Source source{slot.index, 0, Source::word};
        Field field{};
        if (words.columns[i] != features::WordColumns::none) {
            source.column = static_cast<std::uint32_t>(words.columns[i]);
        } else if (attribute == Attribute::tag && slot.index < 0) {
            source.kind = Source::tag;
        } else if (field_of(attribute, field)) {
            source.kind = Source::document;
            auto at = std::ranges::find(fields_, field);
            source.column = static_cast<std::uint32_t>(at - fields_.begin());
            if (at == fields_.end()) fields_.push_back(field);
        } else {
            throw std::invalid_argument(
                "a tagger can read word attributes, columns of the document and the TAG of words to the left");
        }
        padding_ = std::max(padding_, static_cast<std::size_t>(std::abs(int{slot.index})));
        sources_.push_back(source);
    }
}

TokenContext::TokenContext(const TokenReader& reader, const features::WordRows& rows, const features::Lexicon& lexicon,
                           const corpus::Columns& columns)
    : reader_(reader), rows_(rows), padding_(reader.padding()), outside_(lexicon.stride(), features::nothing) {
    for (const Field field : reader.fields()) {
        std::vector<Atom>& atoms = documents_.emplace_back();
        atoms.reserve(columns.words());
        for (const corpus::Span span : columns[field]) atoms.push_back(features::atom(columns.view(span)));
    }
}

void TokenContext::enter(std::size_t begin, std::size_t end) {
    begin_ = begin;
    size_ = end - begin;
    words_.assign(size_ + 2 * padding_, outside_.data());
    tags_.assign(size_ + 2 * padding_, features::nothing);
    for (std::size_t i = 0; i < size_; ++i) words_[padding_ + i] = rows_[begin + i];
}

}  // namespace laconic::tag
