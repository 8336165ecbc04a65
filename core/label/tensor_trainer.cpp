#include "label/tensor_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/wide.hpp"
#include "label/pair_tensor.hpp"
#include "learn/matrix.hpp"

namespace laconic::label {

namespace {

constexpr float out_of_reach = -1e6F;    // a score that no sum of others makes up for
constexpr float negligible = 1e-6F;      // a probability whose gradient is not worth its time
constexpr std::size_t most_sweeps = 20;  // of power iteration, for each component

std::size_t padded(std::size_t rank) noexcept {
    return (rank + 31) / 32 * 32;
}

// target[i] += amount * source[i]
LACONIC_WIDE void add_scaled(float* target, const float* source, float amount, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) target[i] += amount * source[i];
}

// target[i] += left[i] * right[i]
LACONIC_WIDE void add_products(float* target, const float* left, const float* right, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) target[i] += left[i] * right[i];
}

std::size_t row_width(const TensorSettings& settings) noexcept {
    return first_order_roles * padded(settings.first) + (all_roles - first_order_roles) * padded(settings.second);
}

}  // namespace

TensorTrainer::TensorTrainer(const LabelledTrees& trees, const LabelCandidates& candidates, TensorSettings settings,
                             const ArcFeatures* sparse)
    : trees_(trees),
      candidates_(candidates),
      settings_(settings),
      width_(row_width(settings)),
      buckets_(settings.length ? length_buckets : direction_buckets),
      random_(settings.seed),
      sparse_features_(sparse),
      rows(trees.index().size(), width_),
      starts(1, width_),
      outputs((1 + buckets_) * trees.labels(), padded(settings.first)),
      upper((1 + buckets_) * trees.labels(), padded(settings.second)),
      lower((1 + buckets_) * trees.labels(), padded(settings.second)) {
    std::size_t begin = 0;
    for (std::size_t role = 0; role < (settings_.second > 0 ? all_roles : first_order_roles); ++role) {
        const std::size_t width = padded(role < first_order_roles ? settings_.first : settings_.second);
        lanes_.push_back({begin, width});
        begin += width;
    }
    start();
    if (settings_.start == FactorStart::decomposition) start_by_decomposition();
    refresh();
    if (sparse == nullptr) return;
    // One step for the factors and the rows together: with hinge loss its length is that of the whole gradient.
    const bool hinge = settings_.loss == TreeLoss::hinge;
    learn::Settings linear;
    linear.update = hinge ? learn::Update::perceptron : learn::Update::adagrad;
    linear.rate = hinge ? 1.0 : settings_.sparse_rate;
    linear.average = true;
    sparse_.emplace(linear, sparse->index().size(), trees.labels(), static_cast<std::uint32_t>(sparse->templates()));
    sparse_scores_.resize(trees.labels());
}

// The vectors of words start at one in every component, and label vectors near zero: the model starts as an additive
// one, in which every factor has a gradient from the first step on. A product of factors that all start near zero has
// none. Components beyond a rank stay zero in all factors, and so without a gradient.
void TensorTrainer::start() {
    const auto spread = [&](learn::Parameters& of, double deviation) {
        of.scatter(deviation * std::sqrt(3.0), random_);  // even numbers of that deviation
    };
    std::size_t active = 0, nodes = 0;
    for (std::size_t sentence = 0; sentence < trees_.size(); ++sentence)
        for (Node node = 0; node <= static_cast<Node>(trees_.heads(sentence).size()); ++node, ++nodes)
            active += trees_.features(sentence, node).size();
    const double features = nodes == 0 ? 1.0 : std::max(1.0, static_cast<double>(active) / static_cast<double>(nodes));
    spread(rows, 0.1 / std::sqrt(features));
    std::ranges::fill(starts.values(), 1.0F);
    spread(outputs, 0.1);
    spread(lower, 0.1);
    spread(upper, 0.1);
    for (std::size_t label = 0; label < trees_.labels(); ++label)
        for (std::size_t i = 0; i < upper.width(); ++i) upper.values()[label * upper.width() + i] += 1.0F;
    const auto cut = [](learn::Parameters& of, std::size_t begin, std::size_t rank, std::size_t end) {
        for (std::size_t row = 0; row < of.rows(); ++row)
            std::fill(of.values().begin() + static_cast<std::ptrdiff_t>(row * of.width() + begin + rank),
                      of.values().begin() + static_cast<std::ptrdiff_t>(row * of.width() + end), 0.0F);
    };
    for (std::size_t role = 0; role < lanes_.size(); ++role) {
        const std::size_t rank = role < first_order_roles ? settings_.first : settings_.second;
        for (learn::Parameters* some : {&rows, &starts})
            cut(*some, lanes_[role].begin, rank, lanes_[role].begin + lanes_[role].width);
    }
    cut(outputs, 0, settings_.first, outputs.width());
    cut(upper, 0, settings_.second, upper.width());
    cut(lower, 0, settings_.second, lower.width());
}

