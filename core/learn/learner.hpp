#pragma once
// The trainer of the dynamic prefix classifier. It sees one decision at a time: examples from arrays, or a task that
// makes them as it goes.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "learn/examples.hpp"
#include "learn/labels.hpp"
#include "learn/loss.hpp"
#include "learn/settings.hpp"
#include "learn/weights.hpp"

namespace laconic::learn {

// Which templates take part: scores use [0, depth), steps change [first, depth). Stagewise and fixed training move
// these bounds.
struct Stage {
    std::uint32_t first;
    std::uint32_t depth;
};

// Part of the gradient of a loss of several decisions: of the score of one label, after all templates, in the decision
// with these features.
template <class Real>
struct ScoreGradient {
    FeatureRun run;
    Label label;
    Real amount;
};

template <class Real, template <class> class Weights>
class Learner {
public:
    Learner(Settings settings, std::size_t features, std::size_t labels, std::uint32_t templates)
        : settings_(std::move(settings)),
          rule_{settings_.update, static_cast<Real>(settings_.rate), static_cast<Real>(settings_.l2),
                static_cast<Real>(settings_.stability)},
          loss_function_(settings_.loss, settings_.margin),
          weights_(features, labels),
          features_(features),
          labels_(labels),
          templates_(templates),
          stage_{0, templates},
          scores_(labels),
          gradient_(labels),
          touched_(labels) {}

    // From here on the given templates learn; time, and with it the decay of regularisation, starts anew for them.
    void start(Stage stage) {
        frozen_time_.resize(stage.first, time_);
        stage_ = stage;
        time_ = 0;
    }

    // One decision. The loss is taken at the exits up to where the mode ends it; each template gets the sum of
    // the gradients of all prefixes that contain it. Cost: templates * labels.
    void step(const FeatureRun& run, std::span<const Label> gold, std::span<const Label> candidates) {
        std::ranges::fill(scores_, Real{0});
        pieces_.clear();
        for (std::uint32_t j = 0, exit = 0; j < stage_.depth; ++j) {
            for (const Feature feature : run[j]) weights_.add_to(feature, rule_, time_of(j), scores_);
            const std::uint32_t depth = j + 1;
            if (depth < stage_.depth) {
                if (settings_.mode == Mode::full || depth <= stage_.first) continue;
                while (exit < settings_.exits.size() && settings_.exits[exit] < depth) ++exit;
                if (exit == settings_.exits.size() || settings_.exits[exit] != depth) continue;
            }
            const bool satisfied = loss_function_(std::span<const Real>(scores_), gold, candidates, loss_,
                                                  [&](Label y, Real amount) { pieces_.push_back({depth, y, amount}); });
            if (satisfied && settings_.mode == Mode::truncated) break;
        }
        time_ += 1;
        back_propagate(run);
    }

    // One step of a loss of several decisions (max-violation, MIRA, passive-aggressive): the gradient of each weight is
    // summed before it is applied once, so that parts that cancel change nothing, and time and averages count losses,
    // not decisions. An empty span is a step too: a loss of zero. Cost: gradients * features, sorted.
    void update(std::span<const ScoreGradient<Real>> gradients) {
        sum_changes(gradients);
        apply_changes(Real{1});
    }
    // The same, but the gradient is scaled: by `loss` over its squared length. With additive steps of rate 1 that is
    // the smallest step after which a hinge loss with this gradient is zero (MIRA with one constraint), or `most` of
    // the gradient where that is less (passive-aggressive steps).
    void update_least(std::span<const ScoreGradient<Real>> gradients, Real loss,
                      Real most = std::numeric_limits<Real>::max()) {
        sum_changes(gradients);
        Real squares = 0;
        for (const Change& one : changes_) squares += one.amount * one.amount;
        apply_changes(squares > Real{0} ? std::min(most, loss / squares) : Real{0});
    }

    // Scores of the current weights after `depth` templates.
    void score(const FeatureRun& run, std::uint32_t depth, std::span<Real> scores) const {
        std::ranges::fill(scores, Real{0});
        for (std::uint32_t j = 0; j < depth; ++j)
            for (const Feature feature : run[j]) weights_.add_to(feature, rule_, time_of(j), scores);
    }

    // The scores that the last step saw at its last exit, before it changed the weights.
    [[nodiscard]] std::span<const Real> scores() const noexcept { return scores_; }

    void prefetch(const FeatureRun& run) const noexcept {
        for (const Feature feature : run.features) weights_.prefetch(feature);
    }

    // Adds the weights that are learning to their running average (adagrad only: perceptron averages by itself).
    void snapshot(const FeatureIndex& index) {
        if (!settings_.average || settings_.update == Update::perceptron) return;
        snapshots_.resize(stage_.depth);
        for (std::uint32_t j = stage_.first; j < stage_.depth; ++j) ++snapshots_[j];
        for (Feature feature = 0; feature < features_; ++feature) {
            const std::uint16_t j = index.template_of(feature);
            if (j >= stage_.first && j < stage_.depth) weights_.snapshot(feature, rule_, time_of(j));
        }
    }

