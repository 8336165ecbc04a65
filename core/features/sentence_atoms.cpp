#include "features/sentence_atoms.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "corpus/misc.hpp"
#include "features/codes.hpp"
#include "features/feats.hpp"

namespace laconic::features {

using corpus::Field;

namespace {

// Calls use(read), where read(word) is the value of the column: the kind of a column is looked at once, not for every
// word.
template <class Use>
auto with_reader(const AtomColumn& column, const corpus::Columns& columns, Use&& use) {
    switch (column.kind) {
        case AtomColumn::feat:
            return use([&](std::size_t word) { return feat_atom(columns.view(Field::feats, word), column.name); });
        case AtomColumn::morph:
            return use([&](std::size_t word) {
                std::uint64_t key = 0;
                for (const Field part : {Field::upos, Field::xpos, Field::feats})
                    key = mix(key, hash_bytes(columns.view(part, word)));
                return as_atom(scramble(key));
            });
        case AtomColumn::entity:
            return use([&](std::size_t word) {
                Atom found = nothing;
                corpus::for_each_entry(columns.view(Field::misc, word),
                                       [&](std::string_view key, std::string_view value) {
                                           if (key == "NER") found = atom(value);
                                       });
                return found;
            });
        default:
            return use([&](std::size_t word) { return atom(columns.view(static_cast<Field>(column.number), word)); });
    }
}

}  // namespace

std::vector<Field> AtomColumn::fields() const {
    switch (kind) {
        case field:
            return {static_cast<Field>(number)};
        case feat:
            return {Field::feats};
        case morph:
            return {Field::upos, Field::xpos, Field::feats};
        case entity:
            return {Field::misc};
        default:
            return {Field::form};
    }
}

std::optional<AtomColumn> document_column(const Plan& plan, const Slot& slot, Field pos) {
    const auto field = [](Field one) { return AtomColumn{AtomColumn::field, static_cast<std::uint32_t>(one)}; };
    switch (static_cast<Attribute>(slot.attribute)) {
        case Attribute::lemma:
            return field(Field::lemma);
        case Attribute::upos:
            return field(Field::upos);
        case Attribute::xpos:
            return field(Field::xpos);
        case Attribute::pos:
            return field(pos);
        case Attribute::feats:
            return field(Field::feats);
        case Attribute::feat:
            return AtomColumn{AtomColumn::feat, 0, plan.arguments()[slot.argument]};
        case Attribute::morph:
            return AtomColumn{AtomColumn::morph};
        case Attribute::entity:
            return AtomColumn{AtomColumn::entity};
        default:
            return std::nullopt;
    }
}

Atom document_atom(const AtomColumn& column, const corpus::Columns& columns, std::size_t word) noexcept {
    return with_reader(column, columns, [word](auto&& read) { return read(word); });
}

std::uint16_t AtomColumns::add(const Plan& plan, const Slot& slot) {
    const auto attribute = static_cast<Attribute>(slot.attribute);
    if (!word_level(attribute)) {
        const std::optional<AtomColumn> column = document_column(plan, slot, pos_);
        return column ? add(*column) : none;
    }
    const bool named = attribute == Attribute::dict || attribute == Attribute::cluster;
    const auto same = [&](const WordAttribute& word) {
        return word.attribute == attribute && word.number == slot.number &&
               (!named || (word.argument < names_.size() && names_[word.argument] == plan.arguments()[slot.argument]));
    };
    const auto found = std::ranges::find_if(words_, same);
    if (found == words_.end()) throw ModelError("the lexicon lacks an attribute that the templates read");
    return add(AtomColumn{AtomColumn::word, static_cast<std::uint32_t>(found - words_.begin())});
}

std::uint16_t AtomColumns::add(const AtomColumn& column) {
    const auto at = std::ranges::find(columns_, column);
    const auto number = static_cast<std::uint16_t>(at - columns_.begin());
    if (at == columns_.end()) columns_.push_back(column);
    return number;
}

DocumentAtoms::DocumentAtoms(std::vector<AtomColumn> list, const corpus::Columns& columns)
    : list_(std::move(list)),
      columns_(&columns),
      values_(columns),
      atoms_(list_.size(), std::vector<Atom>(columns.words(), unknown)) {}

Atom DocumentAtoms::read(std::size_t column, std::size_t word) const noexcept {
    const AtomColumn& wanted = list_[column];
    if (wanted.kind == AtomColumn::field) return values_((*columns_)[static_cast<Field>(wanted.number)][word]);
    return document_atom(wanted, *columns_, word);
}

void SentenceAtoms::enter(std::size_t sentence) {
    const std::vector<AtomColumn>& list = list_->list();
    const std::size_t begin = columns_->sentences[sentence];
    size_ = columns_->sentences[sentence + 1] - begin;
    stride_ = list.size();
    atoms_.resize((size_ + 2) * stride_);
    std::fill_n(atoms_.begin(), stride_, nothing);
    std::fill_n(atoms_.begin() + static_cast<std::ptrdiff_t>(stride_), stride_, root_atom);
    for (std::size_t number = 0; number < stride_; ++number) {
        const AtomColumn& column = list[number];
        const auto fill = [&](auto&& read) {
            Atom* to = atoms_.data() + 2 * stride_ + number;
            for (std::size_t i = 0; i < size_; ++i, to += stride_) *to = read(begin + i);
        };
        if (column.kind == AtomColumn::word)
            fill([&](std::size_t word) { return (*rows_)[word][column.number]; });
        else
            with_reader(column, *columns_, fill);
    }
}

}  // namespace laconic::features
