#pragma once
// The trainer of hidden rows: the sum of rows is the first layer of a small network, with a squared rectifier and an
// output layer at each exit. Decisions are learned in batches, so that a task may take them as it goes: one decision
// of each of several sentences, say.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "learn/examples.hpp"
#include "learn/parameters.hpp"
#include "learn/shape.hpp"

namespace laconic::learn {

struct NetworkSettings {
    std::uint32_t units = 64;
    double rate = 0.002;
    double first_decay = 0.9;
    double second_decay = 0.99;
    double epsilon = 1e-8;
    double row_dropout = 0.1;
    double unit_dropout = 0.1;
    double exit_weight = 0.3;  // of the loss at each exit but the last, whose weight is 1
    std::uint64_t seed = 1;
};

class Network {
public:
    Network(Shape shape, NetworkSettings settings, std::size_t features, std::size_t labels);

    // Word vectors to start from: a row of units for each atom, for the features of factored templates with that seed.
    void start_from(const FeatureIndex& index, std::uint64_t seed, std::span<const Atom> atoms,
                    std::span<const float> vectors);

    // Reads a batch: hidden units and scores at every exit, with dropout.
    void read(std::span<const FeatureRun> batch);
    // The score of a label at an exit, of a decision of the batch.
    [[nodiscard]] float score(std::size_t decision, std::size_t exit, Label label) const noexcept;
    // The best candidate at the last exit.
    [[nodiscard]] Label best(std::size_t decision, std::span<const Label> candidates) const noexcept;
    // Adds the loss of one choice in a decision of the batch, at every exit: softmax over the candidates, the
    // probability of the gold set is to be one. A decision may have several: a move and its label, say.
    void add_loss(std::size_t decision, std::span<const Label> gold, std::span<const Label> candidates);
    // Adds the slope of a loss of the caller's own in the score of a label at an exit.
    void add_slope(std::size_t decision, std::size_t exit, Label label, float slope);
    // One step of Adam on the gradient of all losses added; `share` of the full rate.
    void learn(double share);
    // Only the gradients of the losses added; a step would follow. For tests against finite differences.
    void backward();

    void snapshot();
    void use_average();  // replaces the last weights by the average of the snapshots, if there were any

    // How Adam moves in the step to come, at a share of the full rate.
    [[nodiscard]] AdamStep next_step(double share) const;

    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] std::size_t units() const noexcept { return settings_.units; }
    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t features() const noexcept { return rows.rows(); }
    [[nodiscard]] double keep() const noexcept { return 1.0 - settings_.row_dropout; }
    // What the hidden units stay below in all decisions of this epoch but one in ten thousand: a few that are brighter
    // by far would make the frozen units of all others coarse.
    [[nodiscard]] float brightest() const noexcept;
    [[nodiscard]] double loss() const noexcept { return loss_; }  // of all choices in this epoch
    // Forgets the losses and the brightness of the decisions before.
    void begin_epoch() noexcept {
        loss_ = 0;
        brightness_.fill(0);
    }

private:
    struct Touch {  // one feature of one decision that was not dropped
        Feature feature;
        std::uint32_t decision;
        std::int32_t group;
    };

    [[nodiscard]] float* hidden(std::size_t exit, std::size_t decision) noexcept {
        return hidden_.data() + (exit * size_ + decision) * settings_.units;
    }
    [[nodiscard]] const float* active(std::size_t exit, std::size_t decision) const noexcept {
        return active_.data() + (exit * size_ + decision) * settings_.units;
    }
    void back_from(std::size_t exit);

    Shape shape_;
    NetworkSettings settings_;
    std::size_t labels_;
    Random random_;
    std::uint64_t steps_ = 0;
    std::uint64_t snapshots_ = 0;
    double loss_ = 0;
    std::array<std::uint64_t, 2048> brightness_{};  // decisions by the leading bits of their brightest unit

    std::size_t size_ = 0;  // decisions in the batch
    std::size_t losses_ = 0;
    std::vector<std::vector<Touch>> touches_, by_group_;  // by exit; of one exit, by matrix
    std::vector<float> inputs_;                           // of each matrix: sums of vectors, a row per decision
    std::vector<float> hidden_, active_, back_active_, back_;
    std::vector<float> back_inputs_, transposed_;
    std::vector<float> chances_;

public:
    Parameters rows;      // a row per feature: hidden units of a direct one, the vector of a factored one
    Parameters matrices;  // a row of units * units numbers each
    Parameters start;     // hidden units before the first template
    Parameters outputs;   // a row of units per exit and label
    Parameters offsets;   // a number per exit and label
};

// One pass over finished examples in the given order, in batches; the rate falls from `first` to `last` of itself.
// A snapshot for the average is taken after every `stride` examples (0: none).
void learn_epoch(Network& network, const Examples& examples, std::span<const std::uint32_t> order, std::size_t batch,
                 double first, double last, std::size_t stride);

}  // namespace laconic::learn
