#include "label/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "label/sparse_scores.hpp"
#include "label/tree_labels.hpp"
#include "learn/kernels.hpp"

namespace laconic::label {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

// Labels one sentence after another. Memory is reused.
class Sentences {
public:
    Sentences(const TensorModel& model, const corpus::Columns& columns)
        : model_(model),
          candidates_(model.parts.candidates),
          table_(model.parts.table),
          columns_(columns),
          words_(model.types, model.reader.columns(), model.parts.lexicon, columns),
          vectors_(model.parts.plan, table_, model.reader, model.folded, model.types, words_, tree_),
          product_(table_.lanes(0)),
          second_lanes_(model.second_order() ? table_.lanes(second_modifier) : 0),
          second_(second_lanes_),
          with_lower_(second_lanes_) {
        if (model.parts.sparse.table != nullptr) sparse_.emplace(model.parts.sparse, model.parts.pos, columns);
    }

    void enter(std::size_t sentence) {
        const std::span<const std::int32_t> heads = columns_.heads_of(sentence);
        if (!tree_.try_enter(heads)) refuse_heads(heads, sentence);
        words_.enter(sentence);
        vectors_.enter();
        if (sparse_) sparse_->enter(sentence);
        size_ = tree_.words();
        stages_.assign(static_cast<std::size_t>(size_) + 1, one_candidate);
        chosen_.assign(static_cast<std::size_t>(size_) + 1, 0);
        begins_.assign(static_cast<std::size_t>(size_) + 2, 0);  // the root has none
        arcs_.resize(static_cast<std::size_t>(size_) + 1);
    }

    // The candidates of each arc, without those that trail by the prior. What is left of a pair of tags is found once.
    void start(float threshold) {
        if (left_of_.empty()) {
            left_of_.assign(candidates_.keys().size() + 1, {});
            left_labels_.reserve(candidates_.priors().size());  // so that nothing moves
            left_priors_.reserve(candidates_.priors().size());
        }
        for (Node m = 1; m <= size_; ++m) {
            const auto at = static_cast<std::size_t>(m);
            const std::uint32_t entry = entry_of(m);
            Left& left = left_of_[entry];
            if (left.size == 0) left = find_left(entry, threshold);
            arcs_[at] = {left.labels, left.priors};
            begins_[at + 1] = begins_[at] + left.size;
            stages_[at] = left.by_prior ? by_prior : one_candidate;
        }
        if (scores_.size() < begins_.back()) {
            labels_.resize(2 * begins_.back());
            priors_.resize(2 * begins_.back());
            scores_.resize(2 * begins_.back());
        }
        for (Node m = 1; m <= size_; ++m)
            if (size(m) == 1) scores_[begin(m)] = priors(m)[0];
    }

    // Priors are the scores of arcs so far.
    void show_priors() {
        for (Node m = 1; m <= size_; ++m) std::copy_n(priors(m), size(m), scores_.data() + begin(m));
    }

    // Drops the labels that trail; `stage` is what decided an arc of which one is left.
    void drop(float threshold, Stage stage) {
        std::uint32_t to = 0;
        std::uint32_t begin = 0;
        for (Node m = 1; m <= size_; ++m) {
            const auto at = static_cast<std::size_t>(m);
            const std::uint32_t end = begins_[at + 1];
            const std::uint32_t size = end - begin, first = to;
            const Arc arc = arcs_[at];
            const std::span<const float> scores(scores_.data() + begin, size);
            const std::uint32_t best = size == 1 ? 0 : best_of(scores);
            // Where scores are numbers that cannot be compared, all stay.
            const auto trails = [highest = scores[best], threshold](float score) {
                return highest - score >= threshold;
            };
            std::uint32_t behind = 0;
            for (const float score : scores) behind += trails(score) ? 1 : 0;
            const auto keep = [&](std::uint32_t i) {
                labels_[to] = arc.labels[i];
                priors_[to] = arc.priors[i];
                scores_[to++] = scores[i];
            };
            if (behind + 1 == size) {
                keep(best);
                if (size > 1) stages_[at] = stage;
            } else {
                for (std::uint32_t i = 0; i < size; ++i)
                    if (!trails(scores[i])) keep(i);
            }
            arcs_[at] = {labels_.data() + first, priors_.data() + first};
            begin = end;
            begins_[at + 1] = to;
        }
    }

