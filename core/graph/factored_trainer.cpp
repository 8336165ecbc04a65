#include "graph/factored_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "learn/hidden_freeze.hpp"

namespace laconic::graph {

namespace {

constexpr double vector_target = 1023;  // what the largest number of a vector becomes, about

features::AtomColumns columns_for(const FactoredModel& model) {
    return {model.lexicon.attributes(), {}, model.pos};
}

}  // namespace

// What one sentence of a batch needs from the reading of its words to its gradients.
struct FactoredTrainer::Sentence {
    std::size_t begin = 0;  // of its words in the document
    Node size = 0;
    std::size_t first_head = 0, first_modifier = 0;  // numbers of its decisions in the batch
    std::vector<std::size_t> tags;                   // by node
    std::vector<Lengths::Tags> own;                  // by word
};

FactoredTrainer::FactoredTrainer(const FactoredModel& model, learn::NetworkSettings settings, Treebank treebank,
                                 std::span<const std::uint32_t> sentences, std::uint32_t cutoff)
    : model_(model),
      settings_(settings),
      treebank_(std::move(treebank)),
      rows_(model.lexicon, treebank_.columns),
      columns_(columns_for(model)),
      fine_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::xpos)})),
      coarse_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::upos)})),
      readers_{WordReader(model.heads, columns_), WordReader(model.modifiers, columns_)},
      words_(columns_, rows_, treebank_.columns),
      contexts_{WordContext(readers_[0], words_), WordContext(readers_[1], words_)},
      tags_(model.lengths),
      pairs_(tags_.size() * tags_.size(), lanes),
      between_(tags_.size() * tags_.size(), tags_.stride()) {
    learn::FeatureReader reader;
    for (const std::uint32_t sentence : sentences) {
        words_.enter(sentence);
        for (Node node = 0; node <= static_cast<Node>(words_.size()); ++node)
            for (const std::size_t role : {0U, 1U}) {
                if (role == 1 && node == corpus::root) continue;
                const features::Plan& plan = role == 0 ? model.heads : model.modifiers;
                contexts_[role].focus(node);
                reader.read(plan, contexts_[role], plan.size(), indices_[role]);
                reader.count(indices_[role]);
            }
    }
    for (const std::size_t role : {0U, 1U}) {
        indices_[role].cut(cutoff);
        learn::NetworkSettings own = settings;
        own.seed = settings.seed * 2 + role;
        const features::Plan& plan = role == 0 ? model.heads : model.modifiers;
        networks_.emplace_back(learn::Shape(plan, {}), own, indices_[role].size(), word_outputs);
    }
}

void FactoredTrainer::start_from(std::uint64_t seed, std::span<const Atom> atoms, std::span<const float> vectors) {
    for (const std::size_t role : {0U, 1U}) networks_[role].start_from(indices_[role], seed, atoms, vectors);
}

FactoredTrainer::Result FactoredTrainer::epoch(std::span<const std::uint32_t> order, std::size_t batch, double first,
                                               double last, std::size_t snapshots) {
    Result result;
    const std::size_t stride = snapshots == 0 ? order.size() + 1 : std::max<std::size_t>(1, order.size() / snapshots);
    std::size_t since = 0;
    for (std::size_t i = 0; i < order.size(); i += batch) {
        const auto some = order.subspan(i, std::min(batch, order.size() - i));
        learn_batch(some, first + (last - first) * static_cast<double>(i) / static_cast<double>(order.size()), result);
        since += some.size();
        if (since < stride) continue;
        since = 0;
        ++snapshots_;
        for (learn::Network& network : networks_) network.snapshot();
        pairs_.snapshot();
        between_.snapshot();
    }
    return result;
}

