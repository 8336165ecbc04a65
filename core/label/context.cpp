#include "label/context.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "features/feats.hpp"

namespace laconic::label {

namespace {

using corpus::Field;
using features::Attribute;
using features::Node;
using features::Step;

// Small numbers as atoms, behind the two that have a meaning of their own.
constexpr Atom number_atom(std::size_t number) noexcept {
    return static_cast<Atom>(number + features::nothing + 1);
}

constexpr std::size_t most_children = 7;

// 1, 2, 3, 4, then 5 to 7, 8 to 15, and so on.
constexpr Atom distance_atom(std::size_t distance) noexcept {
    return number_atom(distance < 5 ? distance : 2 + static_cast<std::size_t>(std::bit_width(distance)));
}

}  // namespace

EdgeReader::EdgeReader(const features::Plan& plan, Field pos) {
    column_of({pos});
    const features::WordColumns words(plan);
    for (std::size_t i = 0; i < plan.slots().size(); ++i) {
        Source source{plan.slots()[i]};
        const auto attribute = static_cast<Attribute>(source.slot.attribute);
        if (source.slot.many) source.set = static_cast<std::uint32_t>(sets_++);
        const auto filled_by = [&](Field field, std::string feature = {}) {
            source.kind = document;
            source.column = column_of({field, std::move(feature), false});
        };
        if (words.columns[i] != features::WordColumns::none) {
            source.column = static_cast<std::uint32_t>(words.columns[i]);
        } else {
            switch (attribute) {
                case Attribute::lemma:
                    filled_by(Field::lemma);
                    break;
                case Attribute::upos:
                    filled_by(Field::upos);
                    break;
                case Attribute::xpos:
                    filled_by(Field::xpos);
                    break;
                case Attribute::pos:
                    filled_by(pos);
                    break;
                case Attribute::feats:
                    filled_by(Field::feats);
                    break;
                case Attribute::feat:
                    filled_by(Field::feats, plan.arguments()[source.slot.argument]);
                    break;
                case Attribute::morph:
                    source.kind = document;
                    source.column = column_of({Field::feats, {}, true});
                    break;
                case Attribute::dep:
                    source.kind = dep;
                    break;
                case Attribute::distance:
                    source.kind = distance;
                    break;
                case Attribute::direction:
                    source.kind = direction;
                    break;
                case Attribute::valency:
                    source.kind = valency;
                    break;
                case Attribute::lvalency:
                    source.kind = left_valency;
                    break;
                case Attribute::rvalency:
                    source.kind = right_valency;
                    break;
                default:
                    throw ConfigError(
                        "a labeler can read word attributes, LEMMA, UPOS, XPOS, POS, MORPH, FEATS, FEAT, DEP, "
                        "DISTANCE, "
                        "DIRECTION and valencies");
            }
        }
        sources_.push_back(source);
    }
}

std::uint32_t EdgeReader::column_of(const Filler& filler) {
    const auto at = std::ranges::find(fillers_, filler);
    const auto number = static_cast<std::uint32_t>(at - fillers_.begin());
    if (at == fillers_.end()) fillers_.push_back(filler);
    return number;
}

EdgeContext::EdgeContext(const EdgeReader& reader, const features::WordRows& rows, const corpus::Columns& columns)
    : reader_(reader),
      rows_(rows),
      columns_(columns),
      documents_(reader.fillers().size(), std::vector<Atom>(columns.words(), features::unknown)),
      members_(reader.sets()) {
    for (Members& members : members_) members.atoms.reserve(most_members);
}

void EdgeContext::enter(std::size_t begin, std::size_t end) {
    begin_ = begin;
    tree_.enter({columns_.heads.data() + begin, end - begin});
    labels_.assign(end - begin + 1, features::unknown);
}

Place EdgeContext::sibling() const noexcept {
    const Place head = tree_.head(modifier_);
    if (head == nowhere) return nowhere;
    if (modifier_ > head) {
        const Place inner = tree_.left_sibling(modifier_);
        return inner > head ? inner : nowhere;
    }
    const Place inner = tree_.right_sibling(modifier_);
    return inner < head ? inner : nowhere;
}

Place EdgeContext::step(Place word, Step step) const noexcept {
    switch (step) {
        case Step::h:
            return tree_.head(word);
        case Step::lc:
            return tree_.child(word, 0);
        case Step::rc:
            return tree_.last_child(word, 0);
        case Step::lc2:
            return tree_.child(word, 1);
        case Step::rc2:
            return tree_.last_child(word, 1);
        case Step::ls:
            return tree_.left_sibling(word);
        case Step::rs:
            return tree_.right_sibling(word);
        case Step::pw:
            return beside(word, -1);
        case Step::fw:
            return beside(word, 1);
        case Step::children:
            return word;  // the set is read by atoms()
    }
    return nowhere;
}

Place EdgeContext::find(const features::Slot& slot) const noexcept {
    Place word = modifier_;
    switch (static_cast<Node>(slot.node)) {
        case Node::head:
            word = tree_.head(modifier_);
            break;
        case Node::grand:
            word = tree_.head(modifier_);
            word = word == nowhere ? nowhere : tree_.head(word);
            break;
        case Node::sib:
            word = sibling();
            break;
        default:
            break;
    }
    if (slot.index != 0) word = beside(word, slot.index);
    for (std::size_t i = 0; i < slot.steps && word != nowhere; ++i) word = step(word, static_cast<Step>(slot.path[i]));
    return word;
}

Atom EdgeContext::value(const EdgeReader::Source& source, Place word) const noexcept {
    if (word == nowhere) return features::nothing;
    switch (source.kind) {
        case EdgeReader::word:
            return rows_[begin_ + word - 1][source.column];
        case EdgeReader::document:
            return document(source.column, word);
        case EdgeReader::dep:
            return labels_[word];
        case EdgeReader::distance: {
            const Place head = tree_.head(modifier_);
            if (head == nowhere) return features::nothing;
            return distance_atom(word > head ? word - head : head - word);
        }
        case EdgeReader::direction: {
            const Place head = tree_.head(modifier_);
            return head == nowhere ? features::nothing : number_atom(word > head ? 1 : 0);
        }
        case EdgeReader::valency:
            return number_atom(std::min(tree_.children(word).size(), most_children));
        case EdgeReader::left_valency:
            return number_atom(std::min(tree_.left_children(word), most_children));
        case EdgeReader::right_valency:
            return number_atom(std::min(tree_.children(word).size() - tree_.left_children(word), most_children));
    }
    return features::unknown;
}

std::span<const Atom> EdgeContext::atoms(std::uint16_t slot) const noexcept {
    const EdgeReader::Source& source = reader_[slot];
    Members& members = members_[source.set];
    if (members.decision == decision_) return members.atoms;
    members.decision = decision_;
    members.atoms.clear();
    if (static_cast<Node>(source.slot.node) == Node::between) {
        const Place head = tree_.head(modifier_);
        if (head == nowhere) return members.atoms;
        const std::int32_t towards = head < modifier_ ? -1 : 1;
        for (Place word = beside(modifier_, towards); word != head && members.atoms.size() < most_members;
             word = beside(word, towards))
            members.atoms.push_back(value(source, word));
        return members.atoms;
    }
    const Place parent = find(source.slot);
    if (parent == nowhere) return members.atoms;
    const std::span<const Place> children = tree_.children(parent);
    for (const Place child : children.first(std::min(children.size(), most_members)))
        members.atoms.push_back(value(source, child));
    return members.atoms;
}

Atom EdgeContext::read(std::size_t column, std::size_t word) const noexcept {
    const EdgeReader::Filler& filler = reader_.fillers()[column];
    if (filler.morph) {
        std::uint64_t key = 0;
        for (const Field part : {Field::upos, Field::xpos, Field::feats})
            key = fold(key, hash_bytes(columns_.view(part, word)));
        return features::as_atom(scramble(key));
    }
    const std::string_view text = columns_.view(filler.field, word);
    return filler.feature.empty() ? features::atom(text) : features::feat_atom(text, filler.feature);
}

}  // namespace laconic::label
