#include "label/tensor.hpp"

#include <algorithm>
#include <cmath>

#include "label/tree_stages.hpp"

namespace laconic::label {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

// The probability of the best of some scores.
float probability(std::span<const float> scores, float temperature) {
    const float best = std::ranges::max(scores);
    double sum = 0;
    for (const float score : scores) sum += std::exp(static_cast<double>(score - best) / temperature);
    return static_cast<float>(1 / sum);
}

// The probability of what has such log odds.
float chance(float lead, float temperature) {
    return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(lead) / temperature)));
}

// By how much a label trails the best of some labels.
float gap_of(std::span<const Label> labels, std::span<const float> scores, Label label) {
    const auto at = std::ranges::find(labels, label) - labels.begin();
    return std::ranges::max(scores) - scores[static_cast<std::size_t>(at)];
}

float lead_of(std::span<const float> scores) {
    float best = -infinite, second = -infinite;
    for (const float score : scores) {
        second = std::max(second, std::min(score, best));
        best = std::max(best, score);
    }
    return best - second;
}

// Runs the stages over one sentence that was entered. after(stage) is called with the scores of a stage, before labels
// are dropped for trailing there.
template <class After>
void run_stages(TreeStages& walk, bool second_order, Thresholds thresholds, bool every_stage, After&& after) {
    walk.start(infinite, infinite);
    walk.show_priors();
    after(one_candidate);
    if (every_stage || thresholds.prior < infinite) {
        after(by_prior);
        walk.drop(thresholds.prior, by_prior);
    }
    if (every_stage || thresholds.counts < infinite) {
        after(by_counts);
        walk.drop_by_counts(thresholds.counts);
    }
    walk.add_first_order();
    after(by_first_order);
    if (second_order) walk.drop(thresholds.first, by_first_order);
    walk.choose();
}

// The same where nobody looks at what stages have computed.
void run_stages(TreeStages& walk, bool second_order, Thresholds thresholds) {
    walk.start(thresholds.prior, thresholds.counts);
    walk.add_first_order();
    if (second_order && thresholds.first < infinite) walk.drop(thresholds.first, by_first_order);
    walk.choose();
}

}  // namespace

TensorLabelled label(const TensorModel& model, const corpus::Columns& columns, Thresholds thresholds,
                     std::span<const float> temperatures, std::span<const std::uint32_t> sentences,
                     TensorProbe* probe) {
    TreeStages walk(model, columns);
    TensorLabelled result;
    result.labels.resize(columns.words());
    result.stages.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    struct Seen {
        std::vector<Label> labels;
        std::array<std::vector<float>, dropping_stages> scores;
        ArcCounts::Answer counted;
    };
    std::vector<Seen> seen;  // by the probe, of each word
    for (const std::uint32_t sentence : sentences) {
        const std::size_t begin = columns.sentences[sentence];
        walk.enter(sentence);
        const auto look = [&](Stage stage) {
            for (Node m = 1; m <= walk.words(); ++m) {
                const std::size_t at = static_cast<std::size_t>(m) - 1;
                // What a stage decides is as sure as all candidates that it had make it.
                if (!temperatures.empty() && (walk.size(m) > 1) == (stage != one_candidate))
                    result.confidences[begin + at] = stage == one_candidate ? temperatures[0]
                                                     : stage == by_counts
                                                         ? chance(walk.counted(m).lead, temperatures[stage])
                                                         : probability(walk.scores(m), temperatures[stage]);
                if (probe == nullptr || walk.size(m) == 1) continue;
                if (stage == one_candidate) seen[at].labels.assign(walk.labels(m).begin(), walk.labels(m).end());
                if (stage == by_counts) seen[at].counted = walk.counted(m);
                if (stage != one_candidate)
                    seen[at].scores[stage - by_prior].assign(walk.scores(m).begin(), walk.scores(m).end());
            }
        };
        if (probe != nullptr) seen.assign(static_cast<std::size_t>(walk.words()), {});
        if (probe != nullptr || !temperatures.empty())
            run_stages(walk, model.second_order(), thresholds, probe != nullptr, look);
        else
            run_stages(walk, model.second_order(), thresholds);
        if (!temperatures.empty() && model.second_order()) {
            const std::vector<float> chances = walk.probabilities(temperatures[by_second_order]);
            for (Node m = 1; m <= walk.words(); ++m)
                if (walk.size(m) > 1)
                    result.confidences[begin + static_cast<std::size_t>(m) - 1] = chances[walk.chosen(m)];
        }
        for (Node m = 1; m <= walk.words(); ++m) {
            const std::size_t at = static_cast<std::size_t>(m) - 1;
            result.labels[begin + at] = walk.label(m);
            result.stages[begin + at] = walk.stage(m);
            for (std::size_t i = 0; probe != nullptr && i < probe->gaps.size(); ++i) {
                const bool choice = !seen[at].labels.empty();
                if (choice && i == by_counts - by_prior) {
                    const ArcCounts::Answer counted = seen[at].counted;
                    probe->gaps[i].push_back(counted.label == walk.label(m) ? 0 : counted.lead);
                    probe->leads[i].push_back(counted.lead);
                    continue;
                }
                probe->gaps[i].push_back(choice ? gap_of(seen[at].labels, seen[at].scores[i], walk.label(m))
                                                : infinite);
                probe->leads[i].push_back(choice ? lead_of(seen[at].scores[i]) : infinite);
            }
        }
    }
    result.work = walk.work();
    return result;
}

