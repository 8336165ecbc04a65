#pragma once
// Training of the factors of a labeler: by the likelihood of the labels of whole trees, or as in shen2016 by structural
// hinge loss with passive-aggressive steps.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "label/arc_features.hpp"
#include "label/labelled_trees.hpp"
#include "label/tensor.hpp"
#include "label/tree_labels.hpp"
#include "learn/learner.hpp"
#include "learn/parameters.hpp"
#include "learn/table.hpp"

namespace laconic::label {

enum class TreeLoss : std::uint8_t { likelihood, hinge };
// Where factors start: vectors of words at one in every component, or the first order from the decomposed weights of a
// linear model (label/pair_tensor.hpp).
enum class FactorStart : std::uint8_t { ones, decomposition };

struct TensorSettings {
    std::uint32_t first = 32;  // rank of products of head and modifier
    std::uint32_t second = 0;  // rank of products with the arc above; 0: none
    bool length = false;       // label vectors know the length of an arc
    TreeLoss loss = TreeLoss::likelihood;
    FactorStart start = FactorStart::ones;
    double rate = 0.003;  // of Adam, likelihood
    double first_decay = 0.9;
    double second_decay = 0.999;
    double epsilon = 1e-8;
    double row_dropout = 0.2;
    double largest_step = 0.01;  // of a passive-aggressive step, hinge
    double sparse_rate = 0.1;    // of linear rows, likelihood
    std::uint64_t seed = 1;
};

class TensorTrainer {
public:
    // With `sparse`, features of the arcs of the same sentences, linear rows are added to the scores of the first order
    // and learn with the factors. All must outlive the trainer.
    TensorTrainer(const LabelledTrees& trees, const LabelCandidates& candidates, TensorSettings settings,
                  const ArcFeatures* sparse = nullptr);

    // One pass over the sentences in the given order. By likelihood: in batches, a step of Adam each, whose rate falls
    // from `first` to `last` of itself, with a snapshot for the average after every `stride` sentences (0: none). By
    // hinge loss: a step for each sentence.
    void epoch(std::span<const std::uint32_t> order, std::size_t batch, double first, double last, std::size_t stride);
    // The averaged weights take the place of the last ones.
    void use_average();
    // Adds the gradient of the loss of one sentence to the parameters; returns the loss.
    double add_loss(std::size_t sentence);

    struct Frozen {
        learn::FactorTable table;
        std::vector<float> upper, lower;
        std::optional<learn::Table> sparse;
    };
    // Rows without a number above `floor` steps of the quantised ones are left out.
    [[nodiscard]] Frozen freeze(int floor) const;

    [[nodiscard]] double loss() const noexcept { return loss_; }  // of all sentences since clear_loss()
    void clear_loss() noexcept { loss_ = 0; }
    [[nodiscard]] std::size_t sentences() const noexcept { return trees_.size(); }
    // To be called where parameters were changed from outside.
    void refresh();

private:
    struct Lanes {
        std::size_t begin, width;
    };
    void start();
    void start_by_decomposition();
    [[nodiscard]] std::vector<learn::Parameters*> parts() noexcept {
        return {&rows, &starts, &outputs, &upper, &lower};
    }
    [[nodiscard]] float* vector(std::vector<float>& of, Role role, Node node) noexcept {
        return of.data() + static_cast<std::size_t>(node) * width_ + lanes_[role].begin;
    }
    // The vectors of all buckets and labels: what a label has in all buckets and in that one. Recomputed after a step.
    struct LabelVectors {
        std::vector<float> values;
        std::size_t lanes = 0;
    };
    [[nodiscard]] LabelVectors summed(const learn::Parameters& of) const;
    [[nodiscard]] const float* label_vector(const LabelVectors& of, std::uint32_t bucket, Label label) const noexcept {
        return of.values.data() + (std::size_t{bucket} * trees_.labels() + label) * of.lanes;
    }
    void add_label_gradient(learn::Parameters& of, std::uint32_t bucket, Label label, const float* gradient);
    void project(std::size_t sentence);
    // Scores of all candidates of single arcs, by the vectors of nodes.
    void score();
    void list_candidates();
    [[nodiscard]] std::uint32_t bucket(Node node) const noexcept { return bucket_of(tree_.head(node), node, buckets_); }
    void second_product(Node node);
    bool pair_scores(Node node, std::span<float> scores);
    // Scores with those that contradict gold labels out of reach.
    void hold_to_gold();
    double add_likelihood();
    double add_hinge();
    double score_of(std::span<const std::uint32_t> chosen);
    void add_choice(std::span<const std::uint32_t> chosen, float amount);
    // From change_, the gradient by the scores of single labels, to that of the vectors that they were computed from.
    void back_first();
    void back_pairs(Node node, std::span<const float> change);
    void hand_on();
    void take_passive_aggressive_step(double loss);
    void add_sparse_scores(std::size_t sentence);
    void add_sparse_gradient(std::size_t sentence);
    [[nodiscard]] double sparse_squared_length();
    [[nodiscard]] ArcCandidates candidates() const noexcept { return {begins_}; }
    [[nodiscard]] Label label_at(Node node, std::size_t number) const noexcept {
        return labels_of_[static_cast<std::size_t>(node)][number];
    }

    const LabelledTrees& trees_;
    const LabelCandidates& candidates_;
    TensorSettings settings_;
    std::vector<Lanes> lanes_;  // of each role in a row
    std::size_t width_;
    std::uint32_t buckets_;
    Random random_;
    std::uint64_t steps_ = 0, snapshots_ = 0;
    double loss_ = 0;

    // Of one sentence.
    corpus::Tree tree_;
    std::span<const LabelledTrees::Arc> arcs_;
    std::vector<learn::Feature> kept_;      // features that were not dropped
    std::vector<std::size_t> kept_begins_;  // of each node
    std::vector<float> vectors_, back_;     // of each node: all roles
    std::vector<std::uint32_t> begins_;     // of the candidates of each node
    std::vector<std::span<const Label>> labels_of_;
    std::vector<float> scores_, held_, chances_, change_;
    std::vector<float> product_, sum_, some_, pairs_;
    std::vector<std::uint32_t> best_, gold_;
    // Linear rows: the learner of the room `learn`, and the gradient of this step.
    const ArcFeatures* sparse_features_;
    std::optional<learn::Learner<float, learn::SparseWeights>> sparse_;
    std::vector<learn::ScoreGradient<float>> sparse_gradient_;
    std::vector<float> sparse_scores_;
    std::vector<std::pair<std::uint64_t, float>> sparse_sums_;  // of the gradient, by feature and label
    LabelVectors output_vectors_, upper_vectors_, lower_vectors_;
    TreeLabels decoder_;

public:
    learn::Parameters rows;     // a row per feature: its numbers in all roles
    learn::Parameters starts;   // one row: the vectors before the first feature
    learn::Parameters outputs;  // per label, then per bucket and label
    learn::Parameters upper, lower;
};

}  // namespace laconic::label
