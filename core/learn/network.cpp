#include "learn/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace laconic::learn {

namespace {

// Of a positive float the exponent and three further bits are left: eight steps from one power of two to the next.
constexpr std::uint32_t brightness_shift = 20;

}  // namespace

Network::Network(Shape shape, NetworkSettings settings, std::size_t features, std::size_t labels)
    : shape_(std::move(shape)),
      settings_(settings),
      labels_(labels),
      random_(settings.seed),
      touches_(shape_.exits.size()),
      rows(features, settings.units),
      matrices(shape_.matrices, std::size_t{settings.units} * settings.units),
      start(1, settings.units),
      outputs(shape_.exits.size() * labels, settings.units),
      offsets(shape_.exits.size() * labels, 1) {
    const double spread = 1.0 / std::sqrt(static_cast<double>(settings.units));
    Random random(settings.seed * 31 + 7);
    rows.scatter(0.05 * spread, random);  // near zero: what is never learned must not disturb
    matrices.scatter(1.7 * spread, random);
    start.scatter(spread, random);
    outputs.scatter(spread, random);
}

void Network::start_from(const FeatureIndex& index, std::uint64_t seed, std::span<const Atom> atoms,
                         std::span<const float> vectors) {
    const std::size_t units = settings_.units;
    if (vectors.size() != atoms.size() * units) throw std::invalid_argument("a vector has one number for each unit");
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const Feature feature = index.find(finish(mix(seed, atoms[i])));
        if (feature == no_feature) continue;
        if (shape_.groups[index.template_of(feature)] == Shape::direct)
            throw std::invalid_argument("only factored templates have vectors");
        std::ranges::copy(vectors.subspan(i * units, units),
                          rows.values().begin() + static_cast<std::ptrdiff_t>(feature * units));
    }
}

void Network::read(std::span<const FeatureRun> batch) {
    const std::size_t units = settings_.units;
    const std::size_t exits = shape_.exits.size();
    const auto drop = static_cast<std::uint32_t>(settings_.row_dropout * 0x1p32);
    size_ = batch.size();
    losses_ = 0;
    hidden_.assign(exits * size_ * units, 0.0F);
    active_.resize(exits * size_ * units);
    back_active_.assign(exits * size_ * units, 0.0F);
    inputs_.assign(shape_.matrices * size_ * units, 0.0F);
    for (auto& some : touches_) some.clear();
    for (std::size_t b = 0; b < size_; ++b)
        for (std::size_t j = 0; j < shape_.groups.size(); ++j)
            for (const Feature feature : batch[b][j]) {
                if (feature == no_feature || static_cast<std::uint32_t>(random_.next() >> 32) < drop) continue;
                const std::int32_t group = shape_.groups[j];
                const std::size_t exit = shape_.exit_of[j];
                touches_[exit].push_back({feature, static_cast<std::uint32_t>(b), group});
                float* target = group == Shape::direct
                                    ? hidden(exit, b)
                                    : inputs_.data() + (static_cast<std::size_t>(group) * size_ + b) * units;
                add_to(target, rows[feature], units);
            }
    for (std::size_t j = 0; j < shape_.groups.size(); ++j) {
        const std::int32_t group = shape_.groups[j];
        if (group == Shape::direct || (j > 0 && shape_.groups[j - 1] == group)) continue;
        const auto g = static_cast<std::size_t>(group);
        multiply_add({inputs_.data() + g * size_ * units, units, 1}, size_, units, matrices[g], units,
                     hidden(shape_.exit_of[j], 0));
    }
    const auto unit_drop = static_cast<std::uint32_t>(settings_.unit_dropout * 0x1p32);
    const auto louder = static_cast<float>(1.0 / (1.0 - settings_.unit_dropout));
    for (std::size_t exit = 0; exit < exits; ++exit)
        for (std::size_t b = 0; b < size_; ++b) {
            float* sums = hidden(exit, b);
            add_to(sums, exit == 0 ? start[0] : hidden(exit - 1, b), units);
            float* out = active_.data() + (exit * size_ + b) * units;
            float brightest = 0.0F;
            for (std::size_t u = 0; u < units; ++u) {
                const float positive = std::max(sums[u], 0.0F);
                brightest = std::max(brightest, positive);
                const bool dropped = static_cast<std::uint32_t>(random_.next() >> 32) < unit_drop;
                out[u] = dropped ? 0.0F : positive * positive * louder;
            }
            ++brightness_[std::bit_cast<std::uint32_t>(brightest) >> brightness_shift];
        }
}

