#pragma once
// The frozen weights. One bucket of one cache line per look-up: the row lies beside its fingerprint, so that the
// access that finds it has read it, too.
//
// A slot of a bucket is a 16-bit fingerprint followed by one int8 weight per label, padded to 4, 8, 16, 32, 64 or 128
// bytes (scalar, packed and byte rows). Label y is lane y + 2: the fingerprint is added as two dead lanes, which costs
// nothing and keeps rows aligned. With more labels a slot is 8 bytes: fingerprint, length and begin of a run of (label,
// weight) pairs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "learn/labels.hpp"

namespace laconic::learn {

inline constexpr std::size_t dead_lanes = 2;
inline constexpr std::size_t max_dense_labels = 128 - dead_lanes;

// One feature on its way into a table.
struct Weighted {
    std::uint64_t key;
    std::uint16_t template_index;
    std::vector<std::pair<Label, std::int8_t>> weights;  // ascending labels, none zero
};

// Zero marks an empty slot.
inline std::uint16_t fingerprint(std::uint64_t key) noexcept {
    const auto bits = static_cast<std::uint16_t>(key);
    return bits == 0 ? std::uint16_t{0x8000} : bits;
}

inline std::uint16_t read16(const std::uint8_t* from) noexcept {
    return static_cast<std::uint16_t>(from[0] | (static_cast<unsigned>(from[1]) << 8));
}

struct Pair {
    Label label;
    std::int8_t weight;
    std::uint8_t unused = 0;
};

class Table {
public:
    // Each template gets buckets for its own features: early templates stay together and small.
    Table(std::size_t labels, std::size_t templates, double scale, std::span<const Weighted> features);
    // From the arrays of a model file; throws ModelError unless every offset is in bounds and every template can be
    // searched.
    Table(std::size_t labels, double scale, std::vector<std::uint64_t> directory, std::span<const std::uint8_t> buckets,
          std::vector<std::uint32_t> pairs);

    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t templates() const noexcept { return directory_.size() - 1; }
    [[nodiscard]] double scale() const noexcept { return scale_; }  // integer score = scale * real score
    [[nodiscard]] bool sparse() const noexcept { return labels_ > max_dense_labels; }
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    // Elements of a vector of scores, dead lanes and padding included; label y is at y + first_lane().
    [[nodiscard]] std::size_t lanes() const noexcept { return sparse() ? labels_ : stride_; }
    [[nodiscard]] std::size_t first_lane() const noexcept { return sparse() ? 0 : dead_lanes; }

    [[nodiscard]] const std::uint8_t* bucket(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint64_t first = directory_[template_index];
        const std::uint64_t count = directory_[template_index + 1] - first;
        return buckets_.data() + (first + (((key >> 32) * count) >> 32)) * bucket_size_;
    }
    // A bucket in which nothing is found.
    [[nodiscard]] static const std::uint8_t* nowhere() noexcept { return zeros.data(); }
    // The slot of a feature, searched from its bucket on; nullptr if it is not there.
    [[nodiscard]] const std::uint8_t* find(std::size_t template_index, std::uint64_t key,
                                           const std::uint8_t* bucket) const noexcept {
        const std::uint16_t wanted = fingerprint(key);
        for (const std::uint8_t* slot = bucket;;) {
            const std::uint16_t found = read16(slot);
            if (found == wanted) return slot;
            if (found == 0) return nullptr;
            slot += stride_;
            if (slot == buckets_.data() + directory_[template_index + 1] * bucket_size_)
                slot = buckets_.data() + directory_[template_index] * bucket_size_;
        }
    }
    // The same for a dense table, but a row of zeros for what is not there, and without a branch in most cases.
    [[nodiscard]] const std::uint8_t* row(std::size_t template_index, std::uint64_t key,
                                          const std::uint8_t* bucket) const noexcept {
        const std::uint8_t* found = zeros.data();
        if (bucket_size_ > 4 * stride_) {
            const std::uint8_t* slot = find(template_index, key, bucket);
            return slot == nullptr ? found : slot;
        }
        const std::uint16_t wanted = fingerprint(key);
        bool ends = false;  // at a match or at an empty slot; those before an empty one are filled
        for (const std::uint8_t* slot = bucket + bucket_size_; slot != bucket;) {
            slot -= stride_;
            const std::uint16_t here = read16(slot);
            found = here == wanted ? slot : found;
            ends |= here == wanted || here == 0;
        }
        if (ends) [[likely]]
            return found;
        const std::uint8_t* next = bucket + bucket_size_;
        if (next == buckets_.data() + directory_[template_index + 1] * bucket_size_)
            next = buckets_.data() + directory_[template_index] * bucket_size_;
        found = find(template_index, key, next);
        return found == nullptr ? zeros.data() : found;
    }
    // The number of a feature's row, and a row by its number, of a dense table.
    static constexpr std::uint32_t absent_row = 0xffffffffU;
    [[nodiscard]] std::uint32_t row_number(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint8_t* slot = find(template_index, key, bucket(template_index, key));
        return slot == nullptr ? absent_row : static_cast<std::uint32_t>((slot - buckets_.data()) / stride_);
    }
    [[nodiscard]] const std::int8_t* row_at(std::uint32_t row) const noexcept {
        return reinterpret_cast<const std::int8_t*>(buckets_.data()) + row * stride_;
    }
    // A row stands for its own template alone.
    [[nodiscard]] static constexpr std::size_t merged(std::size_t) noexcept { return 1; }
    // A decision may stop behind any template.
    [[nodiscard]] static constexpr bool divided(std::size_t) noexcept { return true; }
    [[nodiscard]] std::span<const Pair> pairs(const std::uint8_t* slot) const noexcept;

    [[nodiscard]] const std::vector<std::uint64_t>& directory() const noexcept { return directory_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return buckets_.bytes(); }
    [[nodiscard]] std::vector<std::uint32_t> packed_pairs() const;
    [[nodiscard]] std::size_t size() const noexcept;  // features held

private:
    alignas(cache_line) static constexpr std::array<std::uint8_t, max_dense_labels + dead_lanes> zeros{};

    void insert(const Weighted& feature);

    std::size_t labels_, stride_, bucket_size_;
    double scale_;
    std::vector<std::uint64_t> directory_;  // number of the first bucket of each template, and the end
    AlignedBytes buckets_;
    std::vector<Pair> pairs_;
};

}  // namespace laconic::learn
