#include "learn/skipgram.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "learn/matrix.hpp"

namespace laconic::learn {

namespace {

constexpr std::size_t negatives = 5;
constexpr float start_rate = 0.05F;

// Word types as often as the 3/4 power of their counts: what negative samples are drawn from.
std::vector<std::uint32_t> urn(std::span<const std::uint32_t> text, std::size_t types) {
    std::vector<double> shares(types);
    for (const std::uint32_t word : text) shares[word] += 1;
    double sum = 0;
    for (double& share : shares) sum += share = std::pow(share, 0.75);
    constexpr std::size_t size = 1 << 18;
    std::vector<std::uint32_t> result;
    result.reserve(size);
    double reached = 0;
    for (std::uint32_t type = 0; type < types; ++type) {
        reached += shares[type] / sum * size;
        while (static_cast<double>(result.size()) < reached && result.size() < size) result.push_back(type);
    }
    if (result.empty()) result.push_back(0);
    return result;
}

}  // namespace

std::vector<float> skip_grams(std::span<const std::uint32_t> text, std::span<const std::uint32_t> sentences,
                              std::size_t types, const SkipGramSettings& settings) {
    const std::size_t width = settings.width;
    Random random(settings.seed);
    std::vector<float> words(types * width), contexts(types * width), back(width);
    for (float& value : words)
        value =
            static_cast<float>((static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5) / static_cast<double>(width));
    const std::vector<std::uint32_t> drawn = urn(text, types);
    const double total = static_cast<double>(text.size()) * settings.epochs;
    double done = 0;
    const auto teach = [&](std::uint32_t word, std::uint32_t context, bool together, float rate) {
        float* w = words.data() + word * width;
        float* c = contexts.data() + context * width;
        const float chance = 1.0F / (1.0F + std::exp(-dot(w, c, width)));
        const float slope = rate * ((together ? 1.0F : 0.0F) - chance);
        multiply_add({&slope, 1, 1}, 1, 1, c, width, back.data());
        multiply_add({&slope, 1, 1}, 1, 1, w, width, c);
    };
    for (std::uint32_t epoch = 0; epoch < settings.epochs; ++epoch)
        for (std::size_t s = 0; s + 1 < sentences.size(); ++s) {
            const auto sentence = text.subspan(sentences[s], sentences[s + 1] - sentences[s]);
            for (std::size_t i = 0; i < sentence.size(); ++i) {
                const auto rate = start_rate * std::max(0.05F, static_cast<float>(1.0 - done++ / total));
                const std::size_t reach = 1 + random.below(settings.window);
                const std::size_t last = std::min(sentence.size(), i + reach + 1);
                for (std::size_t k = i - std::min(i, reach); k < last; ++k) {
                    if (k == i) continue;
                    std::ranges::fill(back, 0.0F);
                    teach(sentence[i], sentence[k], true, rate);
                    for (std::size_t n = 0; n < negatives; ++n) {
                        const std::uint32_t other = drawn[random.below(static_cast<std::uint32_t>(drawn.size()))];
                        if (other != sentence[k]) teach(sentence[i], other, false, rate);
                    }
                    add_to(words.data() + sentence[i] * width, back.data(), width);
                }
            }
        }
    double length = 0;
    for (std::size_t type = 0; type < types; ++type) {
        const float* w = words.data() + type * width;
        length += std::sqrt(static_cast<double>(dot(w, w, width)));
    }
    const auto shorter = static_cast<float>(length > 0 ? static_cast<double>(types) / length : 1.0);
    for (float& value : words) value *= shorter;
    return words;
}

}  // namespace laconic::learn