// All three factors of a component get the same length, so that their gradients are alike.
void TensorTrainer::start_by_decomposition() {
    const SparseTensor pairs = learn_pairs(trees_, candidates_, settings_.largest_step);
    const std::vector<Component> found = decompose(pairs, settings_.first, most_sweeps, random_);
    std::ranges::fill(outputs.values(), 0.0F);
    const std::size_t alone = trees_.index().size();
    for (std::size_t k = 0; k < found.size(); ++k) {
        const auto& [above, below, labels] = found[k];
        double squared = 0;
        for (const float value : labels) squared += static_cast<double>(value) * value;
        const auto even = static_cast<float>(std::cbrt(std::sqrt(squared)));
        for (const auto& [role, values] : {std::pair(head, &above), std::pair(modifier, &below)}) {
            for (std::size_t row = 0; row < alone; ++row)
                rows.values()[row * width_ + lanes_[role].begin + k] = even * (*values)[row];
            starts.values()[lanes_[role].begin + k] = even * (*values)[alone];
        }
        for (std::size_t label = 0; label < labels.size() && even > 0; ++label)
            outputs.values()[label * outputs.width() + k] = labels[label] / (even * even);
    }
}

TensorTrainer::LabelVectors TensorTrainer::summed(const learn::Parameters& of) const {
    const std::size_t labels = trees_.labels(), lanes = of.width();
    LabelVectors result{std::vector<float>(buckets_ * labels * lanes), lanes};
    for (std::size_t row = 0; row < buckets_ * labels; ++row)
        for (std::size_t i = 0; i < lanes; ++i)
            result.values[row * lanes + i] = of[row % labels][i] + of[labels + row][i];
    return result;
}

void TensorTrainer::refresh() {
    output_vectors_ = summed(outputs);
    upper_vectors_ = summed(upper);
    lower_vectors_ = summed(lower);
}

void TensorTrainer::add_label_gradient(learn::Parameters& of, std::uint32_t bucket, Label label,
                                       const float* gradient) {
    learn::add_to(of.gradient(label), gradient, of.width());
    learn::add_to(of.gradient((1 + bucket) * trees_.labels() + label), gradient, of.width());
}

void TensorTrainer::project(std::size_t sentence) {
    tree_.enter(trees_.heads(sentence));
    arcs_ = trees_.arcs(sentence);
    const auto nodes = static_cast<std::size_t>(tree_.words()) + 1;
    vectors_.resize(nodes * width_);
    back_.assign(nodes * width_, 0.0F);
    kept_.clear();
    kept_begins_.assign(1, 0);
    const auto dropped =
        settings_.loss == TreeLoss::hinge ? 0 : static_cast<std::uint32_t>(settings_.row_dropout * 65536.0);
    for (std::size_t node = 0; node < nodes; ++node) {
        float* all = vectors_.data() + node * width_;
        std::copy_n(starts[0], width_, all);
        for (const learn::Feature feature : trees_.features(sentence, static_cast<Node>(node))) {
            if (dropped > 0 && random_.below(65536) < dropped) continue;
            learn::add_to(all, rows[feature], width_);
            kept_.push_back(feature);
        }
        kept_begins_.push_back(kept_.size());
    }
}

void TensorTrainer::list_candidates() {
    begins_.assign(2, 0);
    labels_of_.assign(1, {});
    for (const LabelledTrees::Arc& arc : arcs_) {
        labels_of_.push_back(candidates_.sets()[candidates_.set_of(arc.entry)]);
        begins_.push_back(begins_.back() + static_cast<std::uint32_t>(labels_of_.back().size()));
    }
}