std::vector<TensorTrace> trace(const TensorModel& model, const corpus::Columns& columns, Thresholds thresholds,
                               std::span<const std::uint32_t> sentences) {
    TreeStages walk(model, columns);
    std::vector<TensorTrace> result;
    // Numbers of the labels that are left, for all candidates.
    const auto spread = [](const TensorTrace& arc, std::span<const Label> left, std::span<const float> numbers,
                           float dropped) {
        std::vector<float> all(arc.candidates.size(), dropped);
        for (std::size_t i = 0; i < left.size(); ++i)
            all[static_cast<std::size_t>(std::ranges::find(arc.candidates, left[i]) - arc.candidates.begin())] =
                numbers[i];
        return all;
    };
    for (const std::uint32_t sentence : sentences) {
        walk.enter(sentence);
        const std::size_t before = result.size();
        result.resize(before + static_cast<std::size_t>(walk.words()));
        run_stages(walk, model.second_order(), thresholds, false, [&](Stage stage) {
            for (Node m = 1; m <= walk.words(); ++m) {
                TensorTrace& arc = result[before + static_cast<std::size_t>(m) - 1];
                if (stage == one_candidate) {
                    arc.word = columns.sentences[sentence] + static_cast<std::uint32_t>(m) - 1;
                    arc.candidates.assign(walk.labels(m).begin(), walk.labels(m).end());
                    arc.prior.assign(walk.scores(m).begin(), walk.scores(m).end());
                    arc.counted = walk.counted(m).label;
                    arc.lead = walk.size(m) > 1 ? walk.counted(m).lead : 0;
                } else if (stage == by_first_order && walk.size(m) > 1) {
                    arc.first = spread(arc, walk.labels(m), walk.scores(m), -infinite);
                }
            }
        });
        const std::vector<float> chances =
            model.second_order() ? walk.probabilities(1.0F) : std::vector<float>(walk.left());
        for (Node m = 1; m <= walk.words(); ++m) {
            TensorTrace& arc = result[before + static_cast<std::size_t>(m) - 1];
            arc.stage = walk.stage(m);
            arc.label = walk.label(m);
            if (arc.stage == by_second_order)
                arc.last = spread(arc, walk.labels(m), std::span(chances).subspan(walk.begin(m), walk.size(m)), 0.0F);
        }
    }
    return result;
}

}  // namespace laconic::label
