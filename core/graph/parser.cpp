#include "graph/parser.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace laconic::graph {

ModelScorer::ModelScorer(const GraphModel& model, const corpus::Columns& columns)
    : groups_(model.groups()), rows_(model.arcs.lexicon, columns), arcs_(model.arcs, model.table, rows_, columns) {
    if (model.vectors != nullptr) vectors_.emplace(*model.words, *model.vectors, model.scale(), rows_, columns);
}

void ModelScorer::enter(std::size_t sentence, Edges& edges, bool choices) {
    arcs_.enter(sentence);
    if (vectors_) vectors_->enter(sentence);
    const auto words = static_cast<std::size_t>(arcs_.context().size());
    keep_ = choices;
    choices_.resize(words);
    for (Choice& choice : choices_) choice = {};
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
        edges.revive(modifier);
        bool any = false;
        edges.each_alive(modifier, [&](Node head, Score&) { any = any || arcs_.candidates().alive(head, modifier); });
        if (!any) continue;
        edges.each_alive(modifier, [&](Node head, Score&) {
            if (!arcs_.candidates().alive(head, modifier)) edges.kill(head, modifier);
        });
    }
}

std::uint64_t ModelScorer::rows_read() const noexcept {
    return arcs_.rows_read() + (vectors_ ? vectors_->rows_read() : 0);
}

Cost ModelScorer::add(std::size_t group, std::span<const Node> words, Edges& edges) {
    Cost cost;
    for (const Node word : words) add(group, word, edges, cost);
    cost.rows = rows_read() - counted_;  // those of the first group have been read since the sentence was entered
    counted_ = rows_read();
    return cost;
}

void ModelScorer::add(std::size_t group, Node word, Edges& edges, Cost& cost) {
    heads_.clear();
    edges.each_alive(word, [&](Node head, Score&) { heads_.push_back(head); });
    if (heads_.size() < 2) return;
    sums_.assign(heads_.size(), 0);
    const bool by_vectors = vectors_ && group == 0;
    if (by_vectors) {
        vectors_->add(word, heads_, sums_);
        cost.templates += heads_.size();
    } else {
        const std::size_t own = group - (vectors_ ? 1 : 0);
        arcs_.add(own, word, heads_, sums_);
        cost.templates += heads_.size() * arcs_.templates(own) * 2;  // with and without direction and distance
    }
    Choice& choice = choices_[static_cast<std::size_t>(word) - 1];
    choice.depth = static_cast<std::uint32_t>(group + 1);
    if (keep_) {
        choice.heads = heads_;
        choice.scores.clear();
    }
    std::size_t i = 0;
    edges.each_alive(word, [&](Node, Score& score) {
        score += by_vectors ? sums_[i] : sums_[i] * GraphModel::resolution;
        ++i;
        if (keep_) choice.scores.push_back(score);
    });
}

namespace {

// Groups for words whose rivals are near; `drop`: are those that trail dropped?
Cost add_groups(ModelScorer& scorer, Edges& edges, std::span<const Sum> drops, bool drop) {
    Cost cost;
    std::vector<Node> open;
    for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word)
        if (edges.alive_heads(word) > 1) open.push_back(word);
    for (std::size_t group = 0; group < scorer.groups() && !open.empty(); ++group) {
        cost += scorer.add(group, open, edges);
        if (!drop || group + 1 == scorer.groups() || drops[group] == drop_none) continue;
        std::erase_if(open, [&](Node word) {
            const Node leader = edges.best_head(word);
            const Sum least = Sum{edges.score(leader, word)} - drops[group];
            edges.each_alive(word, [&](Node head, Score& score) {
                if (head != leader && score <= least) edges.kill(head, word);
            });
            return edges.alive_heads(word) == 1;
        });
    }
    return cost;
}

// One tree at the end. Where there is none, the arcs that were dropped come back with the scores that they had; where
// there is still none, all arcs do and get all groups.
Cost parse_once(ModelScorer& scorer, Edges& edges, BestTree& best, const ParseOptions& options, std::span<Node> heads) {
    Cost cost = add_groups(scorer, edges, options.drops, true);
    if (heads.empty() || best.decode(edges, options.rules, heads)) return cost;
    scorer.revive(edges);
    if (best.decode(edges, options.rules, heads)) return cost;
    edges.reset();
    cost += add_groups(scorer, edges, {}, false);
    (void)best.decode(edges, options.rules, heads);  // nothing is dead: there is a tree
    return cost;
}