void FactoredTrainer::learn_batch(std::span<const std::uint32_t> sentences, double share, Result& result) {
    std::vector<Sentence> batch;
    std::array<std::vector<learn::Feature>, 2> features;
    std::array<std::vector<std::uint32_t>, 2> ends;
    std::array<std::vector<std::size_t>, 2> begins;
    learn::FeatureReader reader;
    for (const std::uint32_t number : sentences) {
        words_.enter(number);
        Sentence sentence;
        sentence.begin = treebank_.columns.sentences[number];
        sentence.size = static_cast<Node>(words_.size());
        sentence.first_head = begins[0].size();
        sentence.first_modifier = begins[1].size();
        sentence.tags.push_back(tags_.root());
        for (Node node = 0; node <= sentence.size; ++node)
            for (const std::size_t role : {0U, 1U}) {
                if (role == 1 && node == corpus::root) continue;
                const features::Plan& plan = role == 0 ? model_.heads : model_.modifiers;
                contexts_[role].focus(node);
                reader.read(plan, contexts_[role], plan.size(), indices_[role]);
                const learn::FeatureRun run = reader.look_up(indices_[role]);
                begins[role].push_back(features[role].size());
                features[role].insert(features[role].end(), run.features.begin(), run.features.end());
                ends[role].insert(ends[role].end(), run.ends.begin(), run.ends.end());
            }
        for (Node node = 1; node <= sentence.size; ++node) {
            sentence.own.push_back(model_.lengths.tags(words_[node][fine_], words_[node][coarse_]));
            sentence.tags.push_back(tags_.of(sentence.own.back()));
        }
        batch.push_back(std::move(sentence));
    }
    std::array<std::vector<float>, 2> outputs, slopes;
    for (const std::size_t role : {0U, 1U}) {
        const std::size_t templates = (role == 0 ? model_.heads : model_.modifiers).size();
        std::vector<learn::FeatureRun> runs;
        for (std::size_t i = 0; i < begins[role].size(); ++i) {
            const std::size_t end = i + 1 < begins[role].size() ? begins[role][i + 1] : features[role].size();
            runs.push_back({std::span(features[role]).subspan(begins[role][i], end - begins[role][i]),
                            std::span(ends[role]).subspan(i * templates, templates)});
        }
        networks_[role].read(runs);
        outputs[role].resize(runs.size() * word_outputs);
        slopes[role].assign(runs.size() * word_outputs, 0.0F);
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (std::size_t y = 0; y < word_outputs; ++y) {
                const float value = networks_[role].score(i, 0, static_cast<learn::Label>(y));
                outputs[role][i * word_outputs + y] = value;
                if (y < vector_size) largest_[role] = std::max(largest_[role], std::abs(value));
            }
    }
    std::vector<Node> heads;
    std::vector<float> scores;
    std::vector<float> running(tags_.stride()), sums;
    for (const Sentence& sentence : batch)
        for (Node modifier = 1; modifier <= sentence.size; ++modifier) {
            const auto m = static_cast<std::size_t>(modifier);
            const Node gold = treebank_.heads[sentence.begin + m - 1];
            heads.clear();
            for (Node head = 0; head <= sentence.size; ++head) {
                const bool alive =
                    head == corpus::root
                        ? model_.lengths.alive_under_root(sentence.own[m - 1])
                        : head != modifier && model_.lengths.alive(sentence.own[static_cast<std::size_t>(head) - 1],
                                                                   sentence.own[m - 1], modifier > head,
                                                                   static_cast<std::size_t>(std::abs(modifier - head)));
                if (alive || head == gold) heads.push_back(head);
            }
            const std::size_t own_tag = sentence.tags[m];
            sums.assign(static_cast<std::size_t>(sentence.size) + 1, 0.0F);
            for (const Node step : {Node{-1}, Node{1}}) {
                const Node last = step < 0 ? heads.front() : heads.back();
                std::ranges::fill(running, 0.0F);
                Node seen = 0;
                for (Node node = modifier + step; (node - last) * step <= 0; node += step) {
                    const std::size_t tag = sentence.tags[static_cast<std::size_t>(node)];
                    sums[static_cast<std::size_t>(node)] = running[tag];
                    if (++seen <= most_between)
                        learn::add_to(running.data(), between_[own_tag * tags_.size() + tag], tags_.stride());
                }
            }
            const float* own = outputs[1].data() + (sentence.first_modifier + m - 1) * word_outputs;
            scores.clear();
            float best = -1e30F;
            for (const Node head : heads) {
                const auto h = static_cast<std::size_t>(head);
                const float* other = outputs[0].data() + (sentence.first_head + h) * word_outputs;
                const std::size_t lane = lane_of(head, modifier);
                scores.push_back(learn::dot(other, own, vector_size) + other[vector_size + lane] +
                                 own[vector_size + lane] + pairs_[own_tag * tags_.size() + sentence.tags[h]][lane] +
                                 sums[h]);
                best = std::max(best, scores.back());
            }
            float all = 0;
            float right = 0;
            bool is_right = true;
            for (std::size_t i = 0; i < heads.size(); ++i) {
                if (heads[i] == gold) is_right = scores[i] >= best;
                scores[i] = std::exp(scores[i] - best);
                all += scores[i];
                if (heads[i] == gold) right = scores[i];
            }
            result.loss -= std::log(static_cast<double>(right / all) + 1e-30);
            ++result.words;
            result.right += is_right ? 1 : 0;
            float* own_slopes = slopes[1].data() + (sentence.first_modifier + m - 1) * word_outputs;
            for (std::size_t i = 0; i < heads.size(); ++i) {
                const float slope = scores[i] / all - (heads[i] == gold ? 1.0F : 0.0F);
                if (std::abs(slope) < 1e-5F) continue;
                const auto h = static_cast<std::size_t>(heads[i]);
                const std::size_t lane = lane_of(heads[i], modifier);
                const float* other = outputs[0].data() + (sentence.first_head + h) * word_outputs;
                float* other_slopes = slopes[0].data() + (sentence.first_head + h) * word_outputs;
                for (std::size_t y = 0; y < vector_size; ++y) {
                    own_slopes[y] += slope * other[y];
                    other_slopes[y] += slope * own[y];
                }
                own_slopes[vector_size + lane] += slope;
                other_slopes[vector_size + lane] += slope;
                pairs_.gradient(own_tag * tags_.size() + sentence.tags[h])[lane] += slope;
                const Node step = heads[i] < modifier ? -1 : 1;
                Node seen = 0;
                for (Node node = modifier + step; node != heads[i] && seen < most_between; node += step, ++seen)
                    between_.gradient(own_tag * tags_.size() +
                                      sentence.tags[static_cast<std::size_t>(node)])[sentence.tags[h]] += slope;
            }
        }
    const learn::AdamStep step = networks_[0].next_step(share);
    pairs_.step(step);
    between_.step(step);
    for (const std::size_t role : {0U, 1U}) {
        for (std::size_t i = 0; i < slopes[role].size(); ++i)
            if (slopes[role][i] != 0.0F)
                networks_[role].add_slope(i / word_outputs, 0, static_cast<learn::Label>(i % word_outputs),
                                          slopes[role][i]);
        networks_[role].learn(share);
    }
}

