#include "bindings/common.hpp"
#include "graph/best_tree.hpp"
#include "graph/round_trace.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::graph;

// Scores of groups as they stand in arrays: by parser, group, word and head, and for siblings by group, head, modifier
// and sibling (without one at the head).
class TableScorer {
public:
    TableScorer(Input<Score, 4> groups, Input<Score, 4> siblings) : groups_(groups), siblings_(siblings) {}

    [[nodiscard]] std::size_t groups() const { return groups_.shape(1); }
    [[nodiscard]] std::size_t sibling_groups() const { return siblings_.shape(0); }

    Cost add(std::size_t group, std::span<const Node> words, Edges& edges) {
        if (group == 0) depths_.assign(edges.words() + 1, 0);
        Cost cost;
        for (const Node word : words) {
            depths_[at(word)] = group + 1;
            edges.each_alive(word, [&](Node head, Score& score) {
                score = (group == 0 ? 0 : score) + groups_(parser_, group, at(word) - 1, at(head));
                ++cost.rows;
            });
        }
        cost.templates = cost.rows;
        return cost;
    }
    Cost add_siblings(std::size_t group, std::span<const Node> words, const OpenParts& parts) {
        Cost cost;
        for (const Node word : words)
            parts.each(word, [&](Node head, Node sibling, Node modifier, Score& score) {
                score += siblings_(group, at(head), at(modifier), at(sibling == corpus::none ? head : sibling));
                ++cost.rows;
            });
        cost.templates = cost.rows;
        return cost;
    }
    void use(Parser parser, Edges& edges) {
        parser_ = static_cast<std::size_t>(parser) % groups_.shape(0);
        if (depths_.size() != edges.words() + 1) return;
        for (std::size_t m = 1; m <= edges.words(); ++m)
            edges.each_alive(static_cast<Node>(m), [&](Node head, Score& score) {
                score = 0;
                for (std::size_t group = 0; group < depths_[m]; ++group)
                    score += groups_(parser_, group, m - 1, at(head));
            });
    }

private:
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }

    Input<Score, 4> groups_, siblings_;
    std::size_t parser_ = 0;
    std::vector<std::size_t> depths_;  // groups that a word has
};

// A trace that also decodes every tree from scratch: the sums of both.
struct CheckedTrace : RoundTrace {
    bool single_root = true;
    BestTree scratch;
    std::vector<Sum> sums, sums_from_scratch;
    std::vector<std::uint64_t> edges_alive;
    bool tree_is_alive = true;

    void decoded(const RoundCounts& counts, const Edges& edges, const Parts* parts, std::span<const Node> heads) {
        RoundTrace::decoded(counts, edges, parts, heads);
        edges_alive.push_back(edges.alive_edges());
        check_alive(edges, heads);
        std::vector<Node> again(heads.size());
        const TreeRules rules{single_root, counts.parser != Parser::crossing};
        const bool found =
            parts == nullptr ? scratch.decode(edges, rules, again) : scratch.decode(edges, *parts, rules, again);
        const auto sum = [&](std::span<const Node> tree) {
            return parts == nullptr ? tree_score(edges, tree) : tree_score(edges, *parts, tree);
        };
        sums.push_back(sum(heads));
        sums_from_scratch.push_back(found ? sum(again) : std::numeric_limits<Sum>::min());
    }
    void check_alive(const Edges& edges, std::span<const Node> heads) {
        for (std::size_t i = 0; i < heads.size(); ++i)
            tree_is_alive = tree_is_alive && edges.is_alive(heads[i], static_cast<Node>(i + 1));
    }
};

const char* name_of(Rule rule) {
    switch (rule) {
        case Rule::trails:
            return "trails";
        case Rule::other_head:
            return "other head";
        case Rule::crossing:
            return "crossing";
        case Rule::cycle:
            return "cycle";
        case Rule::second_root:
            return "second root";
    }
    return "";
}

const char* name_of(Parser parser) {
    switch (parser) {
        case Parser::crossing:
            return "crossing";
        case Parser::projective:
            return "projective";
        case Parser::siblings:
            return "siblings";
    }
    return "";
}

