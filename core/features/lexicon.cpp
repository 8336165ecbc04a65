#include "features/lexicon.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.hpp"

namespace laconic::features {

WordColumns::WordColumns(const Plan& plan) {
    for (const Slot& slot : plan.slots()) {
        const auto attribute = static_cast<Attribute>(slot.attribute);
        if (!word_level(attribute)) {
            columns.push_back(none);
            continue;
        }
        const WordAttribute wanted{attribute, slot.number, slot.argument};
        const auto found = std::find(attributes.begin(), attributes.end(), wanted);
        columns.push_back(static_cast<std::int32_t>(found - attributes.begin()));
        if (found == attributes.end()) attributes.push_back(wanted);
    }
}

Lexicon::Lexicon(Forms forms, std::vector<WordAttribute> attributes,
                 std::vector<std::shared_ptr<const Dictionary>> dictionaries, std::vector<Atom> ambiguity,
                 std::span<const std::uint32_t> payloads, std::size_t payload_count)
    : forms_(std::move(forms)),
      attributes_(std::move(attributes)),
      dictionaries_(std::move(dictionaries)),
      ambiguity_(std::move(ambiguity)),
      payloads_(payloads.begin(), payloads.end()),
      stride_(attributes_.size() + payload_count) {
    for (const WordAttribute& wanted : attributes_) {
        const bool affix = wanted.attribute == Attribute::prefix || wanted.attribute == Attribute::suffix;
        const bool table = wanted.attribute == Attribute::dict || wanted.attribute == Attribute::cluster;
        if (!word_level(wanted.attribute)) throw ModelError("a lexicon holds word-level attributes only");
        if (affix && (wanted.number == 0 || wanted.number > Word::max_affix))
            throw ModelError("a lexicon holds affixes of 1 to 5 characters");
        if (table && (wanted.argument >= dictionaries_.size() || !dictionaries_[wanted.argument]))
            throw ModelError("a dictionary of the lexicon is missing");
        if (wanted.attribute == Attribute::ambiguity && ambiguity_.empty() && size() > 0)
            throw ModelError("the lexicon has no ambiguity classes");
    }
    if (!ambiguity_.empty() && ambiguity_.size() != size())
        throw ModelError("a lexicon needs one ambiguity class per form");
    if (payload_count > 1024 || payloads.size() != size() * payload_count)
        throw ModelError("the payloads of a lexicon do not fit its forms");
    rows_ = std::make_unique_for_overwrite<std::uint32_t[]>(size() * stride_);
    prepared_ = OnDemand(size());
}

void Lexicon::compute_known(std::size_t form, Word& scratch) const {
    std::uint32_t* row = rows_.get() + form * stride_;
    scratch.read(forms_[form]);
    fill(forms_[form], scratch, row);
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
        if (attributes_[j].attribute == Attribute::lex) row[j] = atom(forms_[form]);
        if (attributes_[j].attribute == Attribute::ambiguity) row[j] = ambiguity_[form];
    }
    std::copy_n(payloads_.data() + form * payload_count(), payload_count(), row + attributes_.size());
}

void Lexicon::collect_lowers() const {
    lowers_.assign(std::bit_ceil(2 * size() + 2), unknown);
    Word word;
    for (std::size_t i = 0; i < size(); ++i) {
        word.read(forms_[i]);
        const Atom lower = word.atom(Attribute::lower, 0);
        lowers_[lower_bucket(lower)] = lower;
    }
}

std::size_t Lexicon::lower_bucket(Atom lower) const noexcept {
    std::size_t at = lower & (lowers_.size() - 1);
    while (lowers_[at] != unknown && lowers_[at] != lower) at = (at + 1) & (lowers_.size() - 1);
    return at;
}

void Lexicon::fill(std::string_view form, const Word& word, std::uint32_t* row) const {
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
        const auto [attribute, number, argument] = attributes_[i];
        const bool table = attribute == Attribute::dict || attribute == Attribute::cluster;
        row[i] = table ? dictionaries_[argument]->atom(form, number) : word.atom(attribute, number);
    }
}

void Lexicon::compute(std::string_view form, Word& scratch, std::uint32_t* row) const {
    scratch.read(form);
    fill(form, scratch, row);
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
        if (attributes_[i].attribute == Attribute::ambiguity) row[i] = unknown_word;
        if (attributes_[i].attribute != Attribute::lower) continue;
        lowers_made_.ensure(0, [&] { collect_lowers(); });
        row[i] = lowers_[lower_bucket(row[i])];
    }
    std::fill(row + attributes_.size(), row + stride_, no_payload);
}

}  // namespace laconic::features
