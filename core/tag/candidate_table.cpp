#include "tag/candidate_table.hpp"

#include "base/hash.hpp"
#include "features/sentence_atoms.hpp"

namespace laconic::tag {

Given::Given(const std::vector<corpus::Field>& fields, const corpus::Columns& columns) {
    features::ValueAtoms values(columns);
    for (const corpus::Field field : fields) {
        const std::size_t level = atoms_.size();
        std::vector<Atom>& atoms = atoms_.emplace_back(columns.words());
        const std::vector<corpus::Span>& spans = columns[field];
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const std::uint64_t before = level == 0 ? level : atoms_[level - 1][i];
            atoms[i] = features::as_atom(mix(mix(level, before), values(spans[i])));
        }
    }
}

}  // namespace laconic::tag
