// The steps of training: what changes the weights of a labeler, and their averages.

#include <algorithm>
#include <cmath>
#include <utility>

#include "label/tensor_trainer.hpp"

namespace laconic::label {

// Of the gradient of linear rows. Several arcs may have a feature.
double TensorTrainer::sparse_squared_length() {
    sparse_sums_.clear();
    for (const learn::ScoreGradient<float>& one : sparse_gradient_)
        for (const learn::Feature feature : one.run.features)
            sparse_sums_.emplace_back(std::uint64_t{feature} << 16 | one.label, one.amount);
    std::ranges::stable_sort(sparse_sums_, {}, &std::pair<std::uint64_t, float>::first);
    double length = 0;
    for (std::size_t i = 0; i < sparse_sums_.size();) {
        const std::uint64_t weight = sparse_sums_[i].first;
        double sum = 0;
        for (; i < sparse_sums_.size() && sparse_sums_[i].first == weight; ++i) sum += sparse_sums_[i].second;
        length += sum * sum;
    }
    return length;
}

// One step for all parts at once: the gradient has one length.
void TensorTrainer::take_passive_aggressive_step(double loss) {
    double length = sparse_squared_length();
    for (const learn::Parameters* some : parts()) length += some->squared_length();
    const double amount = loss > 0 && length > 0 ? std::min(settings_.largest_step, loss / length) : 0.0;
    for (learn::Parameters* some : parts())
        if (amount > 0)
            some->descend(static_cast<float>(amount), static_cast<float>(steps_));
        else
            some->forget();
    ++steps_;
    if (amount > 0) refresh();
    if (!sparse_) return;
    for (learn::ScoreGradient<float>& one : sparse_gradient_) one.amount *= static_cast<float>(amount);
    sparse_->update(sparse_gradient_);
    sparse_gradient_.clear();
}

void TensorTrainer::epoch(std::span<const std::uint32_t> order, std::size_t batch, double first, double last,
                          std::size_t stride) {
    if (settings_.loss == TreeLoss::hinge) {
        for (const std::uint32_t sentence : order) take_passive_aggressive_step(add_loss(sentence));
        return;
    }
    std::size_t since = 0;
    for (std::size_t i = 0; i < order.size(); i += batch) {
        const auto some = order.subspan(i, std::min(batch, order.size() - i));
        for (const std::uint32_t sentence : some) (void)add_loss(sentence);
        ++steps_;
        const double share = first + (last - first) * static_cast<double>(i) / static_cast<double>(order.size());
        const double early = 1.0 - std::pow(settings_.first_decay, static_cast<double>(steps_));
        const double late = std::sqrt(1.0 - std::pow(settings_.second_decay, static_cast<double>(steps_)));
        const learn::AdamStep step{static_cast<float>(settings_.rate * share * late / early),
                                   static_cast<float>(settings_.first_decay),
                                   static_cast<float>(settings_.second_decay), static_cast<float>(settings_.epsilon)};
        for (learn::Parameters* part : parts()) part->step(step);
        refresh();
        if (sparse_) sparse_->update(sparse_gradient_);
        sparse_gradient_.clear();
        since += some.size();
        if (stride > 0 && since >= stride) {
            ++snapshots_;
            for (learn::Parameters* part : parts()) part->snapshot();
            if (sparse_) sparse_->snapshot(sparse_features_->index());
            since = 0;
        }
    }
}

void TensorTrainer::use_average() {
    for (learn::Parameters* part : parts())
        if (settings_.loss == TreeLoss::hinge)
            part->use_average_of_steps(steps_);
        else
            part->use_average(snapshots_);
    snapshots_ = 0;
    refresh();
}

}  // namespace laconic::label