float Network::brightest() const noexcept {
    const std::uint64_t all = std::accumulate(brightness_.begin(), brightness_.end(), std::uint64_t{0});
    std::size_t place = brightness_.size() - 1;
    for (std::uint64_t above = brightness_[place]; place > 0 && above * 10'000 <= all; above += brightness_[--place]) {
    }
    // The upper end of what has these leading bits, infinite ones aside.
    constexpr std::size_t infinite =
        std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()) >> brightness_shift;
    return std::bit_cast<float>(static_cast<std::uint32_t>(std::min(place + 1, infinite - 1)) << brightness_shift);
}

float Network::score(std::size_t decision, std::size_t exit, Label label) const noexcept {
    const std::size_t row = exit * labels_ + label;
    return *offsets[row] + dot(active(exit, decision), outputs[row], settings_.units);
}

Label Network::best(std::size_t decision, std::span<const Label> candidates) const noexcept {
    const std::size_t last = shape_.exits.size() - 1;
    return *std::ranges::max_element(candidates, {}, [&](Label y) { return score(decision, last, y); });
}

void Network::add_loss(std::size_t decision, std::span<const Label> gold, std::span<const Label> candidates) {
    const std::size_t last = shape_.exits.size() - 1;
    ++losses_;
    for (std::size_t exit = 0; exit <= last; ++exit) {
        chances_.resize(candidates.size());
        float highest = -1e30F;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            chances_[i] = score(decision, exit, candidates[i]);
            highest = std::max(highest, chances_[i]);
        }
        float all = 0;
        float right = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            chances_[i] = std::exp(chances_[i] - highest);
            all += chances_[i];
            if (std::ranges::find(gold, candidates[i]) != gold.end()) right += chances_[i];
        }
        right = std::max(right, 1e-30F);
        const float weight = exit == last ? 1.0F : static_cast<float>(settings_.exit_weight);
        loss_ -= static_cast<double>(weight) * std::log(static_cast<double>(right) / static_cast<double>(all));
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const Label y = candidates[i];
            const bool is_gold = std::ranges::find(gold, y) != gold.end();
            const float slope = weight * (chances_[i] / all - (is_gold ? chances_[i] / right : 0.0F));
            if (std::abs(slope) < 1e-5F)
                continue;  // most candidates are next to impossible: their gradient is not worth its time
            add_slope(decision, exit, y, slope);
        }
    }
}

void Network::add_slope(std::size_t decision, std::size_t exit, Label label, float slope) {
    const std::size_t row = exit * labels_ + label;
    *offsets.gradient(row) += slope;
    float* gradient = outputs.gradient(row);
    float* back = back_active_.data() + (exit * size_ + decision) * settings_.units;
    const float* in = active(exit, decision);
    const float* weights = outputs[row];
    for (std::size_t u = 0; u < settings_.units; ++u) {
        gradient[u] += slope * in[u];
        back[u] += slope * weights[u];
    }
}

