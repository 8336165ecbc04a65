#pragma once
// Which labels an arc may bear: those that training saw with the same pair of tags and the same direction.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/frozen_map.hpp"
#include "features/plan.hpp"
#include "learn/labels.hpp"
#include "learn/pair_key.hpp"

namespace laconic::label {

using features::Atom;
using learn::Label;
using learn::pair_key;

// The key of arcs from the root to words whose tag was hardly or never seen there: a root is not to get any label only
// because its tag is rare there.
[[nodiscard]] inline std::uint64_t any_root_key() noexcept {
    return pair_key(features::nothing, features::nothing, true);
}

// A frozen map from pairs to sets of labels. A pair never seen has set 0: every label.
class LabelCandidates {
public:
    // `numbers` has the set of each key. `priors`, if there are any: of each key the scores of the members of its set
    // by the pair alone, key after key, and then those of every label for pairs never seen. Throws ModelError unless
    // there is one existing set for each key, every key is there once, and the priors fit.
    LabelCandidates(learn::LabelSets sets, const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t> numbers,
                    std::vector<float> priors = {});

    // The number of the key of a pair of tags, as in pair_key(), in the order in which they were given; of arcs from
    // the root that of any_root_key() for a pair never seen; otherwise keys().size().
    [[nodiscard]] std::uint32_t entry(Atom head, Atom modifier, bool right) const noexcept {
        std::uint32_t found = map_.find(pair_key(head, modifier, right));
        if (found == FrozenMap::absent && head == features::nothing) found = map_.find(any_root_key());
        return found == FrozenMap::absent ? static_cast<std::uint32_t>(numbers_.size()) : found;
    }
    [[nodiscard]] std::uint32_t set_of(std::uint32_t entry) const noexcept {
        return entry < numbers_.size() ? numbers_[entry] : 0;
    }
    // Of the members of the set of an entry; only where there are priors.
    [[nodiscard]] const float* priors_of(std::uint32_t entry) const noexcept { return priors_.data() + begins_[entry]; }

    [[nodiscard]] const learn::LabelSets& sets() const noexcept { return sets_; }
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return map_.keys(); }
    [[nodiscard]] const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }
    [[nodiscard]] const std::vector<float>& priors() const noexcept { return priors_; }

private:
    learn::LabelSets sets_;
    FrozenMap map_;  // to entries
    std::vector<std::uint32_t> numbers_;
    std::vector<float> priors_;
    std::vector<std::size_t> begins_;  // of the priors of each entry
};

}  // namespace laconic::label
