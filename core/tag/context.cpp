#include "tag/context.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"

namespace laconic::tag {

namespace {

using corpus::Field;
using features::Attribute;

}  // namespace

TokenReader::TokenReader(const features::Plan& plan, TokenInputs inputs) {
    const features::WordColumns words(plan);
    std::vector<std::int32_t> histories;
    const auto number_in = [](auto& list, const auto& wanted) {
        const auto at = std::ranges::find(list, wanted);
        const auto number = static_cast<std::uint32_t>(at - list.begin());
        if (at == list.end()) list.push_back(wanted);
        return number;
    };
    for (std::size_t i = 0; i < plan.slots().size(); ++i) {
        const features::Slot& slot = plan.slots()[i];
        if (slot.node != static_cast<std::uint8_t>(features::Node::token) || slot.steps > 0)
            throw ConfigError("the templates read something other than tokens");
        const auto attribute = static_cast<Attribute>(slot.attribute);
        Source source{slot.index, 0, Source::word};
        // POS belongs to parsers and labelers: UPOS is what it would stand for here.
        const auto column = features::document_column(plan, slot, Field::upos);
        if (attribute == Attribute::dict && slot.argument < inputs.gazetteers.size() &&
            inputs.gazetteers[slot.argument] != nullptr) {
            source.kind = Source::gazetteer;
            source.column = number_in(gazetteers_, inputs.gazetteers[slot.argument]);
        } else if (words.columns[i] != features::WordColumns::none) {
            source.column = static_cast<std::uint32_t>(words.columns[i]);
        } else if (attribute == Attribute::tag && slot.index < 0) {
            source.kind = Source::tag;
        } else if (attribute == Attribute::seen && inputs.history) {
            source.kind = Source::seen;
            source.column = number_in(histories, source.offset);
        } else if (column) {
            source.kind = Source::document;
            source.column = number_in(columns_, *column);
        } else {
            throw ConfigError("the templates read something that the component does not have");
        }
        padding_ = std::max(padding_, static_cast<std::size_t>(std::abs(int{slot.index})));
        sources_.push_back(source);
    }
    histories_ = histories.size();
    for (Source& source : sources_) {
        if (source.kind != Source::document) continue;
        const features::AtomColumn& column = columns_[source.column];
        const auto field = static_cast<Field>(column.number);
        if (column.kind != features::AtomColumn::field ||
            (field != Field::upos && field != Field::xpos && field != Field::feats))
            continue;
        source.column = number_in(beside_tags_, source.column) + 1;
        source.kind = Source::tag;
    }
}

bool TokenReader::reads_only(std::span<const corpus::Field> given) const {
    const auto is_given = [&](corpus::Field field) { return std::ranges::find(given, field) != given.end(); };
    return padding_ == 0 && gazetteers_.empty() && histories_ == 0 &&
           std::ranges::all_of(columns_, [&](const features::AtomColumn& column) {
               return std::ranges::all_of(column.fields(), is_given);
           });
}

TokenBatch::TokenBatch(const TokenReader& reader, const features::WordRows& rows, const corpus::Columns& columns)
    : reader_(reader),
      rows_(rows),
      columns_(columns),
      outside_(rows.lexicon().stride(), features::nothing),
      documents_(reader.columns(), columns) {
    for (const Gazetteer* gazetteer : reader.gazetteers()) matches_.push_back(gazetteer->match(columns));
}

TokenContext::TokenContext(const TokenBatch& batch)
    : batch_(&batch),
      reader_(&batch.reader()),
      padding_(batch.reader().padding()),
      stride_(1 + batch.reader().beside_tags().size()),
      recalled_(batch.reader().histories()) {}

TokenContext::TokenContext(const TokenBatch& batch, const History& history, std::span<const Atom> labels)
    : TokenContext(batch) {
    history_ = &history;
    labels_ = labels;
}

Atom TokenContext::seen(std::size_t column, std::size_t index) const noexcept {
    if (!inside(index)) return features::nothing;
    Recalled& recalled = recalled_[column];
    const std::size_t focus = begin_ + at_ - padding_;
    if (recalled.focus == focus) return recalled.atom;
    const std::size_t word = begin_ + index - padding_;
    const learn::Label label = history_->seen(batch_->rows().hash(word));
    recalled = {focus, label == History::none ? features::nothing : labels_[label]};
    return recalled.atom;
}

void TokenContext::enter(std::size_t begin, std::size_t end) {
    begin_ = begin;
    size_ = end - begin;
    words_.assign(size_ + 2 * padding_, batch_->outside());
    tags_.assign((size_ + 2 * padding_) * stride_, features::nothing);
    for (std::size_t i = 0; i < size_; ++i) words_[padding_ + i] = batch_->rows()[begin + i];
    Atom* beside = tags_.data() + padding_ * stride_ + 1;
    for (std::size_t i = 0; i < size_; ++i, beside += stride_)
        for (std::size_t c = 0; c + 1 < stride_; ++c)
            beside[c] = batch_->document(reader_->beside_tags()[c], begin + i);
    if (tag_rows_.size() < words_.size() || (!tag_rows_.empty() && tag_rows_.front() != tags_.data())) {
        tag_rows_.resize(words_.size());
        for (std::size_t i = 0; i < tag_rows_.size(); ++i) tag_rows_[i] = tags_.data() + i * stride_;
    }
    bases_ = {words_.data(), tag_rows_.data()};
}

}  // namespace laconic::tag