// How far the heads that a word chose from stay behind the one that it has.
void record_gaps(const Choice& choice, Node head, double scale, Parsed& result) {
    const auto at = std::ranges::find(choice.heads, head);
    const bool among = at != choice.heads.end();
    // A head that it did not choose from is as unlikely as the last of those.
    const Score own = among                   ? choice.scores[static_cast<std::size_t>(at - choice.heads.begin())]
                      : choice.scores.empty() ? 0
                                              : *std::ranges::min_element(choice.scores);
    if (!among) {
        result.gaps.push_back(0.0F);
        result.candidates.push_back(head);
    }
    result.candidates.insert(result.candidates.end(), choice.heads.begin(), choice.heads.end());
    for (const Score score : choice.scores) result.gaps.push_back(static_cast<float>((score - own) / scale));
    result.begins.push_back(result.gaps.size());
}

}  // namespace

Parsed parse(const GraphModel& model, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
             const ParseOptions& options) {
    ModelScorer scorer(model, columns);
    Edges edges;
    BestTree best;
    Rounds rounds;
    SilentRounds silent;
    Parsed result;
    DropRule policy{options.drops};
    std::vector<Node> heads;
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence, edges, options.gaps);
        if (!options.known.empty())
            ModelScorer::fix(options.known.subspan(columns.sentences[sentence], edges.words()), edges);
        result.arcs += edges.alive_edges();
        heads.resize(edges.words());
        Cost cost;
        if (options.propagate)
            for (const RoundCounts& round :
                 rounds.run(edges, scorer, policy, {.rules = options.rules}, heads, silent).rounds)
                cost += round.cost;
        else
            cost = parse_once(scorer, edges, best, options, heads);
        result.rows += cost.rows;
        result.templates += cost.templates;
        result.heads.insert(result.heads.end(), heads.begin(), heads.end());
        for (const Choice& choice : scorer.choices()) result.depths.push_back(choice.depth);
        if (!options.gaps) continue;
        for (std::size_t i = 0; i < heads.size(); ++i)
            record_gaps(scorer.choices()[i], heads[i], model.scale(), result);
    }
    return result;
}

std::vector<Sum> trailing(const GraphModel& model, const corpus::Columns& columns,
                          std::span<const std::uint32_t> sentences, const TreeRules& rules) {
    ModelScorer scorer(model, columns);
    Edges edges;
    BestTree best;
    std::vector<Node> heads;
    std::vector<std::vector<Score>> after;  // by group: scores of all rows
    std::vector<std::vector<Score>> leaders;
    std::vector<Sum> result;
    const std::size_t groups = model.groups();
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence, edges, false);
        const std::size_t words = edges.words();
        if (words == 0) continue;
        heads.resize(words);
        const auto decode = [&] {
            after.assign(groups, {});
            leaders.assign(groups, {});
            for (std::size_t group = 0; group < groups; ++group)
                for (Node word = 1; word <= static_cast<Node>(words); ++word) {
                    (void)scorer.add(group, {&word, 1}, edges);
                    const std::span<const Score> row = std::as_const(edges).scores(word);
                    after[group].insert(after[group].end(), row.begin(), row.end());
                    leaders[group].push_back(edges.score(edges.best_head(word), word));
                }
            return best.decode(edges, rules, heads);
        };
        if (!decode()) {
            edges.reset();
            (void)decode();
        }
        for (std::size_t i = 0; i < words; ++i)
            for (std::size_t group = 0; group + 1 < groups; ++group)
                result.push_back(Sum{leaders[group][i]} -
                                 after[group][i * edges.columns() + edges.column(heads[i], static_cast<Node>(i + 1))]);
    }
    return result;
}

std::vector<Score> group_scores(const GraphModel& model, const corpus::Columns& columns, std::uint32_t sentence) {
    ModelScorer scorer(model, columns);
    Edges edges;
    scorer.enter(sentence, edges, false);
    const std::size_t words = edges.words();
    std::vector<Score> result(model.groups() * words * (words + 1), std::numeric_limits<Score>::min());
    for (std::size_t group = 0; group < model.groups(); ++group)
        for (std::size_t i = 0; i < words; ++i) {
            const auto word = static_cast<Node>(i + 1);
            (void)scorer.add(group, {&word, 1}, edges);
            Score* row = result.data() + (group * words + i) * (words + 1);
            std::as_const(edges).each_alive(word, [&](Node head, Score score) { row[head] = score; });
        }
    return result;
}

}  // namespace laconic::graph