void Network::backward() {
    const std::size_t units = settings_.units;
    const auto louder = static_cast<float>(1.0 / (1.0 - settings_.unit_dropout));
    transposed_.resize(units * units);
    back_inputs_.resize(size_ * units);
    back_.assign(size_ * units, 0.0F);
    for (std::size_t exit = shape_.exits.size(); exit-- > 0;) {
        for (std::size_t b = 0; b < size_; ++b) {
            const float* sums = hidden(exit, b);
            const float* kept = active(exit, b);
            const float* slope = back_active_.data() + (exit * size_ + b) * units;
            float* back = back_.data() + b * units;
            for (std::size_t u = 0; u < units; ++u)
                if (kept[u] > 0.0F) back[u] += slope[u] * 2.0F * louder * sums[u];
        }
        back_from(exit);
    }
    float* gradient = start.gradient(0);
    for (std::size_t b = 0; b < size_; ++b) add_to(gradient, back_.data() + b * units, units);
}

// Hands the gradient of the hidden units to the templates that end at this exit.
void Network::back_from(std::size_t exit) {
    const std::size_t units = settings_.units;
    const std::vector<Touch>& some = touches_[exit];
    for (const Touch& touch : some)
        if (touch.group == Shape::direct)
            add_to(rows.gradient(touch.feature), back_.data() + touch.decision * units, units);
    by_group_.resize(shape_.matrices);
    for (const Touch& touch : some)
        if (touch.group != Shape::direct) by_group_[static_cast<std::size_t>(touch.group)].push_back(touch);
    for (std::size_t g = 0; g < by_group_.size(); ++g) {
        if (by_group_[g].empty()) continue;
        const float* matrix = matrices[g];
        for (std::size_t r = 0; r < units; ++r)
            for (std::size_t c = 0; c < units; ++c) transposed_[c * units + r] = matrix[r * units + c];
        std::ranges::fill(back_inputs_, 0.0F);
        multiply_add({back_.data(), units, 1}, size_, units, transposed_.data(), units, back_inputs_.data());
        for (const Touch& touch : by_group_[g])
            add_to(rows.gradient(touch.feature), back_inputs_.data() + touch.decision * units, units);
        multiply_add({inputs_.data() + g * size_ * units, 1, units}, units, size_, back_.data(), units,
                     matrices.gradient(g));
        by_group_[g].clear();
    }
}

AdamStep Network::next_step(double share) const {
    const auto steps = static_cast<double>(steps_ + 1);
    const double early = 1.0 - std::pow(settings_.first_decay, steps);
    const double late = std::sqrt(1.0 - std::pow(settings_.second_decay, steps));
    return {static_cast<float>(settings_.rate * share * late / early), static_cast<float>(settings_.first_decay),
            static_cast<float>(settings_.second_decay), static_cast<float>(settings_.epsilon)};
}

void Network::learn(double share) {
    backward();
    const AdamStep step = next_step(share);
    ++steps_;
    for (Parameters* some : {&rows, &matrices, &start, &outputs, &offsets}) some->step(step);
}

void Network::snapshot() {
    ++snapshots_;
    for (Parameters* some : {&rows, &matrices, &start, &outputs, &offsets}) some->snapshot();
}

void Network::use_average() {
    for (Parameters* some : {&rows, &matrices, &start, &outputs, &offsets}) some->use_average(snapshots_);
    snapshots_ = 0;
}

void learn_epoch(Network& network, const Examples& examples, std::span<const std::uint32_t> order, std::size_t batch,
                 double first, double last, std::size_t stride) {
    std::vector<FeatureRun> runs;
    std::size_t since = 0;
    for (std::size_t i = 0; i < order.size(); i += batch) {
        const auto some = order.subspan(i, std::min(batch, order.size() - i));
        runs.clear();
        for (const std::uint32_t example : some) runs.push_back(examples.run(example));
        network.read(runs);
        for (std::size_t b = 0; b < some.size(); ++b)
            network.add_loss(b, examples.gold(some[b]), examples.candidates(some[b]));
        network.learn(first + (last - first) * static_cast<double>(i) / static_cast<double>(order.size()));
        since += some.size();
        if (stride > 0 && since >= stride) {
            network.snapshot();
            since = 0;
        }
    }
}

}  // namespace laconic::learn