    // The weights of one feature, averaged if the settings say so. `row` has one element per label.
    void final_row(Feature feature, std::uint16_t template_index, std::span<double> row) const {
        std::ranges::fill(row, 0.0);
        const Real time = time_of(template_index);
        const bool averaged = settings_.average && settings_.update == Update::perceptron;
        weights_.visit(feature, [&](Label y, Real first, Real second, double total) {
            if (template_index < snapshots_.size())
                row[y] = total / static_cast<double>(snapshots_[template_index]);
            else if (averaged && time > Real{0})
                row[y] = static_cast<double>(first) - static_cast<double>(second) / static_cast<double>(time);
            else
                row[y] = static_cast<double>(rule_.value(first, second, time));
        });
    }

    // What the final weights say of an example before they are frozen. Cost: templates * labels.
    [[nodiscard]] Label predict(const Examples& examples, std::size_t example) const {
        std::vector<double> scores(labels_), row(labels_);
        for (const Feature feature : examples.run(example).features) {
            final_row(feature, examples.index.template_of(feature), row);
            std::ranges::transform(scores, row, scores.begin(), std::plus<>());
        }
        const std::span<const Label> likely = examples.candidates(example);
        return *std::ranges::max_element(likely, {}, [&](Label y) { return scores[y]; });
    }

    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t features() const noexcept { return features_; }
    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] double loss() const noexcept { return loss_; }  // summed over the steps since clear_loss()
    void clear_loss() noexcept { loss_ = 0; }

private:
    struct Piece {  // part of the gradient of the prefix of `depth` templates
        std::uint32_t depth;
        Label label;
        Real amount;
    };

    [[nodiscard]] Real time_of(std::uint32_t template_index) const noexcept {
        return static_cast<Real>(template_index < frozen_time_.size() ? frozen_time_[template_index] : time_);
    }

    // Sums the pieces from the longest prefix down and hands each template its share.
    void back_propagate(const FeatureRun& run) {
        active_.clear();
        std::size_t left = pieces_.size();
        for (std::uint32_t j = stage_.depth; j-- > stage_.first;) {
            for (; left > 0 && pieces_[left - 1].depth == j + 1; --left) {
                const Piece& piece = pieces_[left - 1];
                if (!touched_[piece.label]) {
                    touched_[piece.label] = 1;
                    active_.push_back(piece.label);
                }
                gradient_[piece.label] += piece.amount;
            }
            if (active_.empty()) continue;
            for (const Feature feature : run[j])
                for (const Label y : active_)
                    if (gradient_[y] != Real{0})
                        weights_.step(feature, y, rule_, gradient_[y], static_cast<Real>(time_));
        }
        for (const Label y : active_) gradient_[y] = Real{0}, touched_[y] = 0;
    }

    struct Change {  // of one weight
        Feature feature;
        Label label;
        Real amount;
    };

    // What each weight that a gradient touches is to be changed by, once.
    void sum_changes(std::span<const ScoreGradient<Real>> gradients) {
        changes_.clear();
        for (const ScoreGradient<Real>& one : gradients)
            for (std::uint32_t j = stage_.first; j < stage_.depth; ++j)
                for (const Feature feature : one.run[j]) changes_.push_back({feature, one.label, one.amount});
        std::ranges::stable_sort(changes_, [](const Change& a, const Change& b) {
            return a.feature != b.feature ? a.feature < b.feature : a.label < b.label;
        });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < changes_.size();) {
            Change sum = changes_[i];
            while (++i < changes_.size() && changes_[i].feature == sum.feature && changes_[i].label == sum.label)
                sum.amount += changes_[i].amount;
            if (sum.amount != Real{0}) changes_[kept++] = sum;
        }
        changes_.resize(kept);
    }
    void apply_changes(Real scale) {
        time_ += 1;
        for (const Change& one : changes_)
            weights_.step(one.feature, one.label, rule_, scale * one.amount, static_cast<Real>(time_));
    }

    Settings settings_;
    Rule<Real> rule_;
    DecisionLoss<Real> loss_function_;
    Weights<Real> weights_;
    std::size_t features_, labels_, templates_;
    Stage stage_;
    std::uint64_t time_ = 0;                  // steps so far
    std::vector<std::uint64_t> frozen_time_;  // when templates before the stage stopped learning
    std::vector<Real> scores_, gradient_;
    std::vector<std::uint8_t> touched_;
    std::vector<Label> active_;
    std::vector<Piece> pieces_;
    std::vector<Change> changes_;
    std::vector<std::uint64_t> snapshots_;  // taken of each template
    double loss_ = 0;
};

// One pass over the examples in the given order, with a snapshot for the average after every `stride` of them (0:
// none).
template <class L>
void learn_epoch(L& learner, const Examples& examples, std::span<const std::uint32_t> order, std::size_t stride) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i + 1 < order.size()) learner.prefetch(examples.run(order[i + 1]));
        learner.step(examples.run(order[i]), examples.gold(order[i]), examples.candidates(order[i]));
        if (stride > 0 && (i + 1) % stride == 0) learner.snapshot(examples.index);
    }
}

}  // namespace laconic::learn
