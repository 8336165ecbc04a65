#pragma once
// Dynamic feature selection (He, Daumé & Eisner 2013): groups of features are added round by round to words whose head
// is open; between rounds a policy drops rivals and locks heads.
//
// A round is one group and one decoding. The first group is added to all edges alive, and a tree is decoded. Before
// each further group the open words are gone through, surest first: the policy answers for each (policies.hpp), and a
// lock removes at once what it rules out (locks.hpp). Then the group is added for the words that are still open, and
// the next tree is decoded. The last tree, or the one after which nothing is open, is the result.
//
// Exact propagation (the default) decodes under the rules in every round: the current tree's edges are always alive, no
// lock can conflict with it, and the result keeps to the rules. The paper's propagation decodes with crossing arcs
// until the last group of edges, then projectively; where there is no projective tree then, the tree before is the
// result.

#include <tuple>

#include "graph/moves.hpp"
#include "graph/policies.hpp"
#include "graph/region_decoder.hpp"
#include "graph/round_scorer.hpp"

namespace laconic::graph {

struct RoundOptions {
    TreeRules rules;
    Propagation propagation = Propagation::exact;
    bool by_score = false;  // words are gone through by the score of their head, not by its lead
    std::size_t rounds = std::numeric_limits<std::size_t>::max();  // at most so many groups are added
};

struct RoundCounts {
    std::size_t group = 0;
    Parser parser = Parser::projective;
    LockCounts locks{};       // before the group was added
    std::uint32_t open = 0;   // words that the group was added to
    std::uint64_t edges = 0;  // alive edges of these words
    Cost cost{};
};

struct RoundsResult {
    std::vector<RoundCounts> rounds;
    bool lifted = false;  // the edges given had no tree, all others came back
    bool failed = false;  // the paper's propagation left no projective tree
};

// An observer of rounds hears, besides locks, of every tree that was decoded: `parts` is null before siblings.
struct SilentRounds : Silent {
    void decoded(const RoundCounts&, const Edges&, const Parts*, std::span<const Node>) {}
};

class Rounds {
public:
    // Alive edges are those that the scorer shall see; a word without any gets all back. Scores are overwritten.
    template <RoundScorer Scorer, Policy Answers, class Observer>
    RoundsResult run(Edges& edges, Scorer& scorer, Answers& policy, const RoundOptions& options, std::span<Node> heads,
                     Observer& observer) {
        RoundsResult result;
        if (heads.empty()) return result;
        start(edges, options);
        const Plan plan = plan_for(edges, scorer, options);
        RoundCounts counts{.group = 0, .parser = plan.parser(0)};
        const auto first_group = [&] {
            scorer.use(counts.parser, edges);
            add(edges, scorer, counts);
        };
        first_group();
        if (!decode(edges, options, counts.parser, heads)) {
            result.lifted = true;
            edges.reset();
            first_group();
            static_cast<void>(decode(edges, options, counts.parser, heads));  // nothing is dead: there is a tree
        }
        observer.decoded(counts, edges, nullptr, heads);
        result.rounds.push_back(counts);
        if (plan.groups() > 1) {
            ask(edges, plan, policy, 1, heads, observer);
            go_on(edges, scorer, policy, plan, 1, heads, observer, result);
        }
        return result;
    }

    // The groups of siblings alone, for edges that have all their groups: `heads` is the best tree by these. A word
    // with one alive head is locked; nothing else is dropped before the first of these groups. Where no word has a
    // choice there is no round, and no lock is told of.
    template <RoundScorer Scorer, Policy Answers, class Observer>
    RoundsResult run_siblings(Edges& edges, Scorer& scorer, Answers& policy, const RoundOptions& options,
                              std::span<Node> heads, Observer& observer) {
        RoundsResult result;
        const Plan plan = plan_for(edges, scorer, options);
        if (heads.empty() || plan.groups() <= plan.edge_groups) return result;
        bool open = false;
        for (Node word = 1; at(word) <= edges.words() && !open; ++word) open = edges.has_choice(word);
        if (!open) return result;
        locks_.start(edges, options.rules, options.propagation);
        locks_.lock_decided(heads, observer);
        go_on(edges, scorer, policy, plan, plan.edge_groups, heads, observer, result);
        return result;
    }