void bind_weights(nb::module_& room) {
    nb::class_<PolicyWeights>(
        room, "PolicyWeights",
        "What a linear policy weighs beside features of the edge: it locks where the sum is positive.")
        .def(
            "__init__",
            [](PolicyWeights* self, double bias, double now, double before, double margin, std::vector<double> groups,
               double temperature) {
                const auto finite = [](double value) { return std::isfinite(value); };
                if (!finite(bias) || !finite(now) || !finite(before) || !finite(margin) ||
                    !std::ranges::all_of(groups, finite) || !finite(temperature) || temperature <= 0)
                    throw std::invalid_argument("weights are finite, and the temperature is above 0");
                new (self) PolicyWeights{bias, now, before, margin, std::move(groups), temperature};
            },
            "bias"_a, "now"_a, "before"_a, "margin"_a, "groups"_a, "temperature"_a,
            "Of the squashed score now and before the last group, its margin over the best rival, and the next group.")
        .def_ro("bias", &PolicyWeights::bias)
        .def_ro("now", &PolicyWeights::now)
        .def_ro("before", &PolicyWeights::before)
        .def_ro("margin", &PolicyWeights::margin)
        .def_ro("groups", &PolicyWeights::groups)
        .def_ro("temperature", &PolicyWeights::temperature);
}

void bind_counts(nb::module_& room) {
    nb::class_<RoundCounts>(room, "RoundCounts", "One round of a sentence: what was decided, then computed.")
        .def_ro("group", &RoundCounts::group)
        .def_prop_ro("parser", [](const RoundCounts& self) { return name_of(self.parser); })
        .def_prop_ro(
            "locked", [](const RoundCounts& self) { return self.locks.locked; }, "Words locked by the policy.")
        .def_prop_ro(
            "forced", [](const RoundCounts& self) { return self.locks.forced; },
            "Words locked because one head was left.")
        .def_prop_ro(
            "dropped", [](const RoundCounts& self) { return self.locks.dropped; },
            "Edges that trailed, or whose word was locked to another head.")
        .def_prop_ro(
            "ruled_out", [](const RoundCounts& self) { return self.locks.ruled_out; },
            "Edges that locked arcs ruled out.")
        .def_prop_ro(
            "kept", [](const RoundCounts& self) { return self.locks.kept; },
            "Edges of the current tree that locked arcs would rule out.")
        .def_ro("open", &RoundCounts::open, "Words that the group was added to.")
        .def_ro("edges", &RoundCounts::edges, "Alive edges of these words.")
        .def_prop_ro("templates", [](const RoundCounts& self) { return self.cost.templates; })
        .def_prop_ro("rows", [](const RoundCounts& self) { return self.cost.rows; });
    nb::class_<RoundsResult>(room, "RoundsResult", "What the rounds of a sentence came to.")
        .def_ro("rounds", &RoundsResult::rounds)
        .def_ro("lifted", &RoundsResult::lifted, "The edges given had no tree, so that all others came back.")
        .def_ro("failed", &RoundsResult::failed, "The paper's propagation left no projective tree.");
}

void bind_trace(nb::module_& room) {
    nb::class_<RoundTrace>(room, "RoundTrace", "What happened in the rounds of a sentence.")
        .def_prop_ro(
            "trees",
            [](const RoundTrace& self) {
                std::vector<std::vector<Node>> trees;
                for (const RoundTrace::Tree& tree : self.trees) trees.push_back(tree.heads);
                return trees;
            },
            "The heads after each round.")
        .def(
            "candidates",
            [](const RoundTrace& self, std::size_t round) {
                if (round >= self.trees.size()) throw std::invalid_argument("no such round");
                std::map<Node, std::map<Node, Score>> candidates;
                for (const RoundTrace::Candidates& open : self.trees[round].open)
                    for (std::size_t i = 0; i < open.heads.size(); ++i)
                        candidates[open.word][open.heads[i]] = open.scores[i];
                return candidates;
            },
            "round"_a, "Of each word with several heads when a tree was decoded: their scores.")
        .def_prop_ro(
            "events",
            [](const RoundTrace& self) {
                std::vector<std::tuple<std::size_t, Node, Node, std::string>> events;
                for (const RoundTrace::Event& event : self.events)
                    events.emplace_back(event.round, event.head, event.word,
                                        event.locked ? (event.forced ? "forced" : "locked") : name_of(event.rule));
                return events;
            },
            "After which round, head, word, and what became of the edge: locked, forced (no other head was left), or "
            "the reason for which it died: trails, other head, crossing, cycle, second root.");
    nb::class_<CheckedTrace, RoundTrace>(room, "CheckedTrace", "A trace of rounds whose trees were decoded twice.")
        .def_ro("sums", &CheckedTrace::sums, "Of the tree of each round.")
        .def_ro("sums_from_scratch", &CheckedTrace::sums_from_scratch)
        .def_ro("edges_alive", &CheckedTrace::edges_alive)
        .def_ro("tree_is_alive", &CheckedTrace::tree_is_alive, "Were all edges of each tree alive?");
}

}  // namespace

