#pragma once
// A linear classifier that learns online: decisions come one at a time, from contexts that its own mistakes lead to.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "learn/feature_reader.hpp"
#include "learn/freeze.hpp"
#include "learn/learner.hpp"
#include "learn/table.hpp"

namespace laconic::learn {

// The gradient of a loss of several decisions, with the features of each: what OnlineClassifier::update() takes.
class GradientSum {
public:
    void clear() noexcept {
        features_.clear();
        ends_.clear();
        parts_.clear();
    }
    // The score of a label in the decision with these features, times `amount`.
    void add(const FeatureRun& run, Label label, float amount) {
        parts_.push_back({features_.size(), ends_.size(), run.features.size(), run.ends.size(), label, amount});
        features_.insert(features_.end(), run.features.begin(), run.features.end());
        ends_.insert(ends_.end(), run.ends.begin(), run.ends.end());
    }
    [[nodiscard]] std::vector<ScoreGradient<float>> gradients() const {
        std::vector<ScoreGradient<float>> all;
        all.reserve(parts_.size());
        for (const Part& one : parts_)
            all.push_back({{std::span(features_).subspan(one.features, one.feature_count),
                            std::span(ends_).subspan(one.ends, one.end_count)},
                           one.label,
                           one.amount});
        return all;
    }

private:
    struct Part {
        std::size_t features, ends, feature_count, end_count;
        Label label;
        float amount;
    };
    std::vector<Feature> features_;
    std::vector<std::uint32_t> ends_;
    std::vector<Part> parts_;
};

class OnlineClassifier {
    using Dense = Learner<float, DenseWeights>;
    using Sparse = Learner<float, SparseWeights>;

    template <class Use>
    decltype(auto) visit(Use&& use) {
        if (Dense* dense = std::get_if<Dense>(&learner_)) return use(*dense);
        return use(std::get<Sparse>(learner_));
    }

public:
    OnlineClassifier(const Plan& plan, std::size_t labels, Settings settings)
        : plan_(&plan), labels_(labels), settings_(std::move(settings)), depth_(plan.size()) {}

    // Counts the features of a decision. `sentence` numbers the sentences from 1 on; a decision off the gold path
    // counts only what the path itself did not show in the same sentence.
    template <Context C>
    void count(C& context, std::uint32_t sentence, bool on_path) {
        reader_.read(*plan_, context, plan_->size(), counted_);
        reader_.each_key([&](std::uint64_t key, std::uint16_t template_index) {
            if (!on_path) {
                const Feature known = counted_.find(key);
                if (known != no_feature && seen_in_[known] == sentence) return;
            }
            const Feature feature = counted_.count(key, template_index);
            if (feature >= seen_in_.size()) seen_in_.resize(feature + 1);
            if (on_path) seen_in_[feature] = sentence;
        });
    }
    // Starts learning anew with the features seen at least so often. With `keep`, counting may go on from there.
    void begin(std::uint32_t cutoff, bool keep) {
        if (keep) {
            index_ = counted_;
        } else {
            index_ = std::exchange(counted_, {});
            seen_in_ = {};
        }
        index_.cut(cutoff);
        if (labels_ > max_dense_labels)
            learner_.emplace<Sparse>(settings_, index_.size(), labels_, static_cast<std::uint32_t>(plan_->size()));
        else
            learner_.emplace<Dense>(settings_, index_.size(), labels_, static_cast<std::uint32_t>(plan_->size()));
        depth_ = plan_->size();
    }
    // Templates [first, depth) learn from here on.
    void start(Stage stage) {
        depth_ = stage.depth;
        visit([&](auto& learner) { learner.start(stage); });
    }

    // The features of a decision as update() takes them; valid until the next decision is read.
    template <Context C>
    FeatureRun read(C& context) {
        reader_.read(*plan_, context, depth_, index_);
        return reader_.look_up(index_);
    }
    // Learns from one decision, and tells which candidate looked best before.
    template <Context C>
    Label step(C& context, std::span<const Label> gold, std::span<const Label> candidates) {
        const FeatureRun run = read(context);
        return visit([&](auto& learner) {
            learner.prefetch(run);
            learner.step(run, gold, candidates);
            return best(learner.scores(), candidates);
        });
    }
    // Learns from a loss of several decisions, in one step (see Learner::update).
    void update(std::span<const ScoreGradient<float>> gradients) {
        visit([&](auto& learner) { learner.update(gradients); });
    }
    // The candidate that looks best; nothing is learned.
    template <Context C>
    Label predict(C& context, std::span<const Label> candidates) {
        const FeatureRun run = read(context);
        return visit([&]<class Real, template <class> class W>(Learner<Real, W>& learner) {
            scores_.resize(labels_);
            learner.score(run, static_cast<std::uint32_t>(depth_), scores_);
            return best(std::span<const Real>(scores_), candidates);
        });
    }
    // The candidate that leads by `margin` first, at the exits of training.
    template <Context C>
    Label predict_early(C& context, std::span<const Label> candidates, float margin) {
        const FeatureRun run = read(context);
        return visit([&]<class Real, template <class> class W>(Learner<Real, W>& learner) {
            scores_.resize(labels_);
            Label label = candidates[0];
            for (const std::uint32_t depth : settings_.exits) {
                if (depth > depth_) break;
                learner.score(run, depth, scores_);
                label = best(std::span<const Real>(scores_), candidates);
                const bool sure = std::ranges::all_of(
                    candidates, [&](Label y) { return y == label || scores_[label] - scores_[y] >= margin; });
                if (sure) break;
            }
            return label;
        });
    }

    // The score that the last prediction gave to a label.
    [[nodiscard]] float score_of(Label label) const noexcept { return scores_[label]; }

    void snapshot() {
        visit([&](auto& learner) { learner.snapshot(index_); });
    }
    double take_loss() {
        return visit([](auto& learner) {
            const double loss = learner.loss();
            learner.clear_loss();
            return loss;
        });
    }
    [[nodiscard]] Table freeze(int floor) {
        return visit([&](auto& learner) { return learn::freeze(learner, index_, plan_->size(), floor); });
    }
    [[nodiscard]] std::size_t features() const noexcept { return index_.size(); }
    [[nodiscard]] std::size_t templates() const noexcept { return plan_->size(); }
    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] bool begun() const noexcept { return !std::holds_alternative<std::monostate>(learner_); }

private:
    template <class Real>
    static Label best(std::span<const Real> scores, std::span<const Label> candidates) {
        return *std::ranges::max_element(candidates, {}, [&](Label y) { return scores[y]; });
    }

    const Plan* plan_;
    std::size_t labels_;
    Settings settings_;
    std::size_t depth_;
    FeatureIndex index_, counted_;
    std::vector<std::uint32_t> seen_in_;  // by feature counted: the last sentence whose gold path showed it
    std::variant<std::monostate, Dense, Sparse> learner_;
    FeatureReader reader_;
    std::vector<float> scores_;
};

}  // namespace laconic::learn
