#pragma once
// The stages of a labeler by factors over the trees of a document, sentence by sentence: which labels are left to each
// arc, and their scores so far. Memory is reused.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corpus/tree.hpp"
#include "label/projection.hpp"
#include "label/sparse_scores.hpp"
#include "label/tensor.hpp"
#include "label/tree_labels.hpp"
#include "label/word_types.hpp"

namespace laconic::label {

class TreeStages {
public:
    // Both must outlive this.
    TreeStages(const TensorModel& model, const corpus::Columns& columns);

    // Throws InputError where heads are absent or no tree.
    void enter(std::size_t sentence);

    // The candidates of each arc, without those that trail by the prior; an arc whose kind leads by `counts` is
    // decided. What is left of a pair of tags is found once: `prior` is that of the first call.
    void start(float prior, float counts);
    // What is known of the kind of an arc.
    [[nodiscard]] ArcCounts::Answer counted(Node m) const noexcept;
    // Priors are the scores of arcs so far.
    void show_priors();
    // Drops the labels that trail; `stage` is what decided an arc of which one is left.
    void drop(float threshold, Stage stage);
    // Decides arcs whose kind leads by so much; the scores of all others are their priors.
    void drop_by_counts(float threshold);
    // The scores of all labels that are left, by products of head and modifier.
    void add_first_order();
    // The best labels of the tree among those that are left.
    void choose();
    // Of each label that is left, in the tree.
    std::vector<float> probabilities(float temperature);

    [[nodiscard]] std::uint32_t begin(Node m) const noexcept { return begins_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] std::uint32_t size(Node m) const noexcept { return arcs_[static_cast<std::size_t>(m)].size; }
    [[nodiscard]] std::size_t left() const noexcept { return begins_.back(); }  // labels of all arcs
    [[nodiscard]] Node words() const noexcept { return size_; }
    // Where the chosen label of an arc stands among those that are left of all arcs.
    [[nodiscard]] std::size_t chosen(Node m) const noexcept { return begin(m) + chosen_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] Label label(Node m) const noexcept { return labels(m)[chosen_[static_cast<std::size_t>(m)]]; }
    [[nodiscard]] Stage stage(Node m) const noexcept { return arcs_[static_cast<std::size_t>(m)].stage; }
    [[nodiscard]] std::span<const Label> labels(Node m) const noexcept {
        return {arcs_[static_cast<std::size_t>(m)].labels, size(m)};
    }
    [[nodiscard]] std::span<const float> scores(Node m) const noexcept {
        return std::span(scores_).subspan(begin(m), size(m));
    }
    [[nodiscard]] TensorWork work() const noexcept;

private:
    // The candidates of an arc that are left.
    struct Arc {
        const Label* labels = nullptr;
        const float* priors = nullptr;
        std::uint32_t size = 0;
        Stage stage = one_candidate;  // what left one label, if that is all
    };

    [[nodiscard]] const float* priors(Node m) const noexcept { return arcs_[static_cast<std::size_t>(m)].priors; }
    [[nodiscard]] const float* vectors_of(const std::vector<float>& of, std::uint32_t bucket) const noexcept {
        return of.data() + std::size_t{bucket} * table_.labels() * second_lanes_;
    }
    [[nodiscard]] std::uint32_t entry_of(Node m) const noexcept {
        const Node h = tree_.head(m);
        // The root has no tag, as a word that does not exist.
        return model_.pairs.entry(words_, h == corpus::root ? corpus::none : h, m, m > h);
    }
    Arc find_left(std::uint32_t entry, float threshold);
    void decide_by_counts(float threshold);
    // Where the scores of each arc begin, and which arcs have a choice.
    void lay_out();
    // All vectors that pair_scores() asks for.
    void add_second_order();
    // The scores of the labels of an arc with those of the arc above; false where neither has a choice.
    bool pair_scores(Node m, std::span<float> scores);

    const TensorModel& model_;
    const LabelCandidates& candidates_;
    const learn::FactorTable& table_;
    const corpus::Columns& columns_;
    corpus::Tree tree_;
    SentenceTypes words_;
    Projections vectors_;
    std::optional<SparseScores> sparse_;
    std::vector<float> product_;
    std::size_t second_lanes_;
    std::vector<float> second_, with_lower_, pair_scores_;
    Node size_ = 0;                      // of the sentence
    std::vector<Node> open_;             // arcs that have a choice
    std::vector<std::uint32_t> begins_;  // of the scores of the candidates of each node that are left
    std::vector<Arc> arcs_;
    std::vector<float> scores_;
    std::vector<Label> labels_;  // of arcs of which some were dropped, and their priors
    std::vector<float> priors_;
    std::vector<Arc> left_of_;  // of each pair of tags, by the one threshold of a document
    std::vector<Label> left_labels_;
    std::vector<float> left_priors_;
    std::vector<std::uint64_t> kinds_;  // keys of arcs that are open
    std::vector<Label> counted_;        // of arcs that were decided by their kind
    std::uint64_t scores_computed_ = 0, pairs_computed_ = 0, counts_read_ = 0;
    std::vector<std::uint32_t> chosen_;
    TreeLabels tree_labels_;
};

}  // namespace laconic::label