void TensorTrainer::score() {
    const std::size_t lanes = lanes_[modifier].width;
    product_.resize(lanes);
    scores_.clear();
    for (Node m = 1; m <= tree_.words(); ++m) {
        const float* priors = candidates_.priors_of(arcs_[static_cast<std::size_t>(m) - 1].entry);
        learn::multiply(vector(vectors_, modifier, m), vector(vectors_, head, tree_.head(m)), product_.data(), lanes);
        for (std::size_t q = 0; q < candidates().size(m); ++q)
            scores_.push_back(priors[q] + learn::dot(product_.data(),
                                                     label_vector(output_vectors_, bucket(m), label_at(m, q)), lanes));
    }
}

// The product of the three words of an arc with the arc above it, in product_.
void TensorTrainer::second_product(Node node) {
    const std::size_t lanes = lanes_[second_modifier].width;
    const Node h = tree_.head(node);
    product_.resize(lanes);
    learn::multiply(vector(vectors_, second_modifier, node), vector(vectors_, second_head, h), product_.data(), lanes);
    learn::multiply(product_.data(), vector(vectors_, grandparent, tree_.head(h)), product_.data(), lanes);
}

bool TensorTrainer::pair_scores(Node node, std::span<float> scores) {
    if (settings_.second == 0) return false;
    const std::size_t lanes = lanes_[second_modifier].width;
    const Node h = tree_.head(node);
    const std::size_t here = candidates().size(node), above = candidates().size(h);
    if (here == 1 && above == 1) return false;
    second_product(node);
    some_.resize(lanes);
    for (std::size_t q = 0; q < here; ++q) {
        learn::multiply(product_.data(), label_vector(lower_vectors_, bucket(node), label_at(node, q)), some_.data(),
                        lanes);
        for (std::size_t p = 0; p < above; ++p)
            scores[p * here + q] =
                learn::dot(some_.data(), label_vector(upper_vectors_, bucket(h), label_at(h, p)), lanes);
    }
    return true;
}

void TensorTrainer::hold_to_gold() {
    held_.assign(scores_.begin(), scores_.end());
    for (Node m = 1; m <= tree_.words(); ++m) {
        const std::uint32_t gold = arcs_[static_cast<std::size_t>(m) - 1].gold;
        if (gold == LabelledTrees::unlabelled) continue;
        for (std::size_t q = 0; q < candidates().size(m); ++q)
            if (q != gold) held_[candidates().begin(m) + q] = out_of_reach;
    }
}

double TensorTrainer::add_likelihood() {
    chances_.resize(scores_.size());
    const auto pair = [&](Node m, std::span<float> scores) { return pair_scores(m, scores); };
    const auto is_unlabelled = [](const LabelledTrees::Arc& arc) { return arc.gold == LabelledTrees::unlabelled; };
    const bool latent = std::ranges::any_of(arcs_, is_unlabelled);
    double gold_score = 0;
    const double all =
        decoder_.marginals(tree_, candidates(), scores_, pair, chances_, [&](Node m, std::span<const float> chances) {
            pairs_.assign(chances.begin(), chances.end());
            if (!latent) {
                const std::uint32_t p = arcs_[static_cast<std::size_t>(tree_.head(m)) - 1].gold;
                const std::uint32_t q = arcs_[static_cast<std::size_t>(m) - 1].gold;
                pairs_[p * candidates().size(m) + q] -= 1.0F;
            }
            back_pairs(m, pairs_);
        });
    change_.assign(chances_.begin(), chances_.end());
    if (latent) {
        // Labels of arcs with a wrong head are not known: what they add is summed over all of them, given the others.
        hold_to_gold();
        gold_score =
            decoder_.marginals(tree_, candidates(), held_, pair, chances_, [&](Node m, std::span<const float> chances) {
                pairs_.assign(chances.begin(), chances.end());
                for (float& chance : pairs_) chance = -chance;
                back_pairs(m, pairs_);
            });
        for (std::size_t i = 0; i < change_.size(); ++i) change_[i] -= chances_[i];
    } else {
        gold_.assign(1, 0);
        for (const LabelledTrees::Arc& arc : arcs_) gold_.push_back(arc.gold);
        gold_score = score_of(gold_);
        for (Node m = 1; m <= tree_.words(); ++m)
            change_[candidates().begin(m) + gold_[static_cast<std::size_t>(m)]] -= 1.0F;
    }
    back_first();
    return all - gold_score;
}

