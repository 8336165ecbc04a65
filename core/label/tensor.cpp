#include "label/tensor.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "features/tree_steps.hpp"
#include "label/tree_labels.hpp"
#include "learn/matrix.hpp"

namespace laconic::label {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

// Labels one sentence after another. Memory is reused.
class Sentences {
public:
    Sentences(const TensorModel& model, const corpus::Columns& columns)
        : model_(model),
          reader_(model.plan, model.lexicon.attributes(), model.pos),
          rows_(model.lexicon, columns),
          context_(reader_, rows_, columns),
          vectors_(model.plan, model.table, reader_, context_),
          product_(model.table.lanes(0)),
          second_lanes_(model.second_order() ? model.table.lanes(second_modifier) : 0),
          second_(second_lanes_),
          with_lower_(second_lanes_) {}

    void enter(std::size_t sentence) {
        context_.enter(sentence);
        words_ = context_.tree().words();
        vectors_.enter();
        stages_.assign(static_cast<std::size_t>(words_) + 1, one_candidate);
        chosen_.assign(static_cast<std::size_t>(words_) + 1, 0);
    }

    // The candidates of each arc with their priors.
    void start() {
        begins_.assign(2, 0);  // none of the root
        labels_.clear();
        priors_.clear();
        for (Node m = 1; m <= words_; ++m) {
            const Node h = context_.tree().head(m);
            const std::uint32_t entry = model_.candidates.entry(pair_key(context_.tag(h), context_.tag(m), m > h));
            const std::span<const Label> some = model_.candidates.sets()[model_.candidates.set_of(entry)];
            const float* priors = model_.candidates.priors_of(entry);
            labels_.insert(labels_.end(), some.begin(), some.end());
            priors_.insert(priors_.end(), priors, priors + some.size());
            begins_.push_back(static_cast<std::uint32_t>(labels_.size()));
        }
        scores_ = priors_;
    }

    // Drops the labels that trail; `stage` is what decided an arc of which one is left.
    void drop(float threshold, Stage stage) {
        std::uint32_t to = 0;
        std::uint32_t begin = 0;
        for (Node m = 1; m <= words_; ++m) {
            const auto at = static_cast<std::size_t>(m);
            const std::uint32_t end = begins_[at + 1];
            const std::uint32_t size = end - begin, first = to;
            const float best = *std::max_element(scores_.begin() + begin, scores_.begin() + end);
            for (std::uint32_t i = begin; i < end; ++i) {
                // The best one stays even where its score is not a number that can be compared.
                if (size > 1 && best - scores_[i] >= threshold) continue;
                labels_[to] = labels_[i];
                priors_[to] = priors_[i];
                scores_[to++] = scores_[i];
            }
            if (size > 1 && to - first == 1) stages_[at] = stage;
            begin = end;
            begins_[at + 1] = to;
        }
    }

    // The scores of all labels that are left, by the first part of the templates or by all of them.
    void add_first_order(bool whole) {
        const std::size_t lanes = model_.table.lanes(modifier);
        for (Node m = 1; m <= words_; ++m) {
            if (size(m) == 1) continue;
            const Node h = context_.tree().head(m);
            if (whole)
                learn::multiply(vectors_.whole(modifier, m), vectors_.whole(head, h), product_.data(), lanes);
            else
                learn::multiply(vectors_.first_part(modifier, m), vectors_.first_part(head, h), product_.data(), lanes);
            const std::uint32_t bucket = bucket_of(h, m, model_.buckets());
            for (std::uint32_t i = begin(m); i < begin(m) + size(m); ++i)
                scores_[i] = priors_[i] + learn::dot(product_.data(), model_.table.output(bucket, labels_[i]), lanes);
            scores_computed_ += size(m);
        }
    }

