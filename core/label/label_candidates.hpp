#pragma once
// Which labels an arc may bear: those that training saw with the same pair of tags and the same direction.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/frozen_map.hpp"
#include "base/hash.hpp"
#include "features/plan.hpp"
#include "learn/labels.hpp"

namespace laconic::label {

using features::Atom;
using learn::Label;

// The head's tag (`nothing` for the root), the modifier's tag, and whether the modifier stands to the right.
inline std::uint64_t pair_key(Atom head, Atom modifier, bool right) noexcept {
    return scramble((std::uint64_t{head} << 32 | modifier) ^ (right ? 0x9e3779b97f4a7c15ULL : 0));
}

// A frozen map from pairs to numbers of label sets. A pair never seen has set 0: every label.
class LabelCandidates {
public:
    // Throws ModelError unless there is one existing set for each key and every key is there once.
    LabelCandidates(learn::LabelSets sets, std::vector<std::uint64_t> keys, std::vector<std::uint32_t> numbers);

    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
        const std::uint32_t set = map_.find(key);
        return set == FrozenMap::absent ? 0 : set;
    }
    [[nodiscard]] const learn::LabelSets& sets() const noexcept { return sets_; }
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return map_.keys(); }
    [[nodiscard]] const std::vector<std::uint32_t>& numbers() const noexcept { return map_.numbers(); }

private:
    learn::LabelSets sets_;
    FrozenMap map_;
};

}  // namespace laconic::label
