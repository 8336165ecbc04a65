#include "graph/head_selection.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "graph/candidate_features.hpp"
#include "learn/freeze.hpp"

namespace laconic::graph {

using learn::Feature;

namespace {

constexpr double start_scale = 1024;  // of the scores to go on from
constexpr float first_square = 1.0F;  // what a sum of squared gradients starts from

}  // namespace

// A sentence on its way through training: the features of its words and of the arcs to one of them.
class HeadSelection::Reading : public CandidateFeatures {
public:
    using CandidateFeatures::CandidateFeatures;

    std::vector<std::uint8_t> lane;
    std::vector<float> scores;
    struct Group {
        std::vector<std::uint32_t> arcs;                          // those still looked at
        std::vector<float> slopes;                                // of the loss at the end of the group
        std::vector<std::pair<std::uint32_t, Feature>> features;  // arc, feature
    };
    std::vector<Group> groups;
    std::vector<float> slope;  // by arc, of all losses from a group on

    std::deque<FactoredScorer> vectors;  // by table
    FactoredScorer* start = nullptr;     // that of the sentence
    std::vector<std::int32_t> starts;
};

HeadSelection::HeadSelection(const ArcModel& model, HeadSelectionSettings settings, const corpus::Columns& columns,
                             std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences, Start start)
    : model_(model), settings_(settings), random_(settings.seed), start_(std::move(start)) {
    Reading reading(model, columns);
    for (const std::uint32_t sentence : sentences)
        reading.count(sentence, heads.subspan(columns.sentences[sentence], columns.size_of(sentence)), index_);
    index_.cut(settings.cutoff);
    weights_.resize(index_.size() * cells, Cell{0.0F, first_square});
}

HeadSelection::Result HeadSelection::epoch(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                                           std::span<const std::uint32_t> sentences, double first, double last) {
    Reading reading(model_, columns);
    reading.groups.resize(model_.groups.size());
    for (const FactoredTable* table : start_.tables)
        reading.vectors.emplace_back(*start_.model, *table, start_scale, reading.rows(), columns);
    Result result;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const double share = first + (last - first) * static_cast<double>(i) / static_cast<double>(sentences.size());
        const std::size_t begin = columns.sentences[sentences[i]];
        reading.enter(sentences[i], index_);
        if (!start_.tables.empty()) {
            reading.start = &reading.vectors[start_.numbers[sentences[i]]];
            reading.start->enter(sentences[i]);
        }
        for (Node word = 1; word <= reading.size(); ++word)
            learn_word(reading, word, heads[begin + static_cast<std::size_t>(word) - 1], settings_.rate * share,
                       result);
    }
    return result;
}

