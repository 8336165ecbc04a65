#include "label/tree_stages.hpp"

#include <algorithm>
#include <limits>

#include "learn/kernels.hpp"

namespace laconic::label {

namespace {

// The first of the highest scores. Without a branch, which would be unpredictable.
std::uint32_t best_of(std::span<const float> scores) noexcept {
    std::uint32_t best = 0;
    float highest = scores[0];
    for (std::uint32_t i = 1; i < scores.size(); ++i) {
        best = scores[i] > highest ? i : best;
        highest = std::max(highest, scores[i]);
    }
    return best;
}

}  // namespace

TreeStages::TreeStages(const TensorModel& model, const corpus::Columns& columns)
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
    left_of_.assign(candidates_.keys().size() + 1, {});
    left_labels_.reserve(candidates_.priors().size());  // so that nothing moves
    left_priors_.reserve(candidates_.priors().size());
}

void TreeStages::enter(std::size_t sentence) {
    const std::span<const std::int32_t> heads = columns_.heads_of(sentence);
    if (!tree_.try_enter(heads)) refuse_heads(heads, sentence);
    words_.enter(sentence);
    vectors_.enter();
    if (sparse_) sparse_->enter(sentence);
    size_ = tree_.words();
    const std::size_t nodes = static_cast<std::size_t>(size_) + 1;
    chosen_.assign(nodes, 0);
    begins_.resize(nodes + 1);
    arcs_.resize(nodes);
    arcs_[0] = {};  // the root has no labels
}

void TreeStages::start(float prior, float counts) {
    const auto nodes = static_cast<std::size_t>(size_) + 1;
    for (std::size_t at = 1; at < nodes; ++at) {
        const std::uint32_t entry = entry_of(static_cast<Node>(at));
        Arc& left = left_of_[entry];
        if (left.size == 0) left = find_left(entry, prior);
        arcs_[at] = left;
    }
    if (counts < std::numeric_limits<float>::infinity()) decide_by_counts(counts);
    lay_out();
    for (Node m = 1; m <= size_; ++m)
        if (size(m) == 1) scores_[begin(m)] = priors(m)[0];
}

void TreeStages::lay_out() {
    open_.clear();
    begins_[0] = 0;
    for (std::size_t at = 0; at < arcs_.size(); ++at) {
        begins_[at + 1] = begins_[at] + arcs_[at].size;
        if (arcs_[at].size > 1) open_.push_back(static_cast<Node>(at));
    }
    if (scores_.size() < begins_.back()) {
        labels_.resize(2 * begins_.back());
        priors_.resize(2 * begins_.back());
        scores_.resize(2 * begins_.back());
    }
}

ArcCounts::Answer TreeStages::counted(Node m) const noexcept {
    return model_.counts.find(model_.counts.finest_key(words_, tree_, m), words_, tree_, m);
}

// All keys first, so that the latencies of memory overlap.
void TreeStages::decide_by_counts(float threshold) {
    const auto nodes = static_cast<std::size_t>(size_) + 1;
    kinds_.resize(nodes);
    counted_.resize(nodes);
    for (std::size_t at = 1; at < nodes; ++at)
        if (arcs_[at].size > 1) kinds_[at] = model_.counts.finest_key(words_, tree_, static_cast<Node>(at));
    for (std::size_t at = 1; at < nodes; ++at) {
        Arc& arc = arcs_[at];
        if (arc.size <= 1) continue;
        ++counts_read_;
        const ArcCounts::Answer found = model_.counts.find(kinds_[at], words_, tree_, static_cast<Node>(at));
        if (found.lead < threshold) continue;
        counted_[at] = found.label;
        arc = {&counted_[at], arc.priors, 1, by_counts};
    }
}

void TreeStages::drop_by_counts(float threshold) {
    decide_by_counts(threshold);
    lay_out();
    show_priors();
}

void TreeStages::show_priors() {
    for (Node m = 1; m <= size_; ++m) std::copy_n(priors(m), size(m), scores_.data() + begin(m));
}

