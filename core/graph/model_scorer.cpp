#include "graph/model_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/moves.hpp"
#include "graph/policies.hpp"

namespace laconic::graph {

Sum GraphModel::sibling_drop() const noexcept {
    const double steps = siblings == nullptr ? 0 : siblings->drop * scale();
    return steps < 0x1p40 ? static_cast<Sum>(std::ceil(steps)) : drop_none;
}

ModelScorer::ModelScorer(const GraphModel& model, const corpus::Columns& columns)
    : groups_(model.edge_groups()), rows_(model.arcs.lexicon, columns), arcs_(model.arcs, model.table, rows_, columns) {
    if (model.vectors != nullptr) vectors_.emplace(*model.words, *model.vectors, model.scale(), rows_, columns);
    if (model.siblings != nullptr) parts_.emplace(*model.siblings, model.scale(), rows_, columns);
}

void ModelScorer::enter(std::size_t sentence, Edges& edges, bool choices) {
    arcs_.enter(sentence);
    if (vectors_) vectors_->enter(sentence);
    if (parts_) parts_->enter(sentence);
    const auto words = static_cast<std::size_t>(arcs_.context().size());
    keep_ = choices;
    choices_.resize(words);
    for (Choice& choice : choices_) {
        choice.depth = 0;
        choice.heads.clear();
        choice.scores.clear();
    }
    edges.start(words);
    revive(edges);
}

void ModelScorer::fix(std::span<const Node> heads, Edges& edges) {
    // More than any sum of weights, so that where all arcs come back these are preferred.
    constexpr Score preferred = 1 << 24;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto word = static_cast<Node>(i + 1);
        if (heads[i] == corpus::none || !edges.has_column(heads[i], word)) continue;
        std::ranges::fill(edges.alive(word), 0);
        const std::size_t column = edges.column(heads[i], word);
        set_bit(edges.alive(word), column);
        edges.scores(word)[column] = preferred;
    }
}

void ModelScorer::revive(Edges& edges) const {
    for (Node modifier = 1; modifier <= static_cast<Node>(edges.words()); ++modifier) {
        if (edges.dense()) {
            arcs_.candidates().mark(modifier, edges.alive(modifier));
            continue;
        }
        edges.revive(modifier);
        bool any = false;
        edges.each_alive(modifier, [&](Node head, Score&) { any = any || arcs_.candidates().alive(head, modifier); });
        if (!any) continue;
        edges.each_alive(modifier, [&](Node head, Score&) {
            if (!arcs_.candidates().alive(head, modifier)) edges.kill(head, modifier);
        });
    }
}

std::uint64_t ModelScorer::take_rows() noexcept {
    const std::uint64_t read =
        arcs_.rows_read() + (vectors_ ? vectors_->rows_read() : 0) + (parts_ ? parts_->rows_read() : 0);
    return read - std::exchange(counted_, read);
}

Cost ModelScorer::add(std::size_t group, std::span<const Node> words, Edges& edges) {
    Cost cost;
    heads_.clear();
    begins_.clear();
    chosen_.clear();
    for (const Node word : words) {
        if (!edges.has_choice(word)) continue;
        chosen_.push_back(word);
        begins_.push_back(heads_.size());
        edges.each_alive(word, [&](Node head, Score&) { heads_.push_back(head); });
    }
    begins_.push_back(heads_.size());
    sums_.assign(heads_.size(), 0);
    const bool by_vectors = vectors_ && group == 0;
    const std::size_t own = group - (vectors_ && !by_vectors ? 1 : 0);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const std::size_t count = begins_[i + 1] - begins_[i];
        const auto heads = std::span<const Node>(heads_).subspan(begins_[i], count);
        const auto sums = std::span<Score>(sums_).subspan(begins_[i], count);
        if (by_vectors)
            vectors_->add(chosen_[i], heads, sums);
        else
            arcs_.queue(own, chosen_[i], heads, sums);
    }
    if (!by_vectors) arcs_.finish();
    // A template counts with and without direction and distance.
    cost.templates = heads_.size() * (by_vectors ? 1 : 2 * arcs_.templates(own));
    for (std::size_t i = 0; i < chosen_.size(); ++i) write(group, i, by_vectors ? 1 : GraphModel::resolution, edges);
    cost.rows = take_rows();  // those of the first group have been read since the sentence was entered
    return cost;
}

Cost ModelScorer::add_siblings(std::size_t group, std::span<const Node> words, const OpenParts& parts) {
    Cost cost;
    open_parts_.clear();
    for (const Node word : words) {
        parts.each(word, [&](Node head, Node sibling, Node modifier, Score& score) {
            open_parts_.push_back({head, sibling, modifier, &score});
        });
        Choice& choice = choices_[static_cast<std::size_t>(word) - 1];
        choice.depth = static_cast<std::uint32_t>(groups_ + group + 1);
        if (!keep_) continue;
        choice.heads.clear();
        parts.edges().each_alive(word, [&](Node head, Score) { choice.heads.push_back(head); });
    }
    parts_->add(group, open_parts_);
    cost.templates = open_parts_.size() * parts_->templates(group) * part_lanes;  // with and without direction
    cost.rows = take_rows();
    return cost;
}

void ModelScorer::choose_in(const Edges& edges, const Parts& parts, std::span<const Node> heads) {
    if (!keep_) return;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        Choice& choice = choices_[i];
        if (choice.depth <= groups_) continue;
        choice.scores.clear();
        for (const Node head : choice.heads)
            choice.scores.push_back(static_cast<Score>(worth(edges, parts, heads, head, static_cast<Node>(i + 1))));
    }
}

void ModelScorer::write(std::size_t group, std::size_t index, Score factor, Edges& edges) {
    const Node word = chosen_[index];
    std::size_t i = begins_[index];
    Choice& choice = choices_[static_cast<std::size_t>(word) - 1];
    choice.depth = static_cast<std::uint32_t>(group + 1);
    const std::span<Score> scores = edges.scores(word);
    if (!keep_) {
        for (; i < begins_[index + 1]; ++i) scores[edges.column(heads_[i], word)] += sums_[i] * factor;
        return;
    }
    choice.heads.clear();
    choice.scores.clear();
    for (; i < begins_[index + 1]; ++i) {
        Score& score = scores[edges.column(heads_[i], word)];
        score += sums_[i] * factor;
        choice.heads.push_back(heads_[i]);
        choice.scores.push_back(score);
    }
}

}  // namespace laconic::graph
