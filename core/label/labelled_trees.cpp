#include "label/labelled_trees.hpp"

#include <algorithm>

#include "learn/feature_reader.hpp"

namespace laconic::label {

LabelledTrees::LabelledTrees(const features::Plan& plan, const features::Lexicon& lexicon,
                             const LabelCandidates& candidates, corpus::Field pos, const corpus::Columns& columns,
                             std::span<const Label> gold, std::span<const std::uint8_t> teach,
                             std::span<const std::uint32_t> sentences, std::uint32_t cutoff)
    : templates_(plan.size()), labels_(candidates.sets().labels()) {
    const EdgeReader reader(plan, lexicon.attributes(), pos);
    const features::WordRows rows(lexicon, columns);
    EdgeContext context(reader, rows, columns);
    learn::FeatureReader features;
    std::vector<std::uint64_t> keys;
    for (const std::uint32_t sentence : sentences) {
        context.enter(sentence);
        const corpus::Tree& tree = context.tree();
        for (Node node = corpus::root; node <= tree.words(); ++node) {
            context.focus(node);
            features.read(plan, context, plan.size(), index_);
            features.count(index_);
            keys.insert(keys.end(), features.keys().begin(), features.keys().end());
            begins_.push_back(keys.size());
            if (node == corpus::root) continue;
            const std::size_t word = columns.sentences[sentence] + static_cast<std::size_t>(node) - 1;
            const Node head = tree.head(node);
            Arc arc{candidates.entry(context.tag(head), context.tag(node), node > head), unlabelled};
            if (teach[word] != 0) {
                const auto place = [&] {
                    const std::span<const Label> likely = candidates.sets()[candidates.set_of(arc.entry)];
                    const auto at = std::ranges::lower_bound(likely, gold[word]);
                    return at != likely.end() && *at == gold[word] ? static_cast<std::uint32_t>(at - likely.begin())
                                                                   : unlabelled;
                };
                arc.gold = place();
                if (arc.gold == unlabelled) {
                    arc.entry = static_cast<std::uint32_t>(candidates.keys().size());  // every label
                    arc.gold = place();
                }
            }
            heads_.push_back(head);
            arcs_.push_back(arc);
        }
        nodes_.push_back(nodes_.back() + static_cast<std::size_t>(tree.words()) + 1);
    }
    index_.cut(cutoff);
    features_.reserve(keys.size());
    std::size_t begin = 0;
    for (std::size_t node = 0; node + 1 < begins_.size(); ++node) {
        const std::size_t end = begins_[node + 1];
        for (std::size_t i = begin; i < end; ++i)
            if (const learn::Feature feature = index_.find(keys[i]); feature != learn::no_feature)
                features_.push_back(feature);
        begins_[node + 1] = features_.size();
        begin = end;
    }
}

}  // namespace laconic::label
