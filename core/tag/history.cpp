#include "tag/history.hpp"

#include <algorithm>
#include <stdexcept>

namespace laconic::tag {

void History::start() {
    if (held_ == 0) return;
    std::ranges::fill(index_, std::uint16_t{0});
    forms_.clear();
    counts_.clear();
    free_.clear();
    held_ = 0;
}

void History::note(std::uint64_t form, learn::Label label) {
    if (notes_.empty()) notes_.resize(window);
    if (held_ == window) forget();
    const std::size_t at = bucket(form);
    if (index_[at] == 0) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint16_t>(forms_.size()));
            forms_.emplace_back();
            counts_.resize(counts_.size() + labels_);
        }
        index_[at] = static_cast<std::uint16_t>(free_.back() + 1);
        forms_[free_.back()] = {form, 0, label};
        free_.pop_back();
    }
    const auto number = static_cast<std::uint16_t>(index_[at] - 1);
    ++forms_[number].notes;
    forms_[number].latest = label;
    ++counts_[number * labels_ + label];
    notes_[(oldest_ + held_) % window] = {now_, number, label};
    ++held_;
}

learn::Label History::seen(std::uint64_t form) const noexcept {
    const std::uint16_t found = index_[bucket(form)];
    if (found == 0) return none;
    const std::uint16_t* counts = counts_.data() + (found - 1U) * labels_;
    const learn::Label latest = forms_[found - 1U].latest;
    const std::uint16_t* most = std::max_element(counts, counts + labels_);
    return counts[latest] == *most ? latest : static_cast<learn::Label>(most - counts);
}

std::vector<History::Kept> History::kept() const {
    std::vector<Kept> notes;
    for (std::size_t i = 0; i < held_; ++i) {
        const Note& note = notes_[(oldest_ + i) % window];
        notes.push_back({forms_[note.form].hash, note.label, static_cast<std::uint16_t>(now_ - note.position)});
    }
    return notes;
}

void History::restore(std::span<const Kept> notes) {
    std::size_t before = window;
    for (const Kept& one : notes) {
        if (one.label >= labels_ || one.age > before) throw std::invalid_argument("the notes are no history");
        before = one.age;
    }
    start();
    before = window;
    for (const Kept& one : notes) {
        for (; before > one.age; --before) pass();
        note(one.form, one.label);
    }
    for (; before > 0; --before) pass();
}

std::size_t History::bucket(std::uint64_t hash) const noexcept {
    std::size_t at = hash % buckets;
    while (index_[at] != 0 && forms_[index_[at] - 1U].hash != hash) at = (at + 1) % buckets;
    return at;
}

void History::forget() noexcept {
    const Note& note = notes_[oldest_];
    Form& form = forms_[note.form];
    --counts_[note.form * labels_ + note.label];
    if (--form.notes == 0) {
        erase(bucket(form.hash));
        free_.push_back(note.form);
    }
    oldest_ = (oldest_ + 1) % window;
    --held_;
}

void History::erase(std::size_t bucket) noexcept {
    // Close the gap, so that every form can still be reached from where its search begins.
    for (std::size_t at = (bucket + 1) % buckets; index_[at] != 0; at = (at + 1) % buckets) {
        const std::size_t home = forms_[index_[at] - 1U].hash % buckets;
        if ((at + buckets - home) % buckets < (at + buckets - bucket) % buckets) continue;
        index_[bucket] = index_[at];
        bucket = at;
    }
    index_[bucket] = 0;
}

}  // namespace laconic::tag
