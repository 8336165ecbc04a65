#include "graph/parser.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace laconic::graph {

namespace {

// The first groups for the words that have a choice; behind(group, open) may leave some of them less.
template <class Behind>
Cost add_groups(ModelScorer& scorer, Edges& edges, std::size_t most, Behind&& behind) {
    Cost cost;
    std::vector<Node> open;
    for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word)
        if (edges.has_choice(word)) open.push_back(word);
    const std::size_t groups = std::min(scorer.groups(), most);
    for (std::size_t group = 0; group < groups && !open.empty(); ++group) {
        cost += scorer.add(group, open, edges);
        if (group + 1 < groups) behind(group, open);
    }
    return cost;
}

// Drops the heads that trail the best one of their word by a threshold.
void drop_trailing(Edges& edges, Sum threshold, std::vector<Node>& open) {
    if (threshold == drop_none) return;
    std::erase_if(open, [&](Node word) {
        const Node leader = edges.best_head(word);
        const Sum least = Sum{edges.score(leader, word)} - threshold;
        edges.each_alive(word, [&](Node head, Score& score) {
            if (head != leader && score <= least) edges.kill(head, word);
        });
        return !edges.has_choice(word);
    });
}

// A pass of a cascade behind a group: the first one is a vine.
void prune_behind(Edges& edges, Cascade& cascade, const ParseOptions& options, std::size_t group,
                  std::vector<Node>& open) {
    const std::vector<double>& shares = options.cascade->shares;
    if (group >= shares.size() || shares[group] < 0) return;
    const auto passes_before = std::ranges::any_of(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(group),
                                                   [](double share) { return share >= 0; });
    if (passes_before)
        cascade.prune_all(edges, options.rules.single_root, shares[group]);
    else
        cascade.prune_far(edges, options.cascade->reach, shares[group]);
    std::erase_if(open, [&](Node word) { return !edges.has_choice(word); });
}

// Drops the heads that trail the best one of their word by a threshold, but none of the tree.
void drop_trailing(Edges& edges, Sum threshold, std::span<const Node> tree) {
    if (threshold == drop_none) return;
    for (Node word = 1; word <= static_cast<Node>(edges.words()); ++word) {
        if (!edges.has_choice(word)) continue;
        const Node own = tree[static_cast<std::size_t>(word) - 1];
        const Sum least = Sum{edges.score(edges.best_head(word), word)} - threshold;
        edges.each_alive(word, [&](Node head, Score& score) {
            if (head != own && score <= least) edges.kill(head, word);
        });
    }
}