double TensorTrainer::score_of(std::span<const std::uint32_t> chosen) {
    double sum = 0;
    for (Node m = 1; m <= tree_.words(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        sum += scores_[candidates().begin(m) + chosen[at]];
        const Node h = tree_.head(m);
        if (h == corpus::root) continue;
        pairs_.resize(candidates().size(h) * candidates().size(m));
        if (pair_scores(m, pairs_))
            sum += pairs_[chosen[static_cast<std::size_t>(h)] * candidates().size(m) + chosen[at]];
    }
    return sum;
}

// Adds `amount` times the gradient of the score of one labeling.
void TensorTrainer::add_choice(std::span<const std::uint32_t> chosen, float amount) {
    for (Node m = 1; m <= tree_.words(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        change_[candidates().begin(m) + chosen[at]] += amount;
        const Node h = tree_.head(m);
        if (h == corpus::root || settings_.second == 0) continue;
        pairs_.assign(candidates().size(h) * candidates().size(m), 0.0F);
        pairs_[chosen[static_cast<std::size_t>(h)] * candidates().size(m) + chosen[at]] = amount;
        back_pairs(m, pairs_);
    }
}

double TensorTrainer::add_hinge() {
    const auto pair = [&](Node m, std::span<float> scores) { return pair_scores(m, scores); };
    const auto nodes = static_cast<std::size_t>(tree_.words()) + 1;
    best_.assign(nodes, 0);
    gold_.assign(nodes, 0);
    hold_to_gold();
    decoder_.best(tree_, candidates(), held_, pair, gold_);
    held_.assign(scores_.begin(), scores_.end());
    for (Node m = 1; m <= tree_.words(); ++m) {
        const std::uint32_t gold = arcs_[static_cast<std::size_t>(m) - 1].gold;
        for (std::size_t q = 0; gold != LabelledTrees::unlabelled && q < candidates().size(m); ++q)
            if (q != gold) held_[candidates().begin(m) + q] += 1.0F;
    }
    decoder_.best(tree_, candidates(), held_, pair, best_);
    double cost = 0;
    for (std::size_t m = 1; m < nodes; ++m)
        cost += arcs_[m - 1].gold != LabelledTrees::unlabelled && best_[m] != arcs_[m - 1].gold ? 1.0 : 0.0;
    if (cost == 0) return 0;
    const double loss = cost + score_of(best_) - score_of(gold_);
    change_.assign(scores_.size(), 0.0F);
    add_choice(best_, 1.0F);
    add_choice(gold_, -1.0F);
    back_first();
    return loss;
}

void TensorTrainer::back_first() {
    const std::size_t lanes = lanes_[modifier].width;
    sum_.resize(lanes);
    some_.resize(lanes);
    product_.resize(lanes);
    for (Node m = 1; m <= tree_.words(); ++m) {
        const Node h = tree_.head(m);
        const float* of_modifier = vector(vectors_, modifier, m);
        const float* of_head = vector(vectors_, head, h);
        learn::multiply(of_modifier, of_head, product_.data(), lanes);
        std::ranges::fill(sum_, 0.0F);
        bool any = false;
        for (std::size_t q = 0; q < candidates().size(m); ++q) {
            const float change = change_[candidates().begin(m) + q];
            if (std::abs(change) < negligible) continue;
            any = true;
            add_scaled(sum_.data(), label_vector(output_vectors_, bucket(m), label_at(m, q)), change, lanes);
            std::ranges::fill(some_, 0.0F);
            add_scaled(some_.data(), product_.data(), change, lanes);
            add_label_gradient(outputs, bucket(m), label_at(m, q), some_.data());
        }
        if (!any) continue;
        add_products(vector(back_, modifier, m), sum_.data(), of_head, lanes);
        add_products(vector(back_, head, h), sum_.data(), of_modifier, lanes);
    }
}

void TensorTrainer::back_pairs(Node node, std::span<const float> change) {
    const std::size_t lanes = lanes_[second_modifier].width;
    const Node h = tree_.head(node);
    const Node g = tree_.head(h);
    const std::size_t here = candidates().size(node), above = candidates().size(h);
    second_product(node);
    sum_.assign(lanes, 0.0F);
    std::vector<float>& with = some_;
    const auto passes = [&](float amount) { return std::abs(amount) >= negligible; };
    bool any = false;
    for (std::size_t q = 0; q < here; ++q) {
        with.assign(lanes, 0.0F);
        bool some = false;
        for (std::size_t p = 0; p < above; ++p)
            if (const float amount = change[p * here + q]; passes(amount)) {
                add_scaled(with.data(), label_vector(upper_vectors_, bucket(h), label_at(h, p)), amount, lanes);
                some = true;
            }
        if (!some) continue;
        any = true;
        add_products(sum_.data(), with.data(), label_vector(lower_vectors_, bucket(node), label_at(node, q)), lanes);
        learn::multiply(with.data(), product_.data(), with.data(), lanes);
        add_label_gradient(lower, bucket(node), label_at(node, q), with.data());
    }
    if (!any) return;
    for (std::size_t p = 0; p < above; ++p) {
        with.assign(lanes, 0.0F);
        bool some = false;
        for (std::size_t q = 0; q < here; ++q)
            if (const float amount = change[p * here + q]; passes(amount)) {
                add_scaled(with.data(), label_vector(lower_vectors_, bucket(node), label_at(node, q)), amount, lanes);
                some = true;
            }
        if (!some) continue;
        learn::multiply(with.data(), product_.data(), with.data(), lanes);
        add_label_gradient(upper, bucket(h), label_at(h, p), with.data());
    }
    const float* a = vector(vectors_, second_modifier, node);
    const float* b = vector(vectors_, second_head, h);
    const float* c = vector(vectors_, grandparent, g);
    learn::multiply(b, c, with.data(), lanes);
    add_products(vector(back_, second_modifier, node), with.data(), sum_.data(), lanes);
    learn::multiply(a, c, with.data(), lanes);
    add_products(vector(back_, second_head, h), with.data(), sum_.data(), lanes);
    learn::multiply(a, b, with.data(), lanes);
    add_products(vector(back_, grandparent, g), with.data(), sum_.data(), lanes);
}

// Hands the gradients of the vectors of nodes on to the rows of their features.
void TensorTrainer::hand_on() {
    for (std::size_t node = 0; node + 1 < kept_begins_.size(); ++node) {
        const float* back = back_.data() + node * width_;
        learn::add_to(starts.gradient(0), back, width_);
        for (std::size_t i = kept_begins_[node]; i < kept_begins_[node + 1]; ++i)
            learn::add_to(rows.gradient(kept_[i]), back, width_);
    }
}

void TensorTrainer::add_sparse_scores(std::size_t sentence) {
    for (Node m = 1; m <= tree_.words(); ++m) {
        if (candidates().size(m) == 1) continue;
        const learn::FeatureRun run = sparse_features_->run(sentence, static_cast<std::size_t>(m) - 1);
        sparse_->score(run, static_cast<std::uint32_t>(sparse_features_->templates()), sparse_scores_);
        for (std::size_t q = 0; q < candidates().size(m); ++q)
            scores_[candidates().begin(m) + q] += sparse_scores_[label_at(m, q)];
    }
}

// The gradient by the scores of single labels, which is in change_.
void TensorTrainer::add_sparse_gradient(std::size_t sentence) {
    for (Node m = 1; m <= tree_.words(); ++m)
        for (std::size_t q = 0; candidates().size(m) > 1 && q < candidates().size(m); ++q)
            if (const float amount = change_[candidates().begin(m) + q]; std::abs(amount) >= negligible)
                sparse_gradient_.push_back(
                    {sparse_features_->run(sentence, static_cast<std::size_t>(m) - 1), label_at(m, q), amount});
}

double TensorTrainer::add_loss(std::size_t sentence) {
    if (trees_.heads(sentence).empty()) return 0;
    project(sentence);
    list_candidates();
    score();
    if (sparse_) add_sparse_scores(sentence);
    const double loss = settings_.loss == TreeLoss::hinge ? add_hinge() : add_likelihood();
    if (sparse_ && (loss != 0 || settings_.loss == TreeLoss::likelihood)) add_sparse_gradient(sentence);
    if (loss != 0 || settings_.loss == TreeLoss::likelihood) hand_on();
    loss_ += loss;
    return loss;
}

}  // namespace laconic::label
