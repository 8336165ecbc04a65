#include "graph/parser.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace laconic::graph {

namespace {

constexpr Score dead = -(1 << 28);  // below all sums of rows and vectors

// The heads that a word had to choose from when it was last looked at.
struct Taken {
    std::vector<Node> heads;
    std::vector<Score> scores;
};

}  // namespace

GroupScorer::GroupScorer(const GraphModel& model, const corpus::Columns& columns)
    : rows_(model.arcs.lexicon, columns), arcs_(model.arcs, model.table, rows_, columns) {
    if (model.vectors != nullptr) vectors_.emplace(*model.words, *model.vectors, model.scale(), rows_, columns);
}

void GroupScorer::enter(std::size_t sentence) {
    arcs_.enter(sentence);
    if (vectors_) vectors_->enter(sentence);
}

void GroupScorer::start(Edges& edges) const {
    const auto words = static_cast<std::size_t>(arcs_.context().size());
    edges.start(words);
    for (Node modifier = 1; modifier <= static_cast<Node>(words); ++modifier) {
        bool any = false;
        edges.each_alive(modifier, [&](Node head, Score&) { any = any || arcs_.candidates().alive(head, modifier); });
        if (!any) continue;
        edges.each_alive(modifier, [&](Node head, Score& score) {
            if (arcs_.candidates().alive(head, modifier)) return;
            score = dead;
            edges.kill(head, modifier);
        });
    }
}

void GroupScorer::add(std::size_t group, Node modifier, Edges& edges) {
    heads_.clear();
    edges.each_alive(modifier, [&](Node head, Score&) { heads_.push_back(head); });
    sums_.assign(heads_.size(), 0);
    const bool by_vectors = vectors_ && group == 0;
    if (by_vectors) {
        vectors_->add(modifier, heads_, sums_);
        templates_ += heads_.size();
    } else {
        const std::size_t own = group - (vectors_ ? 1 : 0);
        arcs_.add(own, modifier, heads_, sums_);
        templates_ += heads_.size() * arcs_.templates(own) * 2;
    }
    std::size_t i = 0;
    edges.each_alive(modifier, [&](Node, Score& score) {
        score += by_vectors ? sums_[i] : sums_[i] * GraphModel::resolution;
        ++i;
    });
}

std::uint64_t GroupScorer::rows_read() const noexcept {
    return arcs_.rows_read() + (vectors_ ? vectors_->rows_read() : 0);
}