    // The scores of parts, if a group of siblings was added.
    [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

private:
    struct Plan {
        const RoundOptions& options;
        std::size_t edge_groups, sibling_groups;

        [[nodiscard]] std::size_t groups() const noexcept {
            return std::min(edge_groups + sibling_groups, options.rounds);
        }
        [[nodiscard]] Parser parser(std::size_t group) const noexcept;
    };

    template <class Scorer>
    [[nodiscard]] static Plan plan_for(const Edges& edges, const Scorer& scorer, const RoundOptions& options) {
        const bool siblings = edges.dense() && edges.words() <= longest_with_siblings;
        const Plan plan{options, static_cast<std::size_t>(scorer.groups()),
                        siblings ? static_cast<std::size_t>(scorer.sibling_groups()) : 0};
        check(plan);
        return plan;
    }
    // Groups from this one on; before all but the first the policy is asked.
    template <class Scorer, class Answers, class Observer>
    void go_on(Edges& edges, Scorer& scorer, Answers& policy, const Plan& plan, std::size_t first,
               std::span<Node> heads, Observer& observer, RoundsResult& result) {
        const RoundOptions& options = plan.options;
        for (std::size_t group = first; group < plan.groups(); ++group) {
            RoundCounts counts{.group = group, .parser = plan.parser(group), .locks = locks_.take_counts()};
            const bool done = locks_.open().empty();
            if (!done) {
                if (Answers::reads_before) remember(edges);
                if (counts.parser != plan.parser(group - 1)) scorer.use(counts.parser, edges);
                if (group == plan.edge_groups) parts_.start(edges);
                add(edges, scorer, counts, plan);
            }
            const bool found = done || decode(edges, options, counts.parser, heads);
            result.rounds.push_back(counts);
            if (done) break;
            result.failed = !found;
            if (!found) break;
            observer.decoded(counts, edges, group < plan.edge_groups ? nullptr : &parts_, heads);
            if (group + 1 < plan.groups()) ask(edges, plan, policy, group + 1, heads, observer);
        }
    }

    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }
    static void check(const Plan& plan);
    void start(Edges& edges, const RoundOptions& options);
    [[nodiscard]] bool decode(const Edges& edges, const RoundOptions& options, Parser parser, std::span<Node> heads);
    void remember(const Edges& edges);
    // What a head is worth to a word: its edge and, with siblings, what parts it would make in the current tree.
    [[nodiscard]] Sum value(const Edges& edges, bool siblings, std::span<const Node> heads, Node head, Node word) const;
    // Its value, and the highest value of its rivals; there are some.
    [[nodiscard]] std::pair<Sum, Sum> values(const Edges& edges, bool siblings, std::span<const Node> heads,
                                             Node word) const;
    // Open words with more than one head, surest first, after those that have one.
    void sort_open(const Edges& edges, const RoundOptions& options, bool siblings, std::span<const Node> heads);

    template <class Scorer>
    void add(Edges& edges, Scorer& scorer, RoundCounts& counts) {
        const std::span<const Node> open = locks_.open();
        counts.open = static_cast<std::uint32_t>(open.size());
        counts.edges = 0;
        for (const Node word : open) counts.edges += edges.alive_heads(word);
        counts.cost += scorer.add(counts.group, open, edges);
    }
    template <class Scorer>
    void add(Edges& edges, Scorer& scorer, RoundCounts& counts, const Plan& plan) {
        if (counts.group < plan.edge_groups) return add(edges, scorer, counts);
        const std::span<const Node> open = locks_.open();
        counts.open = static_cast<std::uint32_t>(open.size());
        for (const Node word : open) counts.edges += edges.alive_heads(word);
        counts.cost += scorer.add_siblings(counts.group - plan.edge_groups, open, OpenParts(edges, locks_, parts_));
    }

    template <class Answers, class Observer>
    void ask(const Edges& edges, const Plan& plan, Answers& policy, std::size_t group, std::span<const Node> heads,
             Observer& observer) {
        const bool siblings = group > plan.edge_groups;  // the last tree was decoded with them
        sort_open(edges, plan.options, siblings, heads);
        for (const auto& entry : order_) {
            const Node word = std::get<Node>(entry);
            if (locks_.is_locked(word)) continue;
            if (!edges.has_choice(word)) {
                locks_.lock(word, true, heads, observer);
                continue;
            }
            const Node head = heads[at(word) - 1];
            const auto [score, rival] = values(edges, siblings, heads, word);
            const bool known = Answers::reads_before && group > 1;
            const Sum before = known ? before_[at(word) - 1][edges.column(head, word)] : 0;
            const Sum threshold = policy.threshold({edges, word, head, group, score, before, score - rival});
            if (threshold == drop_none) continue;
            if (threshold == drop_all) {
                locks_.lock(word, false, heads, observer);
                continue;
            }
            const Sum value_of_head = score;
            locks_.drop_rivals(
                word, heads, Rule::trails,
                [&](Node other, Score) {
                    return value_of_head - value(edges, siblings, heads, other, word) >= threshold;
                },
                observer);
            if (!edges.has_choice(word)) locks_.lock(word, false, heads, observer);
        }
    }

    Locks locks_;
    RegionDecoder decoder_;
    Parts parts_;
    std::vector<std::tuple<Sum, Node>> order_;
    std::vector<std::vector<Score>> before_;  // by word: scores without the last group, for policies that read them
};

}  // namespace laconic::graph