    // The scores of the labels of an arc with those of the arc above; false where neither has a choice.
    bool pair_scores(Node m, std::span<float> scores) {
        const Node h = context_.tree().head(m);
        if (size(m) == 1 && size(h) == 1) return false;
        const Node g = context_.tree().head(h);
        learn::multiply(vectors_.whole(second_modifier, m), vectors_.whole(second_head, h), second_.data(),
                        second_lanes_);
        learn::multiply(second_.data(), vectors_.whole(grandparent, g), second_.data(), second_lanes_);
        const std::uint32_t below = bucket_of(h, m, model_.buckets()), above = bucket_of(g, h, model_.buckets());
        const std::uint32_t here = size(m), of_head = size(h);
        for (std::uint32_t q = 0; q < here; ++q) {
            learn::multiply(second_.data(), vector(model_.lower, below, labels_[begin(m) + q]), with_lower_.data(),
                            second_lanes_);
            for (std::uint32_t p = 0; p < of_head; ++p)
                scores[p * here + q] =
                    learn::dot(with_lower_.data(), vector(model_.upper, above, labels_[begin(h) + p]), second_lanes_);
        }
        pairs_computed_ += here * of_head;
        return true;
    }

    // The best labels of the tree among those that are left.
    void choose() {
        const auto pair = [&](Node m, std::span<float> scores) { return pair_scores(m, scores); };
        if (model_.second_order()) tree_labels_.best(context_.tree(), {begins_}, scores_, pair, chosen_);
        for (Node m = 1; m <= words_; ++m) {
            if (size(m) == 1) continue;
            const auto at = static_cast<std::size_t>(m);
            stages_[at] = model_.second_order() ? by_second_order : by_first_order;
            if (!model_.second_order())
                chosen_[at] = static_cast<std::uint32_t>(std::ranges::max_element(scores(m)) - scores(m).begin());
        }
    }

    // Of each label that is left, in the tree.
    std::vector<float> probabilities(float temperature) {
        std::vector<float> tempered(scores_.begin(), scores_.end());
        for (float& score : tempered) score /= temperature;
        std::vector<float> chances(scores_.size());
        const auto pair = [&](Node m, std::span<float> scores) {
            if (!model_.second_order() || !pair_scores(m, scores)) return false;
            for (float& score : scores) score /= temperature;
            return true;
        };
        tree_labels_.marginals(context_.tree(), {begins_}, tempered, pair, chances,
                               [](Node, std::span<const float>) {});
        return chances;
    }

    [[nodiscard]] std::uint32_t begin(Node m) const noexcept { return begins_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] std::uint32_t size(Node m) const noexcept {
        return begins_[static_cast<std::size_t>(m) + 1] - begin(m);
    }
    [[nodiscard]] std::size_t left() const noexcept { return begins_.back(); }  // labels of all arcs
    [[nodiscard]] Node words() const noexcept { return words_; }
    // Where the chosen label of an arc stands among those that are left of all arcs.
    [[nodiscard]] std::size_t chosen(Node m) const noexcept { return begin(m) + chosen_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] Label label(Node m) const noexcept { return labels_[chosen(m)]; }
    [[nodiscard]] Stage stage(Node m) const noexcept { return stages_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] std::span<const Label> labels(Node m) const noexcept {
        return std::span(labels_).subspan(begin(m), size(m));
    }
    [[nodiscard]] std::span<const float> scores(Node m) const noexcept {
        return std::span(scores_).subspan(begin(m), size(m));
    }

    [[nodiscard]] TensorWork work() const noexcept {
        return {vectors_.templates, vectors_.rows, scores_computed_, pairs_computed_};
    }

private:
    [[nodiscard]] const float* vector(const std::vector<float>& of, std::uint32_t bucket, Label label) const noexcept {
        return of.data() + (std::size_t{bucket} * model_.table.labels() + label) * second_lanes_;
    }

