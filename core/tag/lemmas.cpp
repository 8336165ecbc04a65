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
    std::string lemma;
    for (std::size_t word = 0; word < columns.words(); ++word) {
        const corpus::Span form = columns[corpus::Field::form][word];
        const std::string* said = entries.empty() ? nullptr : entries.find(columns, word);
        if (said != nullptr)
            lemma = *said;
        else
            apply(scripts[labels[word]], columns.view(form), lemma);
        // A lemma that is the form needs no room of its own.
        columns[corpus::Field::lemma][word] = lemma == columns.view(form) ? form : columns.append(lemma);
    }
}

}  // namespace laconic::tag
