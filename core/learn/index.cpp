#include "learn/index.hpp"

#include "base/error.hpp"

namespace laconic::learn {

std::size_t FeatureIndex::probe(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(key) & mask;
    while (slots_[slot] != no_feature && keys_[slots_[slot]] != key) slot = (slot + 1) & mask;
    return slot;
}

void FeatureIndex::fill_slots() noexcept {
    for (Feature feature = 0; feature < keys_.size(); ++feature) slots_[probe(keys_[feature])] = feature;
}

void FeatureIndex::grow() {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, no_feature);
    fill_slots();
}

Feature FeatureIndex::count(std::uint64_t key, std::uint16_t template_index) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    const std::size_t slot = probe(key);
    if (slots_[slot] == no_feature) {
        if (keys_.size() == no_feature)
            throw ConfigError("too many different features: raise the cut-off or use fewer templates");
        slots_[slot] = static_cast<Feature>(keys_.size());
        keys_.push_back(key);
        templates_.push_back(template_index);
        counts_.push_back(0);
    }
    ++counts_[slots_[slot]];
    return slots_[slot];
}

void FeatureIndex::cut(std::uint32_t minimum) {
    std::size_t kept = 0;
    for (std::size_t feature = 0; feature < keys_.size(); ++feature) {
        if (counts_[feature] < minimum) continue;
        keys_[kept] = keys_[feature];
        templates_[kept] = templates_[feature];
        counts_[kept] = counts_[feature];
        ++kept;
    }
    keys_.resize(kept);
    templates_.resize(kept);
    counts_.resize(kept);
    slots_.assign(slots_.size(), no_feature);
    fill_slots();
}

FeatureIndex FeatureIndex::select(std::span<const std::uint16_t> positions) const {
    FeatureIndex selected;
    for (Feature feature = 0; feature < size(); ++feature) {
        const std::uint16_t position = positions[templates_[feature]];
        if (position == nowhere) continue;
        selected.keys_.push_back(keys_[feature]);
        selected.templates_.push_back(position);
        selected.counts_.push_back(counts_[feature]);
    }
    std::size_t capacity = 1024;
    while (capacity < 2 * selected.keys_.size()) capacity *= 2;
    selected.slots_.assign(capacity, no_feature);
    selected.fill_slots();
    return selected;
}

Feature FeatureIndex::find(std::uint64_t key) const noexcept {
    return slots_.empty() ? no_feature : slots_[probe(key)];
}

}  // namespace laconic::learn
