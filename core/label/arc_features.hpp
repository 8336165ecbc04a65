#pragma once
// Features of arcs by templates of the kind `edge`, for linear rows beside the factors of a labeler.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "learn/feature_reader.hpp"
#include "learn/index.hpp"

namespace laconic::label {

// The features of the arcs of some sentences. Labels of other arcs are not known: templates that read DEP find nothing.
class ArcFeatures {
public:
    // Features seen fewer than `cutoff` times are left out. Throws InputError where heads are absent or no tree.
    ArcFeatures(const features::Plan& plan, const features::Lexicon& lexicon, corpus::Field pos,
                const corpus::Columns& columns, std::span<const std::uint32_t> sentences, std::uint32_t cutoff);

    [[nodiscard]] std::size_t sentences() const noexcept { return first_arcs_.size() - 1; }
    [[nodiscard]] std::size_t arcs(std::size_t sentence) const noexcept {
        return first_arcs_[sentence + 1] - first_arcs_[sentence];
    }
    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] const learn::FeatureIndex& index() const noexcept { return index_; }
    // Of an arc of a sentence, by its number from 0 on.
    [[nodiscard]] learn::FeatureRun run(std::size_t sentence, std::size_t arc) const noexcept {
        const std::size_t at = first_arcs_[sentence] + arc;
        const auto ends = std::span(ends_).subspan(at * templates_, templates_);
        return {std::span(features_).subspan(begins_[at], ends.empty() ? 0 : ends.back()), ends};
    }

private:
    std::size_t templates_;
    learn::FeatureIndex index_;
    std::vector<std::size_t> first_arcs_{0};  // of each sentence, and the end
    std::vector<std::size_t> begins_;         // of the features of each arc
    std::vector<std::uint32_t> ends_;         // of each arc: where the features of each template end
    std::vector<learn::Feature> features_;
};

}  // namespace laconic::label