void TreeStages::drop(float threshold, Stage stage) {
    std::uint32_t to = 0;
    for (std::size_t at = 1; at < arcs_.size(); ++at) {
        const Arc arc = arcs_[at];
        const std::uint32_t first = to;
        const std::span<const float> scores(scores_.data() + begins_[at], arc.size);
        const std::uint32_t best = arc.size == 1 ? 0 : best_of(scores);
        // Where scores are numbers that cannot be compared, all stay.
        const auto trails = [highest = scores[best], threshold](float score) { return highest - score >= threshold; };
        std::uint32_t behind = 0;
        for (const float score : scores) behind += trails(score) ? 1 : 0;
        const auto keep = [&](std::uint32_t i) {
            labels_[to] = arc.labels[i];
            priors_[to] = arc.priors[i];
            scores_[to++] = scores[i];
        };
        const bool decided = arc.size > 1 && behind + 1 == arc.size;
        if (behind + 1 == arc.size)
            keep(best);
        else
            for (std::uint32_t i = 0; i < arc.size; ++i)
                if (!trails(scores[i])) keep(i);
        arcs_[at] = {labels_.data() + first, priors_.data() + first, to - first, decided ? stage : arc.stage};
    }
    lay_out();
}

void TreeStages::add_first_order() {
    for (const Node m : open_) {
        vectors_.need(modifier, m);
        vectors_.need(head, tree_.head(m));
    }
    vectors_.compute();
    const std::size_t lanes = table_.lanes(modifier);
    const learn::ScoreLabels score_labels = learn::score_labels();
    for (const Node m : open_) {
        const Node h = tree_.head(m);
        learn::multiply(vectors_.of(modifier, m), vectors_.of(head, h), product_.data(), lanes);
        const std::uint32_t count = size(m);
        float* scores = scores_.data() + begin(m);
        score_labels(product_.data(), table_.output(bucket_of(h, m, model_.buckets()), 0), lanes, labels(m).data(),
                     count, scores);
        const float* priors = this->priors(m);
        for (std::uint32_t i = 0; i < count; ++i) scores[i] = priors[i] + scores[i];
        if (sparse_) sparse_->add(m, labels(m), scores);
        scores_computed_ += count;
    }
}

void TreeStages::add_second_order() {
    for (Node m = 1; m <= size_; ++m) {
        const Node h = tree_.head(m);
        if (h == corpus::root || (size(m) == 1 && size(h) == 1)) continue;
        vectors_.need(second_modifier, m);
        vectors_.need(second_head, h);
        vectors_.need(grandparent, tree_.head(h));
    }
    vectors_.compute();
}

bool TreeStages::pair_scores(Node m, std::span<float> scores) {
    const Node h = tree_.head(m);
    if (size(m) == 1 && size(h) == 1) return false;
    const Node g = tree_.head(h);
    learn::multiply(vectors_.of(second_modifier, m), vectors_.of(second_head, h), second_.data(), second_lanes_);
    learn::multiply(second_.data(), vectors_.of(grandparent, g), second_.data(), second_lanes_);
    const float* below = vectors_of(model_.parts.lower, bucket_of(h, m, model_.buckets()));
    const float* above = vectors_of(model_.parts.upper, bucket_of(g, h, model_.buckets()));
    const std::uint32_t here = size(m), of_head = size(h);
    pair_scores_.resize(of_head);
    for (std::uint32_t q = 0; q < here; ++q) {
        learn::multiply(second_.data(), below + labels(m)[q] * second_lanes_, with_lower_.data(), second_lanes_);
        learn::score_labels()(with_lower_.data(), above, second_lanes_, labels(h).data(), of_head, pair_scores_.data());
        for (std::uint32_t p = 0; p < of_head; ++p) scores[p * here + q] = pair_scores_[p];
    }
    pairs_computed_ += here * of_head;
    return true;
}

void TreeStages::choose() {
    const auto pair = [&](Node m, std::span<float> scores) { return pair_scores(m, scores); };
    if (model_.second_order()) {
        add_second_order();
        tree_labels_.best(tree_, {begins_}, scores_, pair, chosen_);
    }
    for (const Node m : open_) {
        const auto at = static_cast<std::size_t>(m);
        arcs_[at].stage = model_.second_order() ? by_second_order : by_first_order;
        if (!model_.second_order()) chosen_[at] = best_of(scores(m));
    }
}

std::vector<float> TreeStages::probabilities(float temperature) {
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

TensorWork TreeStages::work() const noexcept {
    TensorWork work{vectors_.templates, vectors_.rows + counts_read_, scores_computed_, pairs_computed_};
    if (sparse_) work.templates += sparse_->templates, work.rows += sparse_->rows();
    return work;
}

TreeStages::Arc TreeStages::find_left(std::uint32_t entry, float threshold) {
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
    return {left_labels_.data() + begin, left_priors_.data() + begin, size,
            some.size() > 1 && size == 1 ? by_prior : one_candidate};
}

}  // namespace laconic::label
