#include "transition/layout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "corpus/misc.hpp"
#include "features/codes.hpp"
#include "features/feats.hpp"

namespace laconic::transition {

using corpus::Field;
using features::Attribute;

std::uint16_t Layout::add(const features::Plan& plan, const features::Slot& slot) {
    const auto attribute = static_cast<Attribute>(slot.attribute);
    const auto field = [](Field one) { return Column{Column::field, static_cast<std::uint32_t>(one)}; };
    Column column;
    if (features::word_level(attribute)) {
        const bool named = attribute == Attribute::dict || attribute == Attribute::cluster;
        const auto same = [&](const features::WordAttribute& word) {
            return word.attribute == attribute && word.number == slot.number &&
                   (!named ||
                    (word.argument < names_.size() && names_[word.argument] == plan.arguments()[slot.argument]));
        };
        const auto found = std::ranges::find_if(words_, same);
        if (found == words_.end()) throw ModelError("the lexicon lacks an attribute that the templates read");
        column.number = static_cast<std::uint32_t>(found - words_.begin());
    } else if (attribute == Attribute::lemma) {
        column = field(Field::lemma);
    } else if (attribute == Attribute::upos) {
        column = field(Field::upos);
    } else if (attribute == Attribute::xpos) {
        column = field(Field::xpos);
    } else if (attribute == Attribute::pos) {
        column = field(pos_);
    } else if (attribute == Attribute::feats) {
        column = field(Field::feats);
    } else if (attribute == Attribute::feat) {
        column = {Column::feat, 0, plan.arguments()[slot.argument]};
    } else if (attribute == Attribute::morph) {
        column.kind = Column::morph;
    } else if (attribute == Attribute::entity) {
        column.kind = Column::entity;
    } else {
        return none;
    }
    const auto at = std::ranges::find(columns_, column);
    const auto number = static_cast<std::uint16_t>(at - columns_.begin());
    if (at == columns_.end()) columns_.push_back(column);
    return number;
}

void WordAtoms::enter(std::size_t sentence) {
    const std::size_t begin = columns_->sentences[sentence];
    size_ = columns_->sentences[sentence + 1] - begin;
    stride_ = layout_->columns().size();
    atoms_.resize((size_ + 2) * stride_);
    std::fill_n(atoms_.begin(), stride_, features::nothing);
    std::fill_n(atoms_.begin() + static_cast<std::ptrdiff_t>(stride_), stride_, root_atom);
    for (std::size_t column = 0; column < stride_; ++column) fill(layout_->columns()[column], column, begin);
}

void WordAtoms::fill(const Layout::Column& column, std::size_t number, std::size_t begin) {
    Atom* to = atoms_.data() + 2 * stride_ + number;
    const auto each = [&](auto&& atom_of) {
        for (std::size_t i = 0; i < size_; ++i, to += stride_) *to = atom_of(begin + i);
    };
    switch (column.kind) {
        case Layout::Column::word:
            return each([&](std::size_t word) { return (*rows_)[word][column.number]; });
        case Layout::Column::field:
            return each([&](std::size_t word) {
                return features::atom(columns_->view(static_cast<Field>(column.number), word));
            });
        case Layout::Column::feat:
            return each(
                [&](std::size_t word) { return features::feat_atom(columns_->view(Field::feats, word), column.name); });
        case Layout::Column::morph:
            return each([&](std::size_t word) {
                std::uint64_t key = 0;
                for (const Field part : {Field::upos, Field::xpos, Field::feats})
                    key = fold(key, hash_bytes(columns_->view(part, word)));
                return features::as_atom(scramble(key));
            });
        case Layout::Column::entity:
            return each([&](std::size_t word) {
                Atom atom = features::nothing;
                corpus::for_each_entry(columns_->view(Field::misc, word),
                                       [&](std::string_view key, std::string_view value) {
                                           if (key == "NER") atom = features::atom(value);
                                       });
                return atom;
            });
    }
}

}  // namespace laconic::transition