void graph_rounds(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    bind_weights(room);
    bind_counts(room);
    bind_trace(room);
    room.def(
        "run_rounds",
        [](Edges& edges, Input<Score, 4> groups, Input<Score, 4> siblings, const std::string& policy,
           std::vector<Sum> thresholds, std::vector<Node> gold, bool single_root, bool projective,
           const std::string& propagation, bool by_score, std::optional<std::size_t> rounds,
           const std::optional<PolicyWeights>& weights, std::optional<Input<double, 2>> acquired) {
            const std::size_t words = edges.words();
            const auto nodes = words + 1;
            if (groups.shape(0) == 0 || groups.shape(2) != words || groups.shape(3) != nodes)
                throw std::invalid_argument("groups need a score for each parser, group, word and head");
            if (siblings.shape(0) > 0 &&
                (siblings.shape(1) != nodes || siblings.shape(2) != nodes || siblings.shape(3) != nodes))
                throw std::invalid_argument("siblings need a score for each group, head, modifier and sibling");
            RoundOptions options{.rules = {single_root, projective}, .by_score = by_score};
            options.propagation = choice<Propagation>(propagation, "propagation",
                                                      {{"exact", Propagation::exact}, {"paper", Propagation::paper}});
            if (rounds) options.rounds = *rounds;
            TableScorer scorer(groups, siblings);
            CheckedTrace trace;
            trace.single_root = single_root;
            std::vector<Node> heads(words);
            RoundsResult result;
            const auto run = [&](auto chosen) { result = Rounds().run(edges, scorer, chosen, options, heads, trace); };
            if (policy == "drop") {
                run(DropRule{thresholds});
            } else if (policy == "expert") {
                if (gold.size() != words) throw std::invalid_argument("the expert needs a head for each word");
                run(Expert{gold});
            } else if (policy == "linear") {
                if (!weights || !acquired || acquired->shape(0) != words || acquired->shape(1) != nodes)
                    throw std::invalid_argument("a linear policy needs weights, and a number for each word and head");
                const auto features = [&](const Question& asked) {
                    return (*acquired)(static_cast<std::size_t>(asked.word) - 1, static_cast<std::size_t>(asked.head));
                };
                run(LinearPolicy<decltype(features)>{*weights, features});
            } else if (choice<bool>(policy, "policy",
                                    {{"drop", false},
                                     {"expert", false},
                                     {"linear", false},
                                     {"never", false},
                                     {"always", true}})) {
                run(AlwaysLock{});
            } else {
                run(NeverLock{});
            }
            return std::make_tuple(as_array(std::move(heads)), std::move(result), std::move(trace));
        },
        "edges"_a, "groups"_a, "siblings"_a, "policy"_a, "thresholds"_a = std::vector<Sum>{},
        "gold"_a = std::vector<Node>{}, "single_root"_a = true, "projective"_a = true, "propagation"_a = "exact",
        "by_score"_a = false, "rounds"_a = nb::none(), "weights"_a = nb::none(), "acquired"_a = nb::none(),
        "Dynamic feature selection with scores of groups from arrays: by parser (crossing, projective, siblings), "
        "group, "
        "word and head; siblings by group, head, modifier and sibling. Heads, counts, and a trace of which every tree "
        "was decoded once more from scratch.");
}

}  // namespace laconic::bindings
