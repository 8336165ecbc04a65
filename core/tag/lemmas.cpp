#include "tag/lemmas.hpp"

#include <algorithm>
#include <utility>

namespace laconic::tag {

Entries::Entries(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::ranges::stable_sort(entries_, {}, &Entry::form);
    std::vector<std::string> forms;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (i > 0 && entries_[i].form == entries_[i - 1].form) continue;
        forms.push_back(entries_[i].form);
        begins_.push_back(static_cast<std::uint32_t>(i));
    }
    begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
    forms_ = features::Forms::of(forms);
}

const std::string* Entries::find(const corpus::Columns& columns, std::size_t word) const noexcept {
    const std::uint32_t form = forms_.find(columns.view(corpus::Field::form, word));
    if (form == features::Forms::absent) return nullptr;
    for (std::uint32_t i = begins_[form]; i < begins_[form + 1]; ++i) {
        bool fits = true;
        for (std::size_t f = 0; f < Entry::fields.size() && fits; ++f)
            fits = entries_[i].tags[f].empty() || entries_[i].tags[f] == columns.view(Entry::fields[f], word);
        if (fits) return &entries_[i].lemma;
    }
    return nullptr;
}

void write_lemmas(corpus::Columns& columns, std::span<const Script> scripts, const Entries& entries,
                  std::span<const Label> labels) {
    // What a script made of a form it makes again: words of one type share the lemma that the last of them got.
    constexpr std::uint32_t nothing_made = 0xffffffff;
    struct Made {
        corpus::Span lemma{};
        std::uint32_t label = nothing_made;
    };
    const std::shared_ptr<const corpus::FormTypes> types = columns.form_types();
    std::vector<Made> made(types->size());
    std::string lemma;
    for (std::size_t word = 0; word < columns.words(); ++word) {
        const std::uint32_t type = types->words()[word];
        const corpus::Span form = types->forms()[type];
        corpus::Span& to = columns[corpus::Field::lemma][word];
        if (const std::string* said = entries.empty() ? nullptr : entries.find(columns, word); said != nullptr) {
            to = *said == columns.view(form) ? form : columns.append(*said);
            continue;
        }
        Made& last = made[type];
        if (last.label != labels[word]) {
            apply(scripts[labels[word]], columns.view(form), lemma);
            // A lemma that is the form needs no room of its own.
            last = {lemma == columns.view(form) ? form : columns.append(lemma), labels[word]};
        }
        to = last.lemma;
    }
}

}  // namespace laconic::tag
