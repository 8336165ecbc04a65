#pragma once
// From the context of a decision to the numbers of its features: the one way for counting, collecting and training.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/index.hpp"
#include "learn/key.hpp"

namespace laconic::learn {

// The features of one decision, template after template: those of template j end at ends[j].
struct FeatureRun {
    std::span<const Feature> features;
    std::span<const std::uint32_t> ends;

    [[nodiscard]] std::span<const Feature> operator[](std::size_t index) const noexcept {
        const std::uint32_t begin = index == 0 ? 0 : ends[index - 1];
        return features.subspan(begin, ends[index] - begin);
    }
};

// Adds the features of the keys that an index knows to `features`; the ends of templates among the keys of this
// decision become those among its features.
inline void look_up(const FeatureIndex& index, std::span<const std::uint64_t> keys, std::span<std::uint32_t> ends,
                    std::vector<Feature>& features) {
    const std::size_t begin = features.size();
    std::size_t at = 0;
    for (std::uint32_t& end : ends) {
        for (; at < end; ++at)
            if (const Feature feature = index.find(keys[at]); feature != no_feature) features.push_back(feature);
        end = static_cast<std::uint32_t>(features.size() - begin);
    }
}

// Memory is reused from decision to decision.
class FeatureReader {
public:
    // Reads the keys of templates [0, depth), and prefetches where `index` will look for each: all keys first, then all
    // look-ups, so that the latencies of memory overlap.
    template <Context C>
    void read(const Plan& plan, C& context, std::size_t depth, const FeatureIndex& index) {
        keys_.clear();
        ends_.clear();
        for (std::size_t j = 0; j < depth; ++j) {
            visit_keys(plan, j, context, [&](std::uint64_t key) {
                index.prefetch(key);
                keys_.push_back(key);
            });
            ends_.push_back(static_cast<std::uint32_t>(keys_.size()));
        }
    }

    // Of what was read last: the keys, and where those of each template end.
    [[nodiscard]] std::span<const std::uint64_t> keys() const noexcept { return keys_; }
    [[nodiscard]] std::span<const std::uint32_t> ends() const noexcept { return ends_; }
    // Calls visit(key, template) for each key.
    template <class Visit>
    void each_key(Visit&& visit) const {
        std::size_t at = 0;
        for (std::size_t j = 0; j < ends_.size(); ++j)
            for (; at < ends_[j]; ++at) visit(keys_[at], static_cast<std::uint16_t>(j));
    }
    void count(FeatureIndex& index) const {
        each_key([&](std::uint64_t key, std::uint16_t j) { index.count(key, j); });
    }
    // The features that the index knows. Once for each read(); valid until the next one.
    FeatureRun look_up(const FeatureIndex& index) {
        features_.clear();
        learn::look_up(index, keys_, ends_, features_);
        return {features_, ends_};
    }

private:
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> ends_;
    std::vector<Feature> features_;
};

}  // namespace laconic::learn
