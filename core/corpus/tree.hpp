#pragma once
// Is a column of heads a forest under the root 0?

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace laconic::corpus {

struct TreeFault {
    std::string reason;    // empty: no fault
    std::size_t word = 0;  // index in the sentence, from 0
};

// The first thing wrong with the heads of one sentence: some missing but not all, out of range, no root, a cycle.
// Several roots are no fault, and neither is a sentence without any head. Linear.
[[nodiscard]] TreeFault check_tree(std::span<const std::int32_t> heads);

}  // namespace laconic::corpus
