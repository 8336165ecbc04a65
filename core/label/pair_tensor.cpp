#include "label/pair_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace laconic::label {

namespace {

constexpr double settled = 1e-5;

double product(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
}

double scale_to_one(std::vector<float>& some) {
    const double length = std::sqrt(product(some, some));
    if (length > 0)
        for (float& value : some) value = static_cast<float>(value / length);
    return length;
}

// What the tensor without the components that were found makes of two vectors, in the place of the third.
void contract(const SparseTensor& tensor, std::span<const Component> found, std::size_t way, Component& one) {
    const std::size_t a = (way + 1) % 3, b = (way + 2) % 3;
    std::vector<float>& target = one[way];
    std::ranges::fill(target, 0.0F);
    for (const SparseTensor::Entry& entry : tensor.entries)
        target[entry.at[way]] += entry.value * one[a][entry.at[a]] * one[b][entry.at[b]];
    for (const Component& other : found) {
        const auto amount = static_cast<float>(product(other[a], one[a]) * product(other[b], one[b]));
        for (std::size_t i = 0; i < target.size(); ++i) target[i] -= amount * other[way][i];
    }
}

// A linear model whose features are pairs.
class PairModel {
public:
    PairModel(const LabelledTrees& trees, const LabelCandidates& candidates)
        : trees_(trees), candidates_(candidates), alone_(static_cast<std::uint32_t>(trees.index().size())) {}

    void learn(std::size_t sentence, double largest_step);
    [[nodiscard]] SparseTensor tensor() const;

private:
    using Pair = std::array<std::uint32_t, 2>;

    void read(std::span<const learn::Feature> above, std::span<const learn::Feature> below);
    void add(std::uint32_t above, std::uint32_t below) { pairs_.push_back({above, below}); }

    const LabelledTrees& trees_;
    const LabelCandidates& candidates_;
    std::uint32_t alone_;  // stands for no feature
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::vector<Pair> known_;     // by number
    std::vector<float> weights_;  // by number and label
    std::vector<Pair> pairs_;     // of the arc
    std::vector<double> scores_;
};

void PairModel::read(std::span<const learn::Feature> above, std::span<const learn::Feature> below) {
    pairs_.clear();
    for (const learn::Feature one : above) add(one, alone_);
    for (const learn::Feature one : below) add(alone_, one);
    if (above.empty() || below.empty()) return;
    for (const learn::Feature one : below) add(above[0], one);
    for (const learn::Feature one : above.subspan(1)) add(one, below[0]);
}

void PairModel::learn(std::size_t sentence, double largest_step) {
    const std::span<const std::int32_t> heads = trees_.heads(sentence);
    const std::span<const LabelledTrees::Arc> arcs = trees_.arcs(sentence);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const std::span<const Label> labels = candidates_.sets()[candidates_.set_of(arcs[i].entry)];
        if (arcs[i].gold == LabelledTrees::unlabelled || labels.size() == 1) continue;
        read(trees_.features(sentence, heads[i]), trees_.features(sentence, static_cast<Node>(i) + 1));
        const float* priors = candidates_.priors_of(arcs[i].entry);
        scores_.assign(priors, priors + labels.size());
        const auto key_of = [&](const Pair& pair) { return std::uint64_t{pair[0]} << 32 | pair[1]; };
        for (const Pair& pair : pairs_)
            if (const auto found = numbers_.find(key_of(pair)); found != numbers_.end())
                for (std::size_t q = 0; q < labels.size(); ++q)
                    scores_[q] += weights_[found->second * trees_.labels() + labels[q]];
        const std::size_t gold = arcs[i].gold;
        std::size_t best = gold;
        const auto with_cost = [&](std::size_t q) { return scores_[q] + (q == gold ? 0.0 : 1.0); };
        for (std::size_t q = 0; q < labels.size(); ++q)
            if (with_cost(q) > with_cost(best)) best = q;
        if (best == gold || pairs_.empty()) continue;
        const double loss = with_cost(best) - scores_[gold];
        const auto step = static_cast<float>(std::min(largest_step, loss / (2.0 * static_cast<double>(pairs_.size()))));
        for (const Pair& pair : pairs_) {
            const auto [at, is_new] = numbers_.try_emplace(key_of(pair), static_cast<std::uint32_t>(known_.size()));
            if (is_new) {
                known_.push_back(pair);
                weights_.resize(weights_.size() + trees_.labels());
            }
            weights_[at->second * trees_.labels() + labels[gold]] += step;
            weights_[at->second * trees_.labels() + labels[best]] -= step;
        }
    }
}

SparseTensor PairModel::tensor() const {
    SparseTensor result;
    result.sizes = {alone_ + std::size_t{1}, alone_ + std::size_t{1}, trees_.labels()};
    for (std::size_t number = 0; number < known_.size(); ++number)
        for (std::size_t label = 0; label < trees_.labels(); ++label)
            if (const float weight = weights_[number * trees_.labels() + label]; weight != 0)
                result.entries.push_back(
                    {{known_[number][0], known_[number][1], static_cast<std::uint32_t>(label)}, weight});
    return result;
}

}  // namespace

std::vector<Component> decompose(const SparseTensor& tensor, std::size_t rank, std::size_t sweeps, Random& random) {
    std::vector<Component> found;
    for (std::size_t k = 0; k < rank; ++k) {
        Component one;
        for (std::size_t way = 0; way < 3; ++way) {
            one[way].resize(tensor.sizes[way]);
            for (float& value : one[way])
                value = static_cast<float>(static_cast<double>(random.next() >> 11) * 0x1p-52 - 1.0);
            scale_to_one(one[way]);
        }
        double before = 0;
        for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
            double scale = 0;
            for (std::size_t way = 0; way < 3; ++way) {
                contract(tensor, found, way, one);
                scale = scale_to_one(one[way]);
            }
            if (std::abs(scale - before) <= settled * scale) break;
            before = scale;
        }
        contract(tensor, found, 2, one);  // the last one keeps the scale
        found.push_back(std::move(one));
    }
    return found;
}

SparseTensor learn_pairs(const LabelledTrees& trees, const LabelCandidates& candidates, double largest_step) {
    PairModel model(trees, candidates);
    for (std::size_t sentence = 0; sentence < trees.size(); ++sentence) model.learn(sentence, largest_step);
    return model.tensor();
}

}  // namespace laconic::label
