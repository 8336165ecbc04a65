#pragma once
// The key of an arc by its tags: what label candidates are found by.

#include <cstdint>

#include "base/hash.hpp"
#include "features/plan.hpp"

namespace laconic::learn {

// The head's tag (`nothing` for the root), the modifier's tag, and whether the modifier stands to the right.
inline std::uint64_t pair_key(features::Atom head, features::Atom modifier, bool right) noexcept {
    return scramble((std::uint64_t{head} << 32 | modifier) ^ (right ? 0x9e3779b97f4a7c15ULL : 0));
}

}  // namespace laconic::learn
