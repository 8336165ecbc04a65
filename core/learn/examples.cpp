#include "learn/examples.hpp"

namespace laconic::learn {

void Examples::finish(std::uint32_t cutoff) {
    finished_ = true;
    index.cut(cutoff);
    features_.clear();
    features_.reserve(keys_.size());
    std::size_t read = 0;
    for (std::size_t example = 0; example < size(); ++example) {
        std::uint32_t begin = 0;
        std::uint32_t kept = 0;
        for (std::size_t j = 0; j < templates_; ++j) {
            std::uint32_t& end = ends_[example * templates_ + j];
            for (; begin < end; ++begin) {
                const Feature feature = index.find(keys_[read++]);
                if (feature == no_feature) continue;
                features_.push_back(feature);
                ++kept;
            }
            end = kept;
        }
        begins_[example + 1] = features_.size();
    }
    keys_.clear();
    keys_.shrink_to_fit();
}

}  // namespace laconic::learn
