#pragma once
// A classifier that learns online: decisions come one at a time, from states that its own mistakes lead to.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "learn/freeze.hpp"
#include "learn/key.hpp"
#include "learn/learner.hpp"
#include "learn/table.hpp"
#include "transition/context.hpp"

namespace laconic::transition {

using learn::Label;

class Pupil {
    using Dense = learn::Learner<float, learn::DenseWeights>;
    using Sparse = learn::Learner<float, learn::SparseWeights>;

    template <class Use>
    decltype(auto) visit(Use&& use) {
        if (Dense* dense = std::get_if<Dense>(&learner_)) return use(*dense);
        return use(std::get<Sparse>(learner_));
    }

public:
    Pupil(const features::Plan& plan, std::size_t labels, learn::Settings settings)
        : plan_(&plan), labels_(labels), settings_(std::move(settings)), depth_(plan.size()) {}

    // Counts the features of a decision. `sentence` numbers the sentences from 1 on; a decision off the gold path
    // counts only what the path itself did not show in the same sentence.
    void count(StateContext& context, std::uint32_t sentence, bool on_path) {
        keys_.clear();
        ends_.clear();
        for (std::size_t j = 0; j < plan_->size(); ++j) {
            learn::visit_keys(*plan_, j, context, [&](std::uint64_t key) {
                counted_.prefetch(key);
                keys_.push_back(key);
            });
            ends_.push_back(static_cast<std::uint32_t>(keys_.size()));
        }
        std::size_t at = 0;
        for (std::size_t j = 0; j < ends_.size(); ++j)
            for (; at < ends_[j]; ++at) {
                if (!on_path) {
                    const learn::Feature known = counted_.find(keys_[at]);
                    if (known != learn::no_feature && seen_in_[known] == sentence) continue;
                }
                const learn::Feature feature = counted_.count(keys_[at], static_cast<std::uint16_t>(j));
                if (feature >= seen_in_.size()) seen_in_.resize(feature + 1);
                if (on_path) seen_in_[feature] = sentence;
            }
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
        if (labels_ > learn::max_dense_labels)
            learner_.emplace<Sparse>(settings_, index_.size(), labels_, static_cast<std::uint32_t>(plan_->size()));
        else
            learner_.emplace<Dense>(settings_, index_.size(), labels_, static_cast<std::uint32_t>(plan_->size()));
        depth_ = plan_->size();
    }
    // Templates [first, depth) learn from here on.
    void start(learn::Stage stage) {
        depth_ = stage.depth;
        visit([&](auto& learner) { learner.start(stage); });
    }

    // One decision: looks at it, learns from it, and says which candidate looked best before.
    Label step(StateContext& context, std::span<const Label> gold, std::span<const Label> candidates) {
        const learn::FeatureRun run = read(context);
        return visit([&](auto& learner) {
            learner.prefetch(run);
            learner.step(run, gold, candidates);
            return best(learner.scores(), candidates);
        });
    }
    // The gradient of the score of one label, for losses of whole ways through a sentence.
    void push(StateContext& context, Label label, float amount) {
        const learn::FeatureRun run = read(context);
        visit([&](auto& learner) { learner.push(run, label, amount); });
    }
    // The candidate that looks best, nothing learned.
    Label predict(StateContext& context, std::span<const Label> candidates) {
        const learn::FeatureRun run = read(context);
        return visit([&]<class Real, template <class> class W>(learn::Learner<Real, W>& learner) {
            scores_.resize(labels_);
            learner.score(run, static_cast<std::uint32_t>(depth_), scores_);
            return best(std::span<const Real>(scores_), candidates);
        });
    }
    // The candidate that leads by `margin` first, at the exits of training.
    Label predict_early(StateContext& context, std::span<const Label> candidates, float margin) {
        const learn::FeatureRun run = read(context);
        return visit([&]<class Real, template <class> class W>(learn::Learner<Real, W>& learner) {
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

    // What the last prediction saw of a label.
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
    [[nodiscard]] learn::Table freeze(int floor) {
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
    // All keys first, then all look-ups: their ways from memory overlap.
    learn::FeatureRun read(StateContext& context) {
        keys_.clear();
        ends_.clear();
        features_.clear();
        for (std::size_t j = 0; j < depth_; ++j) {
            learn::visit_keys(*plan_, j, context, [&](std::uint64_t key) {
                index_.prefetch(key);
                keys_.push_back(key);
            });
            ends_.push_back(static_cast<std::uint32_t>(keys_.size()));
        }
        std::size_t at = 0;
        for (std::uint32_t& end : ends_) {
            for (; at < end; ++at)
                if (const learn::Feature feature = index_.find(keys_[at]); feature != learn::no_feature)
                    features_.push_back(feature);
            end = static_cast<std::uint32_t>(features_.size());
        }
        return {features_, ends_};
    }

    const features::Plan* plan_;
    std::size_t labels_;
    learn::Settings settings_;
    std::size_t depth_;
    learn::FeatureIndex index_, counted_;
    std::vector<std::uint32_t> seen_in_;  // by feature counted: the last sentence whose gold path showed it
    std::variant<std::monostate, Dense, Sparse> learner_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> ends_;
    std::vector<learn::Feature> features_;
    std::vector<float> scores_;
};

}  // namespace laconic::transition
