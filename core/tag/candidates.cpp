#include "tag/candidates.hpp"

#include <algorithm>
#include <iterator>

#include "tag/script.hpp"

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
    if (candidates_.needs.empty() || choice.known) return likely;
    const std::size_t length = length_of(columns_.view(corpus::Field::form, word));
    const auto fits = [&](Label y) { return candidates_.needs[y] <= length; };
    if (std::ranges::all_of(likely.members, fits)) return likely;
    buffer.clear();
    std::ranges::copy_if(likely.members, std::back_inserter(buffer), fits);
    if (buffer.empty()) std::ranges::copy_if(candidates_.sets[0], std::back_inserter(buffer), fits);
    return {buffer, 0};
}

std::uint64_t Chooser::type(std::size_t word) const noexcept {
    return CandidateTable::key(rows_.ids()[word], given_.levels() > 0 ? given_(given_.levels() - 1, word) : 0);
}

}  // namespace laconic::tag