void HeadSelection::learn_word(Reading& reading, Node modifier, Node gold, double rate, Result& result) {
    const auto drop = static_cast<std::uint32_t>(settings_.dropout * 0x1p32);
    const auto dropped = [&] { return drop > 0 && static_cast<std::uint32_t>(random_.next() >> 32) < drop; };
    const std::uint32_t right = reading.enter_word(modifier, gold);
    const std::span<const Node> heads = reading.heads();
    reading.lane.clear();
    for (const Node head : heads) reading.lane.push_back(static_cast<std::uint8_t>(1 + lane_of(head, modifier)));
    reading.scores.assign(heads.size(), 0.0F);
    std::vector<std::uint32_t> arcs(heads.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) arcs[i] = static_cast<std::uint32_t>(i);
    const auto drop_far = [&](float best) {
        const auto far = best - static_cast<float>(settings_.drop);
        std::erase_if(arcs, [&](std::uint32_t arc) { return arc != right && reading.scores[arc] < far; });
    };
    if (reading.start != nullptr) {
        reading.starts.assign(heads.size(), 0);
        reading.start->add(modifier, heads, reading.starts);
        for (std::size_t i = 0; i < heads.size(); ++i)
            reading.scores[i] = static_cast<float>(reading.starts[i]) / static_cast<float>(start_scale);
        drop_far(*std::ranges::max_element(reading.scores));
    }
    std::size_t used = 0;
    std::size_t begin = 0;
    ++result.words;
    for (std::size_t g = 0; g < model_.groups.size() && (g == 0 || arcs.size() > 1); ++g) {
        Reading::Group& group = reading.groups[g];
        used = g + 1;
        group.arcs = arcs;
        group.features.clear();
        for (const std::uint32_t arc : arcs)
            reading.of_one_word(begin, model_.groups[g], heads[arc], modifier, [&](Feature feature) {
                if (!dropped()) group.features.emplace_back(arc, feature);
            });
        reading.of_two_words(begin, model_.groups[g], arcs, index_, [&](std::uint32_t arc, Feature feature) {
            if (!dropped()) group.features.emplace_back(arc, feature);
        });
        for (std::size_t i = 0; i < group.features.size(); ++i) {
            if (i + 16 < group.features.size()) {
                const Cell* next = row(group.features[i + 16].second);
                prefetch(next);
                prefetch(next + cells / 2);
            }
            const auto [arc, feature] = group.features[i];
            const Cell* weights = row(feature);
            reading.scores[arc] += weights[0].weight + weights[reading.lane[arc]].weight;
        }
        float best = reading.scores[arcs.front()];
        for (const std::uint32_t arc : arcs) best = std::max(best, reading.scores[arc]);
        float sum = 0.0F;
        group.slopes.clear();
        for (const std::uint32_t arc : arcs) {
            group.slopes.push_back(std::exp(reading.scores[arc] - best));
            sum += group.slopes.back();
        }
        const auto share = static_cast<float>(g + 1 == model_.groups.size() ? 1.0 : settings_.exit_weight);
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (arcs[i] == right) result.loss -= std::log(static_cast<double>(group.slopes[i] / sum) + 1e-30);
            group.slopes[i] = share * (group.slopes[i] / sum - (arcs[i] == right ? 1.0F : 0.0F));
        }
        drop_far(best);
        begin = model_.groups[g];
    }
    bool best = true;
    for (const std::uint32_t arc : reading.groups[used - 1].arcs)
        best = best && (arc == right || reading.scores[arc] < reading.scores[right]);
    result.right += best ? 1 : 0;

    reading.slope.assign(heads.size(), 0.0F);
    for (std::size_t g = used; g-- > 0;) {
        const Reading::Group& group = reading.groups[g];
        for (std::size_t i = 0; i < group.arcs.size(); ++i) reading.slope[group.arcs[i]] += group.slopes[i];
        const auto step = [&](Cell& cell, float gradient) {
            cell.squares += gradient * gradient;
            cell.weight -= static_cast<float>(rate) * gradient / std::sqrt(cell.squares);
        };
        for (std::size_t i = 0; i < group.features.size(); ++i) {
            const auto [arc, feature] = group.features[i];
            const float gradient = reading.slope[arc];
            if (std::abs(gradient) < 1e-4F) continue;
            Cell* weights = row(feature);
            step(weights[0], gradient + static_cast<float>(settings_.l2) * weights[0].weight);
            Cell& own = weights[reading.lane[arc]];
            step(own, gradient + static_cast<float>(settings_.l2) * own.weight);
        }
    }
}

void HeadSelection::snapshot() {
    ++snapshots_;
    totals_.resize(index_.size() * (lanes + 1));
    for (std::size_t f = 0; f < index_.size(); ++f)
        for (std::size_t i = 0; i <= lanes; ++i) totals_[f * (lanes + 1) + i] += weights_[f * cells + i].weight;
}

void HeadSelection::final_row(Feature feature, std::uint16_t, std::span<double> out) const noexcept {
    const Cell* now = weights_.data() + std::size_t{feature} * cells;
    const auto weight = [&](std::size_t i) {
        return snapshots_ == 0
                   ? static_cast<double>(now[i].weight)
                   : static_cast<double>(totals_[feature * (lanes + 1) + i]) / static_cast<double>(snapshots_);
    };
    for (std::size_t lane = 0; lane < lanes; ++lane)
        out[lane] = (1.0 - settings_.dropout) * (weight(0) + weight(1 + lane));
}

learn::Table HeadSelection::freeze(int floor) const {
    return learn::freeze(*this, index_, model_.plan.size(), floor);
}

}  // namespace laconic::graph
