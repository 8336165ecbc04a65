#include "learn/index.hpp"

#include "base/error.hpp"

namespace laconic::learn {

std::size_t FeatureIndex::probe(std::uint64_t key) const noexcept {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = static_cast<std::size_t>(key) & mask;
    while (places_[place] != no_feature && keys_[places_[place]] != key) place = (place + 1) & mask;
    return place;
}

void FeatureIndex::place_all() noexcept {
    for (Feature feature = 0; feature < keys_.size(); ++feature) places_[probe(keys_[feature])] = feature;
}

void FeatureIndex::grow() {
    places_.assign(places_.empty() ? 1024 : places_.size() * 2, no_feature);
    place_all();
}

Feature FeatureIndex::count(std::uint64_t key, std::uint16_t template_index) {
    if (keys_.size() * 2 >= places_.size()) grow();
    const std::size_t place = probe(key);
    if (places_[place] == no_feature) {
        if (keys_.size() == no_feature)
            throw ConfigError("too many different features: raise the cut-off or use fewer templates");
        places_[place] = static_cast<Feature>(keys_.size());
        keys_.push_back(key);
        templates_.push_back(template_index);
        counts_.push_back(0);
    }
    ++counts_[places_[place]];
    return places_[place];
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
    places_.assign(places_.size(), no_feature);
    place_all();
}

FeatureIndex FeatureIndex::select(std::span<const std::uint16_t> places) const {
    FeatureIndex selected;
    for (Feature feature = 0; feature < size(); ++feature) {
        const std::uint16_t place = places[templates_[feature]];
        if (place == nowhere) continue;
        selected.keys_.push_back(keys_[feature]);
        selected.templates_.push_back(place);
        selected.counts_.push_back(counts_[feature]);
    }
    std::size_t room = 1024;
    while (room < 2 * selected.keys_.size()) room *= 2;
    selected.places_.assign(room, no_feature);
    selected.place_all();
    return selected;
}

Feature FeatureIndex::find(std::uint64_t key) const noexcept {
    return places_.empty() ? no_feature : places_[probe(key)];
}

}  // namespace laconic::learn
