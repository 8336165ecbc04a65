#include "learn/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/error.hpp"

namespace laconic::learn {

namespace {

constexpr std::size_t sparse_slot = 8;

std::size_t stride_for(std::size_t labels) {
    if (labels > max_dense_labels) return sparse_slot;
    std::size_t stride = 4;
    while (stride < labels + dead_lanes) stride *= 2;
    return stride;
}

std::uint32_t read32(const std::uint8_t* from) {
    return read16(from) | (static_cast<std::uint32_t>(read16(from + 2)) << 16);
}

void write16(std::uint8_t* to, std::uint16_t value) {
    to[0] = static_cast<std::uint8_t>(value);
    to[1] = static_cast<std::uint8_t>(value >> 8);
}

void write32(std::uint8_t* to, std::uint32_t value) {
    write16(to, static_cast<std::uint16_t>(value));
    write16(to + 2, static_cast<std::uint16_t>(value >> 16));
}

}  // namespace

Table::Table(std::size_t labels, std::size_t templates, double scale, std::span<const Weighted> features)
    : labels_(labels),
      stride_(stride_for(labels)),
      bucket_size_(std::max(stride_, cache_line)),
      scale_(scale),
      directory_(templates + 1) {
    std::vector<std::uint64_t> counts(templates);
    for (const Weighted& feature : features) ++counts.at(feature.template_index);
    const std::uint64_t slots = bucket_size_ / stride_;
    for (std::size_t j = 0; j < templates; ++j) {
        // Two thirds full, and at least one empty slot in every template, or a search would not end.
        const std::uint64_t needed = (counts[j] * 3 / 2 + 1) / slots + 1;
        directory_[j + 1] = directory_[j] + needed;
    }
    buckets_ = AlignedBytes(directory_.back() * bucket_size_);
    for (const Weighted& feature : features) insert(feature);
}

Table::Table(std::size_t labels, double scale, std::vector<std::uint64_t> directory,
             std::span<const std::uint8_t> buckets, std::vector<std::uint32_t> pairs)
    : labels_(labels),
      stride_(stride_for(labels)),
      bucket_size_(std::max(stride_, cache_line)),
      scale_(scale),
      directory_(std::move(directory)),
      buckets_(buckets) {
    const bool whole = labels > 0 && labels <= max_labels && std::isfinite(scale) && scale > 0 && !directory_.empty() &&
                       directory_.front() == 0 && std::is_sorted(directory_.begin(), directory_.end()) &&
                       buckets.size() % bucket_size_ == 0 && directory_.back() == buckets.size() / bucket_size_;
    if (!whole) throw ModelError("the weight table of the model is damaged");
    pairs_.reserve(pairs.size());
    for (const std::uint32_t pair : pairs) {
        const auto label = static_cast<Label>(pair);
        if (label >= labels) throw ModelError("the weight table of the model names a label that does not exist");
        pairs_.push_back({label, static_cast<std::int8_t>(static_cast<std::uint8_t>(pair >> 16))});
    }
    for (std::size_t j = 0; j + 1 < directory_.size(); ++j) {
        bool empty = false;
        for (std::size_t at = directory_[j] * bucket_size_; at < directory_[j + 1] * bucket_size_; at += stride_) {
            const std::uint8_t* slot = buckets_.data() + at;
            if (read16(slot) == 0) {
                empty = true;
                if (!sparse()) break;  // nothing else in a dense one can be wrong
            } else if (sparse() && std::uint64_t{read32(slot + 4)} + read16(slot + 2) > pairs_.size()) {
                throw ModelError("the weight table of the model points outside itself");
            }
        }
        if (!empty) throw ModelError("the weight table of the model has a template without an empty slot");
    }
}

void Table::insert(const Weighted& feature) {
    const std::size_t j = feature.template_index;
    auto* slot = buckets_.data() + (bucket(j, feature.key) - buckets_.data());
    const std::uint8_t* end = buckets_.data() + directory_[j + 1] * bucket_size_;
    // A feature whose fingerprint is already on the way keeps the older one's row, as a search would find that first.
    while (read16(slot) != 0) {
        if (read16(slot) == fingerprint(feature.key)) return;
        slot += stride_;
        if (slot == end) slot = buckets_.data() + directory_[j] * bucket_size_;
    }
    write16(slot, fingerprint(feature.key));
    if (!sparse()) {
        for (const auto& [label, weight] : feature.weights)
            slot[dead_lanes + label] = static_cast<std::uint8_t>(weight);
        return;
    }
    if (pairs_.size() + feature.weights.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("a sparse table holds at most 2^32 weights");
    write16(slot + 2, static_cast<std::uint16_t>(feature.weights.size()));
    write32(slot + 4, static_cast<std::uint32_t>(pairs_.size()));
    for (const auto& [label, weight] : feature.weights) pairs_.push_back({label, weight});
}

std::span<const Pair> Table::pairs(const std::uint8_t* slot) const noexcept {
    return {pairs_.data() + read32(slot + 4), read16(slot + 2)};
}

std::vector<std::uint32_t> Table::packed_pairs() const {
    std::vector<std::uint32_t> packed;
    packed.reserve(pairs_.size());
    for (const Pair& pair : pairs_)
        packed.push_back(pair.label | (static_cast<std::uint32_t>(static_cast<std::uint8_t>(pair.weight)) << 16));
    return packed;
}

std::size_t Table::size() const noexcept {
    std::size_t count = 0;
    for (std::size_t at = 0; at < buckets_.size(); at += stride_) count += read16(buckets_.data() + at) != 0;
    return count;
}

}  // namespace laconic::learn
