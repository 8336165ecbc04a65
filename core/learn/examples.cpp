#include "learn/examples.hpp"

namespace laconic::learn {

void Examples::finish(std::uint32_t cutoff) {
    index.cut(cutoff);
    look_up();
}

void Examples::finish(FeatureIndex known) {
    index = std::move(known);
    look_up();
}

void Examples::look_up() {
    finished_ = true;
    features_.clear();
    features_.reserve(keys_.size());
    std::size_t begin = 0;  // of the keys of an example
    for (std::size_t example = 0; example < size(); ++example) {
        const std::size_t end = begins_[example + 1];
        learn::look_up(index, std::span(keys_).subspan(begin, end - begin),
                       std::span(ends_).subspan(example * templates_, templates_), features_);
        begins_[example + 1] = features_.size();
        begin = end;
    }
    keys_.clear();
    keys_.shrink_to_fit();
}

Examples Examples::select(std::span<const std::uint32_t> order, std::span<const std::uint32_t> chosen) const {
    std::vector<std::uint16_t> positions(templates_, FeatureIndex::nowhere);
    for (std::size_t j = 0; j < order.size(); ++j) positions[order[j]] = static_cast<std::uint16_t>(j);
    std::vector<Feature> numbers(index.size(), no_feature);
    for (Feature feature = 0, next = 0; feature < index.size(); ++feature)
        if (positions[index.template_of(feature)] != FeatureIndex::nowhere) numbers[feature] = next++;

    Examples selected(order.size(), sets);
    selected.finished_ = true;
    selected.index = index.select(positions);
    selected.ends_.reserve(order.size() * chosen.size());
    for (const std::uint32_t example : chosen) {
        const FeatureRun all = run(example);
        std::uint32_t end = 0;
        for (const std::uint32_t j : order) {
            for (const Feature feature : all[j]) {
                selected.features_.push_back(numbers[feature]);
                ++end;
            }
            selected.ends_.push_back(end);
        }
        selected.begins_.push_back(selected.features_.size());
        selected.gold_.push_back(gold_[example]);
        selected.candidates_.push_back(candidates_[example]);
    }
    return selected;
}

}  // namespace laconic::learn
