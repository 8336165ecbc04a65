#pragma once
// The features of a training set: exact 64-bit keys to dense numbers, rare ones left out.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"

namespace laconic::learn {

using Feature = std::uint32_t;
inline constexpr Feature no_feature = 0xffffffffU;

// First count every key, then cut(), then find(). Numbers follow the first appearance, so they do not depend on
// hashing.
class FeatureIndex {
public:
    Feature count(std::uint64_t key, std::uint16_t template_index);  // its number before cut()
    void cut(std::uint32_t minimum);                                 // forgets features counted less often
    static constexpr std::uint16_t nowhere = 0xffff;
    // The features of some templates, for another list of them. `positions` has the position of each template there, or
    // `nowhere`.
    [[nodiscard]] FeatureIndex select(std::span<const std::uint16_t> positions) const;

    [[nodiscard]] Feature find(std::uint64_t key) const noexcept;  // no_feature if it is not there
    void prefetch(std::uint64_t key) const noexcept {              // find() is coming
        if (!slots_.empty()) laconic::prefetch(&slots_[static_cast<std::size_t>(key) & (slots_.size() - 1)]);
    }
    [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
    [[nodiscard]] std::uint64_t key(Feature feature) const noexcept { return keys_[feature]; }
    [[nodiscard]] std::uint16_t template_of(Feature feature) const noexcept { return templates_[feature]; }

private:
    void grow();
    void fill_slots() noexcept;
    [[nodiscard]] std::size_t probe(std::uint64_t key) const noexcept;  // its slot, or the empty one where it belongs

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint16_t> templates_;
    std::vector<std::uint32_t> counts_;
    std::vector<Feature> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace laconic::learn
