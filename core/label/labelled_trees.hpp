#pragma once
// Trees to learn labels from: the features of every word, the candidates of every arc and its gold label.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "label/context.hpp"
#include "label/label_candidates.hpp"
#include "learn/index.hpp"

namespace laconic::label {

class LabelledTrees {
public:
    static constexpr std::uint32_t unlabelled = 0xffffffffU;

    // Reads the given sentences of a document. Arcs that have nothing to teach (`teach` is 0: the head is not the gold
    // one) have no gold label; an arc whose candidates lack its gold label gets them all. Features seen fewer than
    // `cutoff` times are left out. Throws InputError where heads are absent or no tree.
    LabelledTrees(const features::Plan& plan, const features::Lexicon& lexicon, const LabelCandidates& candidates,
                  corpus::Field pos, const corpus::Columns& columns, std::span<const Label> gold,
                  std::span<const std::uint8_t> teach, std::span<const std::uint32_t> sentences, std::uint32_t cutoff);

    struct Arc {
        std::uint32_t entry;  // of LabelCandidates
        std::uint32_t gold;   // number among the candidates, or unlabelled
    };

    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size() - 1; }
    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] const learn::FeatureIndex& index() const noexcept { return index_; }
    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    // Of a sentence: heads of its words, and its arcs, from the first word on.
    [[nodiscard]] std::span<const std::int32_t> heads(std::size_t sentence) const noexcept {
        return std::span(heads_).subspan(first_word(sentence), words(sentence));
    }
    [[nodiscard]] std::span<const Arc> arcs(std::size_t sentence) const noexcept {
        return std::span(arcs_).subspan(first_word(sentence), words(sentence));
    }
    // Of a node of a sentence: of the root or of a word.
    [[nodiscard]] std::span<const learn::Feature> features(std::size_t sentence, Node node) const noexcept {
        const std::size_t at = nodes_[sentence] + static_cast<std::size_t>(node);
        return std::span(features_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
    }

private:
    // Each sentence has one node more than words: the root.
    [[nodiscard]] std::size_t first_word(std::size_t sentence) const noexcept { return nodes_[sentence] - sentence; }
    [[nodiscard]] std::size_t words(std::size_t sentence) const noexcept {
        return nodes_[sentence + 1] - nodes_[sentence] - 1;
    }

    std::size_t templates_, labels_;
    learn::FeatureIndex index_;
    std::vector<std::size_t> nodes_{0};  // number of the first node of each sentence, and the end
    std::vector<std::int32_t> heads_;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> begins_{0};
    std::vector<learn::Feature> features_;
};

}  // namespace laconic::label
