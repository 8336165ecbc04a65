#pragma once
// Word vectors from the words around them (skip-grams with negative samples): where word rows start from.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace laconic::learn {

struct SkipGramSettings {
    std::uint32_t width = 64;
    std::uint32_t window = 2;
    std::uint32_t epochs = 5;
    std::uint64_t seed = 1;
};

// `text` holds word types below `types`; sentence i is [sentences[i], sentences[i + 1]). One vector of `width` numbers
// per type, of mean length 1. Cost: epochs * words * window * 6 products of width numbers; one thread, a fixed order.
[[nodiscard]] std::vector<float> skip_grams(std::span<const std::uint32_t> text,
                                            std::span<const std::uint32_t> sentences, std::size_t types,
                                            const SkipGramSettings& settings);

}  // namespace laconic::learn