    const TensorModel& model_;
    EdgeReader reader_;
    features::WordRows rows_;
    EdgeContext context_;
    Projections vectors_;
    std::vector<float> product_;
    std::size_t second_lanes_;
    std::vector<float> second_, with_lower_;
    Node words_ = 0;
    std::vector<std::uint32_t> begins_;  // of the candidates of each node that are left
    std::vector<Label> labels_;
    std::vector<float> priors_, scores_;
    std::uint64_t scores_computed_ = 0, pairs_computed_ = 0;
    std::vector<Stage> stages_;
    std::vector<std::uint32_t> chosen_;
    TreeLabels tree_labels_;
};

// The probability of the best of some scores.
float probability(std::span<const float> scores, float temperature) {
    const float best = std::ranges::max(scores);
    double sum = 0;
    for (const float score : scores) sum += std::exp(static_cast<double>(score - best) / temperature);
    return static_cast<float>(1 / sum);
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

}  // namespace

std::uint32_t bucket_of(Node head, Node modifier, std::uint32_t buckets) noexcept {
    const std::uint32_t right = modifier > head ? 1 : 0;
    if (buckets == direction_buckets) return right;
    // The root stands before the first word.
    const auto distance = static_cast<std::uint32_t>(right != 0 ? modifier - head : head - modifier);
    return right * (length_buckets / 2) + features::distance_step(distance) - 1;
}

void TensorModel::check() const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw ModelError(std::string("the labeler in the model is damaged: ") + what);
    };
    require(table.roles() == first_order_roles || table.roles() == all_roles, "roles");
    require(table.templates() == plan.size() && table.labels() == candidates.sets().labels(), "templates or labels");
    require(buckets() == direction_buckets || buckets() == length_buckets, "buckets");
    require(!candidates.priors().empty(), "priors");
    std::size_t needed = 0;
    if (second_order()) {
        const std::size_t lanes = table.lanes(second_modifier);
        require(table.lanes(second_head) == lanes && table.lanes(grandparent) == lanes, "lanes");
        needed = std::size_t{buckets()} * table.labels() * lanes;
    }
    require(upper.size() == needed && lower.size() == needed, "label vectors");
    const auto moderate = [](float value) { return std::abs(value) <= 1e4F; };
    require(std::ranges::all_of(upper, moderate) && std::ranges::all_of(lower, moderate), "label vectors");
}

namespace {

// Runs the stages over one sentence that was entered. after(stage) is called with the scores of a stage, before labels
// are dropped for trailing there.
template <class After>
void run_stages(Sentences& walk, bool second_order, Thresholds thresholds, bool every_stage, After&& after) {
    walk.start();
    after(one_candidate);
    if (every_stage || thresholds.prior < infinite) {
        after(by_prior);
        walk.drop(thresholds.prior, by_prior);
    }
    if (every_stage || thresholds.words < infinite) {
        walk.add_first_order(false);
        after(by_words);
        walk.drop(thresholds.words, by_words);
    }
    walk.add_first_order(true);
    after(by_first_order);
    if (second_order) walk.drop(thresholds.first, by_first_order);
    walk.choose();
}

}  // namespace

TensorLabelled label(const TensorModel& model, const corpus::Columns& columns, Thresholds thresholds,
                     std::span<const float> temperatures, std::span<const std::uint32_t> sentences,
                     TensorProbe* probe) {
    Sentences walk(model, columns);
    TensorLabelled result;
    result.labels.resize(columns.words());
    result.stages.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    struct Seen {
        std::vector<Label> labels;
        std::array<std::vector<float>, 3> scores;
    };
    std::vector<Seen> seen;  // by the probe, of each word
    for (const std::uint32_t sentence : sentences) {
        const std::size_t begin = columns.sentences[sentence];
        walk.enter(sentence);
        if (probe != nullptr) seen.assign(static_cast<std::size_t>(walk.words()), {});
        run_stages(walk, model.second_order(), thresholds, probe != nullptr, [&](Stage stage) {
            for (Node m = 1; m <= walk.words(); ++m) {
                const std::size_t at = static_cast<std::size_t>(m) - 1;
                // What a stage decides is as sure as all candidates that it had make it.
                if (!temperatures.empty() && (walk.size(m) > 1) == (stage != one_candidate))
                    result.confidences[begin + at] =
                        stage == one_candidate ? temperatures[0] : probability(walk.scores(m), temperatures[stage]);
                if (probe == nullptr || walk.size(m) == 1) continue;
                if (stage == one_candidate) seen[at].labels.assign(walk.labels(m).begin(), walk.labels(m).end());
                if (stage != one_candidate)
                    seen[at].scores[stage - by_prior].assign(walk.scores(m).begin(), walk.scores(m).end());
            }
        });
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
    Sentences walk(model, columns);
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
                } else if (stage >= by_words && walk.size(m) > 1) {
                    (stage == by_words ? arc.words : arc.first) =
                        spread(arc, walk.labels(m), walk.scores(m), -infinite);
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
