#include "tag/candidates.hpp"

#include <string_view>

namespace laconic::tag {

Chooser::Chooser(const Candidates& candidates, const features::WordRows& rows, const corpus::Columns& columns)
    : candidates_(candidates),
      rows_(rows),
      columns_(columns),
      given_(candidates.given, columns),
      payload_(rows.lexicon().attributes().size()) {}

Chooser::Choice Chooser::find(std::size_t word, bool by_word) const noexcept {
    const std::size_t levels = given_.levels();
    const bool known = by_word && rows_.known(word);
    if (known) {
        if (rows_.lexicon().payload_count() > 0 && rows_[word][payload_] < candidates_.sets.size())
            return {rows_[word][payload_], true};
        for (std::size_t level = levels; level-- > 0;) {
            const std::uint32_t set =
                candidates_.table.find(CandidateTable::key(rows_.ids()[word], given_(level, word)));
            if (set != CandidateTable::absent) return {set, true};
        }
    }
    for (std::size_t level = levels; level-- > 0;) {
        const std::uint32_t set =
            candidates_.table.find(CandidateTable::key(CandidateTable::no_word, given_(level, word)));
        if (set != CandidateTable::absent) return {set, false};
    }
    return {candidates_.open, false};
}

Chooser::Fitting Chooser::operator()(std::size_t word, std::vector<Label>& buffer) const {
    const Choice choice = find(word);
    const Fitting likely{candidates_.sets[choice.set], candidates_.sets.bits(choice.set)};
    if (candidates_.evidence.empty() || choice.known) return likely;
    select(choice, word, true, buffer);
    return {buffer, 0};
}

std::vector<Label> Chooser::unseen(std::size_t word) const {
    const Choice choice = find(word, false);
    const std::span<const Label> likely = candidates_.sets[choice.set];
    std::vector<Label> chosen(likely.begin(), likely.end());
    if (!candidates_.evidence.empty()) select(choice, word, false, chosen);
    return chosen;
}

void Chooser::select(Choice choice, std::size_t word, bool judge, std::vector<Label>& chosen) const {
    const std::string_view form = columns_.view(corpus::Field::form, word);
    const Atom given = given_.levels() > 0 ? given_(0, word) : 0;
    candidates_.evidence.select(candidates_.sets[choice.set], form, given, judge, chosen);
}

std::uint64_t Chooser::type(std::size_t word) const noexcept {
    return CandidateTable::key(rows_.ids()[word], given_.levels() > 0 ? given_(given_.levels() - 1, word) : 0);
}

}  // namespace laconic::tag
