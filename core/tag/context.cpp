#include "tag/context.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "base/hash.hpp"
#include "corpus/misc.hpp"

#include "base/error.hpp"

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

// The entity tags in MISC as atoms; `nothing` where there is none.
std::vector<Atom> entity_atoms(const corpus::Columns& columns) {
    std::vector<Atom> atoms(columns.words(), features::nothing);
    for (std::size_t i = 0; i < atoms.size(); ++i)
        corpus::for_each_entry(columns.view(Field::misc, i), [&](std::string_view key, std::string_view value) {
            if (key == "NER") atoms[i] = features::atom(value);
        });
    return atoms;
}

}  // namespace

TokenReader::TokenReader(const features::Plan& plan, TokenInputs inputs) {
    const features::WordColumns words(plan);
    const auto column_of = [this](const Filler& filler) {
        const auto at = std::ranges::find(fillers_, filler);
        const auto number = static_cast<std::uint32_t>(at - fillers_.begin());
        if (at == fillers_.end()) fillers_.push_back(filler);
        return number;
    };
    std::vector<std::int32_t> histories;
    for (std::size_t i = 0; i < plan.slots().size(); ++i) {
        const features::Slot& slot = plan.slots()[i];
        const auto attribute = static_cast<Attribute>(slot.attribute);
        Source source{slot.index, 0, Source::word};
        Field field{};
        if (attribute == Attribute::dict && slot.argument < inputs.gazetteers.size() &&
            inputs.gazetteers[slot.argument] != nullptr) {
            source.kind = Source::document;
            source.column = column_of({Field::form, false, inputs.gazetteers[slot.argument]});
        } else if (words.columns[i] != features::WordColumns::none) {
            source.column = static_cast<std::uint32_t>(words.columns[i]);
        } else if (attribute == Attribute::tag && slot.index < 0) {
            source.kind = Source::tag;
        } else if (attribute == Attribute::seen && inputs.history) {
            source.kind = Source::seen;
            const auto at = std::ranges::find(histories, source.offset);
            source.column = static_cast<std::uint32_t>(at - histories.begin());
            if (at == histories.end()) histories.push_back(source.offset);
        } else if (attribute == Attribute::entity && inputs.entities) {
            source.kind = Source::document;
            source.column = column_of({Field::misc, true, nullptr});
        } else if (field_of(attribute, field)) {
            source.kind = Source::document;
            source.column = column_of({field, false, nullptr});
        } else {
            throw ConfigError(
                inputs.history ? "an entity recogniser can read word attributes, columns of the document, the TAG of "
                                 "words to the left and what was SEEN"
                               : "a tagger can read word attributes, columns of the document and the TAG of words to "
                                 "the left");
        }
        padding_ = std::max(padding_, static_cast<std::size_t>(std::abs(int{slot.index})));
        sources_.push_back(source);
    }
    histories_ = histories.size();
}

TokenBatch::TokenBatch(const TokenReader& reader, const features::WordRows& rows, const corpus::Columns& columns)
    : reader_(reader), rows_(rows), columns_(columns), outside_(rows.lexicon().stride(), features::nothing) {
    for (const TokenReader::Filler& filler : reader.fillers()) {
        if (filler.gazetteer != nullptr) {
            documents_.push_back(filler.gazetteer->match(columns));
        } else if (filler.entities) {
            documents_.push_back(entity_atoms(columns));
        } else {
            documents_.emplace_back(columns.words(), features::unknown);
        }
    }
}

TokenContext::TokenContext(const TokenBatch& batch)
    : batch_(&batch),
      reader_(&batch.reader()),
      padding_(batch.reader().padding()),
      recalled_(batch.reader().histories()) {}

TokenContext::TokenContext(const TokenBatch& batch, const History& history, std::span<const Atom> labels)
    : TokenContext(batch) {
    history_ = &history;
    labels_ = labels;
}

Atom TokenContext::seen(std::size_t column, std::size_t place) const noexcept {
    if (!inside(place)) return features::nothing;
    Recalled& recalled = recalled_[column];
    const std::size_t focus = begin_ + at_ - padding_;
    if (recalled.focus == focus) return recalled.atom;
    const std::size_t word = begin_ + place - padding_;
    const learn::Label label = history_->seen(hash_bytes(batch_->columns().view(Field::form, word)));
    recalled = {focus, label == History::none ? features::nothing : labels_[label]};
    return recalled.atom;
}

void TokenContext::enter(std::size_t begin, std::size_t end) {
    begin_ = begin;
    size_ = end - begin;
    words_.assign(size_ + 2 * padding_, batch_->outside());
    tags_.assign(size_ + 2 * padding_, features::nothing);
    for (std::size_t i = 0; i < size_; ++i) words_[padding_ + i] = batch_->rows()[begin + i];
    if (places_.size() < tags_.size() || (!places_.empty() && places_.front() != tags_.data())) {
        places_.resize(tags_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = tags_.data() + i;
    }
    bases_ = {words_.data(), places_.data()};
}

}  // namespace laconic::tag
