#pragma once
// One decision of a classifier: where it may stop, and its outcome. The same for every scorer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/labels.hpp"

namespace laconic::learn {

// After `depth` templates the decision is taken if the best label leads the second by at least `margin` (integer
// score).
struct Exit {
    std::uint32_t depth;
    std::int32_t margin;
};

// Ascending. The last exit is at the last template, whatever its margin: there the best label is taken anyway.
struct Exits {
    std::vector<Exit> list;
};
inline constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

struct Decision {
    Label label;
    std::uint32_t depth;  // templates computed
    std::int32_t margin;  // lead of the best over the second label
};

// Best and second of the candidates; the smaller label wins a tie.
template <class Score>
Decision lead(std::span<const Score> scores, std::span<const Label> candidates, std::uint32_t depth) {
    Label best = candidates[0];
    std::int32_t highest = scores[best];
    std::int32_t second = std::numeric_limits<std::int32_t>::min() / 2;
    for (const Label y : candidates.subspan(1)) {
        const std::int32_t score = scores[y];
        second = std::max(second, std::min(score, highest));
        best = score > highest ? y : best;  // without a branch: it would be unpredictable
        highest = std::max(highest, score);
    }
    return {best, depth, highest - second};
}

// The features of one template: how many a context has and how many of them have rows, and which template is read next.
struct Look {
    std::uint32_t features = 0;
    std::uint32_t found = 0;
    std::uint32_t next = 0;
};

}  // namespace laconic::learn