void FactoredTrainer::use_average() {
    if (snapshots_ == 0) return;
    for (learn::Network& network : networks_) network.use_average();
    pairs_.use_average(snapshots_);
    between_.use_average(snapshots_);
    snapshots_ = 0;
}

FactoredTable FactoredTrainer::freeze(int floor) const {
    std::vector<std::shared_ptr<const learn::HiddenTable>> tables;
    std::array<std::uint32_t, 2> shifts{};
    double scale = 1;
    for (const std::size_t role : {0U, 1U}) {
        const features::Plan& plan = role == 0 ? model_.heads : model_.modifiers;
        tables.push_back(std::make_shared<const learn::HiddenTable>(
            learn::freeze(networks_[role], indices_[role], plan, &model_.lexicon, floor)));
        while (std::ldexp(tables[role]->scale() * static_cast<double>(largest_[role]),
                          -static_cast<int>(shifts[role])) > vector_target &&
               shifts[role] < 31)
            ++shifts[role];
        scale *= std::ldexp(tables[role]->scale(), -static_cast<int>(shifts[role]));
    }
    const auto quantised = [&](std::span<const float> values) {
        std::vector<std::int32_t> all;
        for (const float value : values)
            all.push_back(static_cast<std::int32_t>(
                std::lround(std::clamp(static_cast<double>(value) * scale, -4'000'000.0, 4'000'000.0))));
        return all;
    };
    return {std::move(tables[0]),       std::move(tables[1]),        shifts[0], shifts[1],
            quantised(pairs_.values()), quantised(between_.values())};
}

}  // namespace laconic::graph
