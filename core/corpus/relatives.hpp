#pragma once
// Words above and below a word of one sentence, for views: heads may be anything, also nonsense on its way to a tree.
// Ids count from 1; all results have ids within the sentence, each once. Linear in the sentence.

#include <cstdint>
#include <span>
#include <vector>

namespace laconic::corpus {

using Ids = std::vector<std::uint32_t>;

// Words whose head is this one, in their order.
[[nodiscard]] Ids children_of(std::span<const std::int32_t> heads, std::uint32_t id);

// The word and all below it, in the order of the sentence.
[[nodiscard]] Ids subtree_of(std::span<const std::int32_t> heads, std::uint32_t id);

// Its head, the head of that and so on, up to a word without one; a cycle ends where it would repeat a word.
[[nodiscard]] Ids ancestors_of(std::span<const std::int32_t> heads, std::uint32_t id);

}  // namespace laconic::corpus
