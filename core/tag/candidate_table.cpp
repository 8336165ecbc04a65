#include "tag/candidate_table.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace laconic::tag {

CandidateTable::CandidateTable(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> sets)
    : keys_(std::move(keys)), sets_(std::move(sets)) {
    if (keys_.size() != sets_.size()) throw ModelError("the table of candidates is damaged");
    std::size_t size = 16;
    while (size < 2 * (keys_.size() + 1)) size *= 2;
    entries_.resize(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        std::size_t at = bucket(keys_[i]);
        for (; entries_[at].set != absent; at = (at + 1) & mask_)
            if (entries_[at].key == keys_[i]) throw ModelError("the table of candidates has a key twice");
        if (sets_[i] == absent) throw ModelError("the table of candidates is damaged");
        entries_[at] = {keys_[i], sets_[i]};
    }
}

Given::Given(const std::vector<corpus::Field>& fields, const corpus::Columns& columns) {
    for (const corpus::Field field : fields) {
        const std::size_t level = atoms_.size();
        std::vector<Atom>& atoms = atoms_.emplace_back(columns.words());
        const std::vector<corpus::Span>& spans = columns[field];
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const std::uint64_t before = level == 0 ? level : atoms_[level - 1][i];
            atoms[i] = features::as_atom(fold(fold(level, before), features::atom(columns.view(spans[i]))));
        }
    }
}

}  // namespace laconic::tag