    // The scores of all labels that are left, by all templates of modifiers, and of heads by the first part of the
    // templates or by all.
    void add_first_order(bool whole) {
        for (Node m = 1; m <= size_; ++m) {
            if (size(m) == 1) continue;
            vectors_.need(modifier, m);
            if (whole)
                vectors_.need(head, tree_.head(m));
            else
                vectors_.fetch_first_part(head, tree_.head(m));
        }
        vectors_.compute();
        const std::size_t lanes = table_.lanes(modifier);
        for (Node m = 1; m <= size_; ++m) {
            if (size(m) == 1) continue;
            const Node h = tree_.head(m);
            const float* of_modifier = vectors_.whole(modifier, m);
            const float* of_head = whole ? vectors_.whole(head, h) : vectors_.first_part(head, h);
            learn::multiply(of_modifier, of_head, product_.data(), lanes);
            const std::uint32_t count = size(m);
            float* scores = scores_.data() + begin(m);
            learn::score_labels()(product_.data(), table_.output(bucket_of(h, m, model_.buckets()), 0), lanes,
                                  labels(m).data(), count, scores);
            const float* priors = this->priors(m);
            for (std::uint32_t i = 0; i < count; ++i) scores[i] = priors[i] + scores[i];
            if (whole && sparse_) sparse_->add(m, labels(m), scores);
            scores_computed_ += count;
        }
    }

    // All vectors that pair_scores() asks for.
    void add_second_order() {
        for (Node m = 1; m <= size_; ++m) {
            const Node h = tree_.head(m);
            if (h == corpus::root || (size(m) == 1 && size(h) == 1)) continue;
            vectors_.need(second_modifier, m);
            vectors_.need(second_head, h);
            vectors_.need(grandparent, tree_.head(h));
        }
        vectors_.compute();
    }

    // The scores of the labels of an arc with those of the arc above; false where neither has a choice.
    bool pair_scores(Node m, std::span<float> scores) {
        const Node h = tree_.head(m);
        if (size(m) == 1 && size(h) == 1) return false;
        const Node g = tree_.head(h);
        learn::multiply(vectors_.whole(second_modifier, m), vectors_.whole(second_head, h), second_.data(),
                        second_lanes_);
        learn::multiply(second_.data(), vectors_.whole(grandparent, g), second_.data(), second_lanes_);
        const float* below = vectors_of(model_.parts.lower, bucket_of(h, m, model_.buckets()));
        const float* above = vectors_of(model_.parts.upper, bucket_of(g, h, model_.buckets()));
        const std::uint32_t here = size(m), of_head = size(h);
        pair_scores_.resize(of_head);
        for (std::uint32_t q = 0; q < here; ++q) {
            learn::multiply(second_.data(), below + labels(m)[q] * second_lanes_, with_lower_.data(), second_lanes_);
            learn::score_labels()(with_lower_.data(), above, second_lanes_, labels(h).data(), of_head,
                                  pair_scores_.data());
            for (std::uint32_t p = 0; p < of_head; ++p) scores[p * here + q] = pair_scores_[p];
        }
        pairs_computed_ += here * of_head;
        return true;
    }

    // The best labels of the tree among those that are left.
    void choose() {
        const auto pair = [&](Node m, std::span<float> scores) { return pair_scores(m, scores); };
        if (model_.second_order()) {
            add_second_order();
            tree_labels_.best(tree_, {begins_}, scores_, pair, chosen_);
        }
        for (Node m = 1; m <= size_; ++m) {
            if (size(m) == 1) continue;
            const auto at = static_cast<std::size_t>(m);
            stages_[at] = model_.second_order() ? by_second_order : by_first_order;
            if (!model_.second_order()) chosen_[at] = best_of(scores(m));
        }
    }

    // Of each label that is left, in the tree.
    std::vector<float> probabilities(float temperature) {
        std::vector<float> tempered(scores_.begin(), scores_.begin() + begins_.back());
        for (float& score : tempered) score /= temperature;
        std::vector<float> chances(tempered.size());
        const auto pair = [&](Node m, std::span<float> scores) {
            if (!model_.second_order() || !pair_scores(m, scores)) return false;
            for (float& score : scores) score /= temperature;
            return true;
        };
        tree_labels_.marginals(tree_, {begins_}, tempered, pair, chances, [](Node, std::span<const float>) {});
        return chances;
    }

    [[nodiscard]] std::uint32_t begin(Node m) const noexcept { return begins_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] std::uint32_t size(Node m) const noexcept {
        return begins_[static_cast<std::size_t>(m) + 1] - begin(m);
    }
    [[nodiscard]] std::size_t left() const noexcept { return begins_.back(); }  // labels of all arcs
    [[nodiscard]] Node words() const noexcept { return size_; }
    // Where the chosen label of an arc stands among those that are left of all arcs.
    [[nodiscard]] std::size_t chosen(Node m) const noexcept { return begin(m) + chosen_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] Label label(Node m) const noexcept { return labels(m)[chosen_[static_cast<std::size_t>(m)]]; }
    [[nodiscard]] Stage stage(Node m) const noexcept { return stages_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] std::span<const Label> labels(Node m) const noexcept {
        return {arcs_[static_cast<std::size_t>(m)].labels, size(m)};
    }
    [[nodiscard]] std::span<const float> scores(Node m) const noexcept {
        return std::span(scores_).subspan(begin(m), size(m));
    }

