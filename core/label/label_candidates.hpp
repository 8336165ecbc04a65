#pragma once
// Which labels an arc may bear: those that training saw with the same pair of tags and the same direction.

#include <cstddef>
#include <cstdint>
#include <vector>

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
        for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
            const Entry& entry = entries_[at];
            if (!entry.used) return 0;
            if (entry.key == key) return entry.set;
        }
    }
    [[nodiscard]] const learn::LabelSets& sets() const noexcept { return sets_; }
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }
    [[nodiscard]] const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t set = 0;
        bool used = false;
    };
    learn::LabelSets sets_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::vector<Entry> entries_;  // open addressing, at most half full
    std::size_t mask_ = 0;
};

}  // namespace laconic::label
