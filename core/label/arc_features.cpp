#include "label/arc_features.hpp"

#include "label/context.hpp"

namespace laconic::label {

ArcFeatures::ArcFeatures(const features::Plan& plan, const features::Lexicon& lexicon, corpus::Field pos,
                         const corpus::Columns& columns, std::span<const std::uint32_t> sentences, std::uint32_t cutoff)
    : templates_(plan.size()) {
    const EdgeReader reader(plan, lexicon.attributes(), pos);
    const features::WordRows rows(lexicon, columns);
    EdgeContext context(reader, rows, columns);
    learn::FeatureReader features;
    // Twice over the arcs, so that the keys of all of them need not be kept.
    for (const std::uint32_t sentence : sentences) {
        context.enter(sentence);
        for (Node node = 1; node <= context.tree().words(); ++node) {
            context.focus(node);
            features.read(plan, context, plan.size(), index_);
            features.count(index_);
        }
    }
    index_.cut(cutoff);
    for (const std::uint32_t sentence : sentences) {
        context.enter(sentence);
        for (Node node = 1; node <= context.tree().words(); ++node) {
            context.focus(node);
            features.read(plan, context, plan.size(), index_);
            const learn::FeatureRun run = features.look_up(index_);
            begins_.push_back(features_.size());
            features_.insert(features_.end(), run.features.begin(), run.features.end());
            ends_.insert(ends_.end(), run.ends.begin(), run.ends.end());
        }
        first_arcs_.push_back(begins_.size());
    }
}

}  // namespace laconic::label
