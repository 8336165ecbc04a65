#include "bindings/graph_common.hpp"
#include "graph/contributions.hpp"
#include "graph/parser.hpp"
#include "learn/freeze.hpp"

namespace laconic::bindings {

namespace {

using graph::ArcModel;
using graph::ArcPolicy;
using graph::FactoredModel;
using graph::FactoredTable;
using graph::GraphModel;
using graph::SiblingModel;

constexpr graph::Sum never = graph::Sum{1} << 60;  // from here on a threshold drops nothing

void init(GraphModel* self, const ArcModel& arcs, const learn::Table& table, const FactoredModel* words,
          const FactoredTable* vectors, const SiblingModel* siblings) {
    if (table.labels() != graph::lanes || table.templates() != arcs.plan.size())
        throw std::invalid_argument("plan and table do not fit together");
    if ((words == nullptr) != (vectors == nullptr))
        throw std::invalid_argument("a factored scorer has a model and a table");
    if (vectors != nullptr &&
        (!vectors->fits(graph::TagNumbers(words->lengths)) || vectors->heads->templates() != words->heads.size() ||
         vectors->modifiers->templates() != words->modifiers.size()))
        throw std::invalid_argument("the parts of the factored scorer do not fit together");
    new (self) GraphModel{arcs, table, words, vectors, siblings};
}

std::vector<graph::Sum> checked_drops(const GraphModel& self, std::vector<graph::Sum> drops) {
    if (drops.size() + 1 != self.groups() || std::ranges::any_of(drops, [](auto drop) { return drop < 0; }))
        throw std::invalid_argument("one threshold from 0 on behind each group but the last");
    for (graph::Sum& drop : drops)
        if (drop >= never) drop = graph::drop_none;
    return drops;
}

// None: one tree at the end.
std::optional<graph::Propagation> propagation_of(const std::string& name) {
    using graph::Propagation;
    return choice<std::optional<Propagation>>(
        name, "propagation", {{"none", std::nullopt}, {"exact", Propagation::exact}, {"paper", Propagation::paper}});
}

void check_policy(const GraphModel& self, const ArcPolicy* policy, const std::optional<graph::Propagation>& mode) {
    if (policy == nullptr) return;
    if (!mode) throw std::invalid_argument("a policy is asked between trees: choose a propagation");
    if (policy->table.labels() != graph::lanes || policy->table.templates() != self.arcs.plan.size())
        throw std::invalid_argument("the policy does not fit the templates");
}

void bind_parsed(nb::module_& room) {
    using graph::Parsed;
    nb::class_<Parsed>(room, "Parsed", "The trees of some sentences, and what they cost.")
        .def_prop_ro(
            "heads", [](const Parsed& self) { return copy_of(self.heads); }, nb::rv_policy::move,
            "Of each word of the sentences.")
        .def_prop_ro(
            "depths", [](const Parsed& self) { return copy_of(self.depths); }, nb::rv_policy::move,
            "Groups computed for each word.")
        .def_prop_ro(
            "begins", [](const Parsed& self) { return copy_of(self.begins); }, nb::rv_policy::move,
            "Where the gaps of each word begin.")
        .def_prop_ro(
            "gaps", [](const Parsed& self) { return copy_of(self.gaps); }, nb::rv_policy::move,
            "How far the heads that a word chose from stayed behind its own, in real scores.")
        .def_prop_ro(
            "candidates", [](const Parsed& self) { return copy_of(self.candidates); }, nb::rv_policy::move,
            "The head of each gap.")
        .def_ro("rows", &Parsed::rows, "Rows of weights that were read.")
        .def_ro("templates", &Parsed::templates, "Templates that were added to arcs and parts.")
        .def_ro("arcs", &Parsed::arcs, "Arcs that were candidates.")
        .def_prop_ro(
            "rounds",
            [](const Parsed& self) {
                std::vector<std::uint64_t> rounds;
                for (const graph::RoundTotals& one : self.rounds)
                    for (const std::uint64_t value : {one.sentences, one.open, one.edges, one.locked, one.forced,
                                                      one.dropped, one.ruled_out, one.templates})
                        rounds.push_back(value);
                return as_array(std::move(rounds), {self.rounds.size(), 8});
            },
            nb::rv_policy::move,
            "With propagation, for each round: how many sentences had it, open words, their edges, words locked and "
            "forced, edges dropped and ruled out, templates.");
}

// By word of the document; -1 where nothing is known.
std::vector<graph::Node> known_heads(const Input<graph::Node, 1>& known, const Columns& columns) {
    std::vector<graph::Node> all = vector_of(known);  // a copy is checked: others may write to the array
    if (all.size() != columns.words())
        throw std::invalid_argument("one known head, or -1, for each word of the document");
    for (std::size_t s = 0; s < columns.sentence_count(); ++s)
        for (std::size_t i = 0; i < columns.size_of(s); ++i) {
            const graph::Node head = all[columns.sentences[s] + i];
            if (head < corpus::none || head > static_cast<graph::Node>(columns.size_of(s)) ||
                head == static_cast<graph::Node>(i + 1))
                throw std::invalid_argument("a known head is no other word of the sentence");
        }
    return all;
}

// Weights of features as freezing reads them.
struct PolicyRows {
    const Input<double, 2>& weights;
    [[nodiscard]] std::size_t labels() const noexcept { return graph::lanes; }
    void final_row(learn::Feature feature, std::uint16_t, std::span<double> row) const {
        for (std::size_t lane = 0; lane < row.size(); ++lane) row[lane] = weights(feature, lane);
    }
};

void bind_policy(nb::module_& room) {
    nb::class_<ArcPolicy>(room, "ArcPolicy", "A policy over meta-features and the features of arcs.")
        .def(
            "__init__",
            [](ArcPolicy* self, const graph::PolicyWeights& weights, const learn::Table& table) {
                if (table.labels() != graph::lanes)
                    throw std::invalid_argument("rows of a policy have a weight per lane");
                new (self) ArcPolicy{weights, table};
            },
            "weights"_a, "table"_a, nb::keep_alive<1, 3>())
        .def_ro("weights", &ArcPolicy::weights);
    room.def(
        "policy_table",
        [](Input<std::uint64_t, 1> keys, Input<std::uint16_t, 1> templates, Input<double, 2> weights, std::size_t of) {
            if (keys.shape(0) != templates.shape(0) || keys.shape(0) != weights.shape(0) ||
                weights.shape(1) != graph::lanes)
                throw std::invalid_argument("one template and a weight per lane for each feature");
            learn::FeatureIndex index;
            for (std::size_t i = 0; i < keys.shape(0); ++i) {
                if (templates(i) >= of) throw std::invalid_argument("no such template");
                if (index.count(keys(i), templates(i)) != i)
                    throw std::invalid_argument("a feature stands there twice");
            }
            return learn::freeze(PolicyRows{weights}, index, of, 0);
        },
        "keys"_a, "templates"_a, "weights"_a, "of"_a,
        "The rows of a policy: key and template of each feature, its weights by lane, and how many templates there "
        "are.");
}

void bind_contributions(nb::module_& room) {
    using graph::Contributions;
    nb::class_<Contributions>(room, "Contributions", "What each group of a model adds to the arcs of some sentences.")
        .def(
            "__init__",
            [](Contributions* self, const GraphModel& model, const Columns& columns, Heads heads, Sentences sentences,
               bool projective, bool single_root) {
                const std::vector<std::int32_t> all = checked_heads(heads, columns, span_of(sentences));
                unlocked(columns, [&] {
                    new (self) Contributions(model, columns, all, span_of(sentences), {single_root, projective});
                });
            },
            "model"_a, "columns"_a, "heads"_a, "sentences"_a, "projective"_a, "single_root"_a)
        .def_prop_ro("groups", &Contributions::groups)
        .def_prop_ro("words", &Contributions::words)
        .def_prop_ro("rows", &Contributions::rows, "Rows of weights that each group reads, per arc.")
        .def(
            "right",
            [](const Contributions& self, std::vector<std::uint32_t> chosen, std::vector<std::uint32_t> more) {
                check_numbers(std::span<const std::uint32_t>(chosen), self.groups(), "no such group");
                check_numbers(std::span<const std::uint32_t>(more), self.groups(), "no such group");
                return as_array(unlocked([&] { return self.right(chosen, more); }));
            },
            "chosen"_a, "more"_a,
            "How many words have their gold head by the groups chosen and one more, for each of those.");
}

}  // namespace

void graph_parser(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    bind_policy(room);
    bind_parsed(room);
    nb::class_<GraphModel>(room, "GraphModel", "A graph parser: how arcs are read and scored, group after group.")
        .def("__init__", &init, "arcs"_a, "table"_a, "words"_a.none() = nb::none(), "vectors"_a.none() = nb::none(),
             "siblings"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
             nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
        .def_prop_ro("groups", &GraphModel::groups, "Those of arcs, and behind them those of siblings.")
        .def_prop_ro("edge_groups", &GraphModel::edge_groups, "Those of arcs.")
        .def_prop_ro("scale", &GraphModel::scale)
        .def(
            "parse",
            [](const GraphModel& self, const Columns& columns, Sentences sentences, std::vector<graph::Sum> drops,
               bool projective, bool single_root, const std::string& propagation, bool gaps, const ArcPolicy* policy,
               std::optional<std::size_t> groups, const std::vector<double>& shares, std::size_t reach,
               const std::optional<Input<graph::Node, 1>>& known) {
                check_sentences(span_of(sentences), columns);
                const std::vector<graph::Node> heads =
                    known ? known_heads(*known, columns) : std::vector<graph::Node>{};
                const auto mode = propagation_of(propagation);
                check_policy(self, policy, mode);
                if (groups && *groups == 0) throw std::invalid_argument("at least one group is added");
                if (!shares.empty() && (mode || !projective || reach == 0))
                    throw std::invalid_argument("a cascade is for projective trees, decoded once, with some reach");
                if (std::ranges::any_of(shares, [](double share) { return !(share <= 1); }))
                    throw std::invalid_argument("shares are up to 1");
                const graph::CascadeOptions cascade{reach, shares};
                graph::ParseOptions options{
                    checked_drops(self, std::move(drops)), {single_root, projective}, mode, gaps};
                options.policy = policy;
                options.known = heads;
                if (!shares.empty()) options.cascade = &cascade;
                if (groups) options.groups = *groups;
                return unlocked(columns, [&] { return graph::parse(self, columns, span_of(sentences), options); });
            },
            "columns"_a, "sentences"_a, "drops"_a, "projective"_a, "single_root"_a, "propagation"_a, "gaps"_a = false,
            "policy"_a.none() = nb::none(), "groups"_a = nb::none(), "shares"_a = std::vector<double>{},
            "reach"_a = graph::CascadeOptions{}.reach, "known"_a = nb::none(),
            "The trees of these sentences. `groups`: at most so many are added; `shares`: those of a pruning cascade "
            "behind each group, with the reach of its first pass. Words whose heads are known (not -1) keep them where "
            "there is such a tree, and are not scored.")
        .def(
            "ask",
            [](const GraphModel& self, const Columns& columns, Heads gold, Sentences sentences,
               std::vector<graph::Sum> drops, bool projective, bool single_root, const std::string& propagation,
               const ArcPolicy* policy) {
                const std::vector<std::int32_t> all = checked_heads(gold, columns, span_of(sentences));
                const auto mode = propagation_of(propagation);
                check_policy(self, policy, mode);
                if (!mode) throw std::invalid_argument("a policy is asked between trees: choose a propagation");
                graph::ParseOptions options{checked_drops(self, std::move(drops)), {single_root, projective}, mode};
                options.policy = policy;
                auto [parsed, asked] =
                    unlocked(columns, [&] { return graph::ask(self, columns, all, span_of(sentences), options); });
                nb::dict questions;
                questions["locked"] = as_array(std::move(asked.locked));
                questions["groups"] = as_array(std::move(asked.groups));
                questions["now"] = as_array(std::move(asked.now));
                questions["before"] = as_array(std::move(asked.before));
                questions["rival"] = as_array(std::move(asked.rival));
                questions["lanes"] = as_array(std::move(asked.lanes));
                questions["begins"] = as_array(std::move(asked.begins));
                questions["keys"] = as_array(std::move(asked.keys));
                questions["templates"] = as_array(std::move(asked.templates));
                return std::make_tuple(std::move(parsed), questions);
            },
            "columns"_a, "gold"_a, "sentences"_a, "drops"_a, "projective"_a, "single_root"_a, "propagation"_a,
            "policy"_a.none() = nb::none(),
            "What parse() gives with a policy, without one with the expert that locks gold heads; and what was asked: "
            "whether the head was the gold one, the next group, scores, lanes, and the features acquired.")
        .def(
            "trailing",
            [](const GraphModel& self, const Columns& columns, Sentences sentences, bool projective, bool single_root) {
                check_sentences(span_of(sentences), columns);
                graph::Trailing found = unlocked(columns, [&] {
                    return graph::trailing(self, columns, span_of(sentences), {single_root, projective});
                });
                const std::size_t exits = std::min(self.groups() - 1, self.edge_groups());
                const auto rows = [&](std::vector<graph::Score>&& values) {
                    const std::size_t count = exits == 0 ? 0 : values.size() / exits;
                    return as_array(std::move(values), {count, exits});
                };
                return std::make_tuple(rows(std::move(found.heads)), rows(std::move(found.candidates)),
                                       as_array(std::move(found.counts)));
            },
            "columns"_a, "sentences"_a, "projective"_a, "single_root"_a,
            "How far the head of each word in the tree of all groups trails the best one after each group of arcs but "
            "the last, and after that where siblings follow; how far each candidate trails it, word after word; and "
            "how many candidates each word has.")
        .def(
            "group_scores",
            [](const GraphModel& self, const Columns& columns, std::uint32_t sentence) {
                check_sentences(std::span(&sentence, 1), columns);
                const std::size_t words = columns.size_of(sentence);
                if (words > graph::EdgeLimits{}.longest) throw std::invalid_argument("the sentence is too long");
                return as_array(unlocked(columns, [&] { return graph::group_scores(self, columns, sentence); }),
                                {self.edge_groups(), words, words + 1});
            },
            "columns"_a, "sentence"_a,
            "Scores after each group of arcs, of each modifier and head; the lowest number for what is no candidate.")
        .def(
            "sibling_scores",
            [](const GraphModel& self, const Columns& columns, std::uint32_t sentence, Heads heads) {
                const std::vector<std::int32_t> all = checked_heads(heads, columns, std::span(&sentence, 1));
                const std::size_t words = columns.size_of(sentence);
                if (words > graph::longest_with_siblings) throw std::invalid_argument("the sentence is too long");
                const auto own = std::span(all).subspan(columns.sentences[sentence], words);
                return as_array(unlocked(columns, [&] { return graph::sibling_scores(self, columns, sentence, own); }),
                                {self.sibling_groups(), words, words + 1});
            },
            "columns"_a, "sentence"_a, "heads"_a,
            "What each group of siblings says of each modifier and head while all other words of the document have "
            "these heads.");
    room.attr("LONGEST_WITH_SIBLINGS") = graph::longest_with_siblings;
    bind_contributions(room);
}

}  // namespace laconic::bindings