Parsed parse(const GraphModel& model, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
             const ParseOptions& options) {
    GroupScorer scorer(model, columns);
    Edges edges;
    BestTree best;
    Parsed result;
    std::vector<Node> open;
    std::vector<Node> heads;
    std::vector<std::uint32_t> depths;
    std::vector<Taken> taken;
    const std::size_t groups = model.groups();
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence);
        scorer.start(edges);
        result.arcs += edges.alive_edges();
        const std::size_t words = edges.words();
        depths.assign(words, 0);
        open.clear();
        for (Node word = 1; word <= static_cast<Node>(words); ++word)
            if (edges.alive_heads(word) > 1) open.push_back(word);
        if (options.gaps) taken.assign(words, {});
        for (std::size_t group = 0; group < groups && !open.empty(); ++group) {
            for (const Node word : open) {
                scorer.add(group, word, edges);
                depths[static_cast<std::size_t>(word) - 1] = static_cast<std::uint32_t>(group + 1);
                if (!options.gaps) continue;
                Taken& now = taken[static_cast<std::size_t>(word) - 1];
                now.heads.clear();
                now.scores.clear();
                std::as_const(edges).each_alive(word, [&](Node head, Score score) {
                    now.heads.push_back(head);
                    now.scores.push_back(score);
                });
            }
            if (group + 1 == groups) break;
            std::erase_if(open, [&](Node word) {
                const Node leader = edges.best_head(word);
                const Sum least = Sum{edges.score(leader, word)} - options.drops[group];
                edges.each_alive(word, [&](Node head, Score& score) {
                    if (head != leader && score <= least) edges.kill(head, word);
                });
                return edges.alive_heads(word) == 1;
            });
        }
        heads.resize(words);
        if (words > 0 && !best.decode(edges, options.rules, heads)) {
            // What was dropped or never a candidate comes back, with the scores that it had.
            for (Node word = 1; word <= static_cast<Node>(words); ++word) edges.revive(word);
            (void)best.decode(edges, options.rules, heads);
        }
        result.heads.insert(result.heads.end(), heads.begin(), heads.end());
        result.depths.insert(result.depths.end(), depths.begin(), depths.end());
        if (!options.gaps) continue;
        for (std::size_t i = 0; i < words; ++i) {
            const Taken& one = taken[i];
            const auto at = std::ranges::find(one.heads, heads[i]);
            if (at == one.heads.end()) {
                // Not among those the word chose from: as unlikely as the last of them.
                const Score lowest = one.scores.empty() ? 0 : *std::ranges::min_element(one.scores);
                result.gaps.push_back(0.0F);
                for (const Score score : one.scores)
                    result.gaps.push_back(static_cast<float>((score - lowest) / model.scale()));
            } else {
                const Score own = one.scores[static_cast<std::size_t>(at - one.heads.begin())];
                for (const Score score : one.scores)
                    result.gaps.push_back(static_cast<float>((score - own) / model.scale()));
            }
            result.begins.push_back(result.gaps.size());
        }
    }
    result.rows = scorer.rows_read();
    result.templates = scorer.templates_added();
    return result;
}

std::vector<Sum> trailing(const GraphModel& model, const corpus::Columns& columns,
                          std::span<const std::uint32_t> sentences, const TreeRules& rules) {
    GroupScorer scorer(model, columns);
    Edges edges;
    BestTree best;
    std::vector<Node> heads;
    std::vector<std::vector<Score>> after;  // by group: scores of all rows
    std::vector<std::vector<Score>> leaders;
    std::vector<Sum> result;
    const std::size_t groups = model.groups();
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence);
        scorer.start(edges);
        const std::size_t words = edges.words();
        if (words == 0) continue;
        after.assign(groups, {});
        leaders.assign(groups, {});
        for (std::size_t group = 0; group < groups; ++group)
            for (Node word = 1; word <= static_cast<Node>(words); ++word) {
                scorer.add(group, word, edges);
                const std::span<const Score> row = std::as_const(edges).scores(word);
                after[group].insert(after[group].end(), row.begin(), row.end());
                leaders[group].push_back(edges.score(edges.best_head(word), word));
            }
        heads.resize(words);
        if (!best.decode(edges, rules, heads)) {
            for (Node word = 1; word <= static_cast<Node>(words); ++word) edges.revive(word);
            (void)best.decode(edges, rules, heads);
        }
        for (std::size_t i = 0; i < words; ++i)
            for (std::size_t group = 0; group + 1 < groups; ++group)
                result.push_back(Sum{leaders[group][i]} -
                                 after[group][i * edges.columns() + edges.column(heads[i], static_cast<Node>(i + 1))]);
    }
    return result;
}

std::vector<Score> group_scores(const GraphModel& model, const corpus::Columns& columns, std::uint32_t sentence) {
    GroupScorer scorer(model, columns);
    Edges edges;
    scorer.enter(sentence);
    scorer.start(edges);
    const std::size_t words = edges.words();
    std::vector<Score> result(model.groups() * words * (words + 1), std::numeric_limits<Score>::min());
    for (std::size_t group = 0; group < model.groups(); ++group)
        for (std::size_t i = 0; i < words; ++i) {
            const auto word = static_cast<Node>(i + 1);
            scorer.add(group, word, edges);
            Score* row = result.data() + (group * words + i) * (words + 1);
            std::as_const(edges).each_alive(word, [&](Node head, Score score) { row[head] = score; });
        }
    return result;
}

}  // namespace laconic::graph