    [[nodiscard]] TensorWork work() const noexcept {
        TensorWork work{vectors_.templates, vectors_.rows, scores_computed_, pairs_computed_};
        if (sparse_) work.templates += sparse_->templates, work.rows += sparse_->rows();
        return work;
    }

private:
    // The candidates of an arc that are left.
    struct Arc {
        const Label* labels = nullptr;
        const float* priors = nullptr;
    };
    // What is left of the candidates of a pair of tags after the prior.
    struct Left {
        const Label* labels = nullptr;
        const float* priors = nullptr;
        std::uint32_t size = 0;
        bool by_prior = false;
    };

    [[nodiscard]] const float* priors(Node m) const noexcept { return arcs_[static_cast<std::size_t>(m)].priors; }
    // The first of the highest scores. Without a branch, which would be unpredictable.
    static std::uint32_t best_of(std::span<const float> scores) noexcept {
        std::uint32_t best = 0;
        float highest = scores[0];
        for (std::uint32_t i = 1; i < scores.size(); ++i) {
            best = scores[i] > highest ? i : best;
            highest = std::max(highest, scores[i]);
        }
        return best;
    }
    [[nodiscard]] const float* vectors_of(const std::vector<float>& of, std::uint32_t bucket) const noexcept {
        return of.data() + std::size_t{bucket} * table_.labels() * second_lanes_;
    }
    [[nodiscard]] std::uint32_t entry_of(Node m) const noexcept {
        const Node h = tree_.head(m);
        // The root has no tag, as a word that does not exist.
        const Node above = h == corpus::root ? corpus::none : h;
        return model_.pairs.entry(words_, above, m, m > h);
    }
    Left find_left(std::uint32_t entry, float threshold) {
        const std::span<const Label> some = candidates_.sets()[candidates_.set_of(entry)];
        const std::span<const float> priors(candidates_.priors_of(entry), some.size());
        const float best = std::ranges::max(priors);
        const std::size_t begin = left_labels_.size();
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (some.size() > 1 && best - priors[i] >= threshold) continue;
            left_labels_.push_back(some[i]);
            left_priors_.push_back(priors[i]);
        }
        const auto size = static_cast<std::uint32_t>(left_labels_.size() - begin);
        return {left_labels_.data() + begin, left_priors_.data() + begin, size, some.size() > 1 && size == 1};
    }

    const TensorModel& model_;
    const LabelCandidates& candidates_;
    const learn::FactorTable& table_;
    const corpus::Columns& columns_;
    corpus::Tree tree_;
    SentenceTypes words_;
    Projections vectors_;
    std::optional<SparseScores> sparse_;
    std::vector<float> product_;
    std::size_t second_lanes_;
    std::vector<float> second_, with_lower_, pair_scores_;
    Node size_ = 0;                      // of the sentence
    std::vector<std::uint32_t> begins_;  // of the scores of the candidates of each node that are left
    std::vector<Arc> arcs_;
    std::vector<float> scores_;
    std::vector<Label> labels_;  // of arcs of which some were dropped, and their priors
    std::vector<float> priors_;
    std::vector<Left> left_of_;  // of each pair of tags, by the one threshold of a document
    std::vector<Label> left_labels_;
    std::vector<float> left_priors_;
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

// Runs the stages over one sentence that was entered. after(stage) is called with the scores of a stage, before labels
// are dropped for trailing there.
template <class After>
void run_stages(Sentences& walk, bool second_order, Thresholds thresholds, bool every_stage, After&& after) {
    walk.start(infinite);
    walk.show_priors();
    after(one_candidate);
    if (every_stage || thresholds.prior < infinite) {
        after(by_prior);
        walk.drop(thresholds.prior, by_prior);
    }
    if (every_stage || thresholds.modifier < infinite) {
        walk.add_first_order(false);
        after(by_modifier);
        walk.drop(thresholds.modifier, by_modifier);
    }
    walk.add_first_order(true);
    after(by_first_order);
    if (second_order) walk.drop(thresholds.first, by_first_order);
    walk.choose();
}

// The same where nobody looks at what stages have computed.
void run_stages(Sentences& walk, bool second_order, Thresholds thresholds) {
    walk.start(thresholds.prior);
    if (thresholds.modifier < infinite) {
        walk.add_first_order(false);
        walk.drop(thresholds.modifier, by_modifier);
    }
    walk.add_first_order(true);
    if (second_order && thresholds.first < infinite) walk.drop(thresholds.first, by_first_order);
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
        const auto look = [&](Stage stage) {
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
                } else if (stage >= by_modifier && walk.size(m) > 1) {
                    (stage == by_modifier ? arc.modifier : arc.first) =
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
