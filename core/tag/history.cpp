#include "tag/history.hpp"

#include <algorithm>

namespace laconic::tag {

void History::note(std::uint64_t form, learn::Label label) noexcept {
    std::uint64_t& last = last_[form % buckets];
    notes_[noted_ % window] = {form, now_, last, label};
    last = ++noted_;
}

learn::Label History::seen(std::uint64_t form) const noexcept {
    const auto each = [&](auto&& visit) {
        for (std::uint64_t number = last_[form % buckets]; number > first_ && number + window > noted_;) {
            const Note& note = notes_[(number - 1) % window];
            if (note.position + window < now_) return;
            if (note.form == form) visit(note.label);
            number = note.before;
        }
    };
    learn::Label best = none;
    std::uint16_t most = 0;
    each([&](learn::Label label) { most = std::max(most, ++counts_[label]); });
    each([&](learn::Label label) {
        if (best == none && counts_[label] == most) best = label;
    });
    each([&](learn::Label label) { counts_[label] = 0; });
    return best;
}

}  // namespace laconic::tag