// One tree at the end. Where there is none, the arcs that were dropped come back with the scores that they had; where
// there is still none, all arcs do and get all groups.
Cost parse_once(ModelScorer& scorer, Edges& edges, BestTree& best, Cascade& cascade, const ParseOptions& options,
                std::span<Node> heads) {
    Cost cost = add_groups(scorer, edges, options.groups, [&](std::size_t group, std::vector<Node>& open) {
        if (options.cascade != nullptr)
            prune_behind(edges, cascade, options, group, open);
        else
            drop_trailing(edges, options.drops[group], open);
    });
    if (heads.empty() || best.decode(edges, options.rules, heads)) return cost;
    scorer.revive(edges);
    if (best.decode(edges, options.rules, heads)) return cost;
    edges.reset();
    cost += add_groups(scorer, edges, options.groups, [](std::size_t, const std::vector<Node>&) {});
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

void add_round(const RoundCounts& round, std::vector<RoundTotals>& rounds) {
    if (rounds.size() <= round.group) rounds.resize(round.group + 1);
    RoundTotals& totals = rounds[round.group];
    ++totals.sentences;
    totals.open += round.open;
    totals.edges += round.edges;
    totals.locked += round.locks.locked;
    totals.forced += round.locks.forced;
    totals.dropped += round.locks.dropped;
    totals.ruled_out += round.locks.ruled_out;
    totals.templates += round.cost.templates;
}

// Sentences one after another; decide(sentence, edges, heads, rounds) gives the heads of one and tells its cost.
template <class Decide>
Parsed parse_all(const GraphModel& model, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
                 const ParseOptions& options, ModelScorer& scorer, Decide&& decide) {
    Edges edges;
    Parsed result;
    std::vector<Node> heads;
    for (const std::uint32_t sentence : sentences) {
        scorer.enter(sentence, edges, options.gaps);
        if (!options.known.empty())
            ModelScorer::fix(options.known.subspan(columns.sentences[sentence], edges.words()), edges);
        result.arcs += edges.alive_edges();
        heads.resize(edges.words());
        const Cost cost = decide(sentence, edges, std::span<Node>(heads), result.rounds);
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

// The rounds of sentences: what a policy says decides.
class SentenceRounds {
public:
    SentenceRounds(const GraphModel& model, const ParseOptions& options)
        : edge_groups_(model.edge_groups()),
          sibling_drop_(model.sibling_drop()),
          options_{.rules = options.rules,
                   .propagation = options.propagation.value_or(Propagation::exact),
                   .by_score = options.propagation == Propagation::paper,
                   .rounds = options.groups} {}

    template <class Answers>
    Cost run(ModelScorer& scorer, Answers& policy, Edges& edges, std::span<Node> heads,
             std::vector<RoundTotals>& totals) {
        Cost cost;
        const RoundsResult result = rounds_.run(edges, scorer, policy, options_, heads, silent_);
        for (const RoundCounts& round : result.rounds) {
            cost += round.cost;
            add_round(round, totals);
        }
        scorer.choose_in(edges, rounds_.parts(), heads);
        return cost;
    }
    // Those of siblings alone, behind a tree by arcs.
    Cost run_siblings(ModelScorer& scorer, std::span<const Sum> drops, Edges& edges, std::span<Node> heads) {
        Cost cost;
        if (scorer.sibling_groups() == 0 || options_.rounds <= edge_groups_) return cost;
        DropRule policy{drops};
        const Sum behind_arcs = drops.size() < edge_groups_ ? drop_none : drops[edge_groups_ - 1];
        drop_trailing(edges, std::min(behind_arcs, sibling_drop_), heads);
        const RoundsResult result = rounds_.run_siblings(edges, scorer, policy, options_, heads, silent_);
        for (const RoundCounts& round : result.rounds) cost += round.cost;
        scorer.choose_in(edges, rounds_.parts(), heads);
        return cost;
    }

private:
    std::size_t edge_groups_;
    Sum sibling_drop_;
    RoundOptions options_;
    Rounds rounds_;
    SilentRounds silent_;
};

}  // namespace

Parsed parse(const GraphModel& model, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
             const ParseOptions& options) {
    ModelScorer scorer(model, columns);
    SentenceRounds rounds(model, options);
    if (!options.propagation) {
        BestTree best;
        Cascade cascade;
        return parse_all(model, columns, sentences, options, scorer,
                         [&](std::uint32_t, Edges& edges, std::span<Node> heads, std::vector<RoundTotals>&) {
                             Cost cost = parse_once(scorer, edges, best, cascade, options, heads);
                             cost += rounds.run_siblings(scorer, options.drops, edges, heads);
                             return cost;
                         });
    }
    if (options.policy == nullptr) {
        DropRule policy{options.drops};
        return parse_all(model, columns, sentences, options, scorer,
                         [&](std::uint32_t, Edges& edges, std::span<Node> heads, std::vector<RoundTotals>& totals) {
                             return rounds.run(scorer, policy, edges, heads, totals);
                         });
    }
    AcquiredFeatures acquired(model.arcs, model.first_groups(), options.policy->table, scorer.rows(), columns);
    LinearPolicy<AcquiredFeatures> policy{options.policy->weights, acquired, options.drops, model.scale()};
    return parse_all(
        model, columns, sentences, options, scorer,
        [&](std::uint32_t sentence, Edges& edges, std::span<Node> heads, std::vector<RoundTotals>& totals) {
            acquired.enter(sentence);
            return rounds.run(scorer, policy, edges, heads, totals);
        });
}

std::pair<Parsed, Questions> ask(const GraphModel& model, const corpus::Columns& columns,
                                 std::span<const std::int32_t> gold, std::span<const std::uint32_t> sentences,
                                 const ParseOptions& options) {
    ModelScorer scorer(model, columns);
    SentenceRounds rounds(model, options);
    Questions questions;
    std::optional<AcquiredFeatures> acquired;
    if (options.policy != nullptr)
        acquired.emplace(model.arcs, model.first_groups(), options.policy->table, scorer.rows(), columns);
    Parsed parsed = parse_all(
        model, columns, sentences, options, scorer,
        [&](std::uint32_t sentence, Edges& edges, std::span<Node> heads, std::vector<RoundTotals>& totals) {
            const auto own = gold.subspan(columns.sentences[sentence], heads.size());
            const auto run = [&](auto answers) {
                RecordedPolicy<decltype(answers)> policy{
                    answers, model.arcs, model.first_groups(), scorer.context(), own, model.scale(), questions};
                return rounds.run(scorer, policy, edges, heads, totals);
            };
            if (!acquired) return run(Expert{own});
            acquired->enter(sentence);
            return run(
                LinearPolicy<AcquiredFeatures>{options.policy->weights, *acquired, options.drops, model.scale()});
        });
    return {std::move(parsed), std::move(questions)};
}

Trailing trailing(const GraphModel& model, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
                  const TreeRules& rules) {
    ModelScorer scorer(model, columns);
    SentenceRounds rounds(model, {.drops = {}, .rules = rules, .propagation = std::nullopt});
    Edges edges;
    BestTree best;
    std::vector<Node> heads;
    std::vector<std::vector<Score>> after;  // by group: scores of all rows
    std::vector<std::vector<Score>> leaders;
    Trailing result;
    const std::size_t groups = model.edge_groups();
    const std::size_t exits = std::min(groups, model.groups() - 1);
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
        for (std::size_t i = 0; i < words; ++i) {
            result.counts.push_back(static_cast<std::uint32_t>(edges.alive_heads(static_cast<Node>(i + 1))));
            std::as_const(edges).each_alive(static_cast<Node>(i + 1), [&](Node head, Score) {
                const std::size_t at = i * edges.columns() + edges.column(head, static_cast<Node>(i + 1));
                for (std::size_t group = 0; group < exits; ++group)
                    result.candidates.push_back(leaders[group][i] - after[group][at]);
            });
        }
        (void)rounds.run_siblings(scorer, {}, edges, heads);
        for (std::size_t i = 0; i < words; ++i) {
            const std::size_t at = i * edges.columns() + edges.column(heads[i], static_cast<Node>(i + 1));
            for (std::size_t group = 0; group < exits; ++group)
                result.heads.push_back(leaders[group][i] - after[group][at]);
        }
    }
    return result;
}

std::vector<Score> group_scores(const GraphModel& model, const corpus::Columns& columns, std::uint32_t sentence) {
    ModelScorer scorer(model, columns);
    Edges edges;
    scorer.enter(sentence, edges, false);
    const std::size_t words = edges.words();
    std::vector<Score> result(model.edge_groups() * words * (words + 1), std::numeric_limits<Score>::min());
    for (std::size_t group = 0; group < model.edge_groups(); ++group)
        for (std::size_t i = 0; i < words; ++i) {
            const auto word = static_cast<Node>(i + 1);
            (void)scorer.add(group, {&word, 1}, edges);
            Score* row = result.data() + (group * words + i) * (words + 1);
            std::as_const(edges).each_alive(word, [&](Node head, Score score) { row[head] = score; });
        }
    return result;
}

std::vector<Score> sibling_scores(const GraphModel& model, const corpus::Columns& columns, std::uint32_t sentence,
                                  std::span<const Node> heads) {
    const std::size_t words = heads.size(), groups = model.sibling_groups();
    std::vector<Score> result(groups * words * (words + 1), 0);
    if (groups == 0) return result;
    const features::WordRows rows(model.siblings->parts.lexicon, columns);
    PartScorer scorer(*model.siblings, model.scale(), rows, columns);
    scorer.enter(sentence);
    Score over = 0;  // of the part that the word would come between
    std::vector<ScoredPart> parts;
    for (std::size_t group = 0; group < groups; ++group)
        for (std::size_t i = 0; i < words; ++i)
            for (std::size_t h = 0; h <= words; ++h) {
                const auto head = static_cast<Node>(h), word = static_cast<Node>(i + 1);
                if (head == word) continue;
                const Neighbours around = neighbours(heads, head, word);
                Score& own = result[(group * words + i) * (words + 1) + h];
                over = 0;
                parts.assign(1, {head, around.inner, word, &own});
                if (around.outer != corpus::none) {
                    parts.push_back({head, word, around.outer, &own});
                    parts.push_back({head, around.inner, around.outer, &over});
                }
                scorer.add(group, parts);
                own -= over;
            }
    return result;
}

}  // namespace laconic::graph
