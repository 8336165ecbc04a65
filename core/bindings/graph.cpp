#include "bindings/common.hpp"
#include "corpus/tree.hpp"
#include "graph/best_tree.hpp"
#include "graph/marginals.hpp"
#include "graph/moves.hpp"
#include "graph/vote.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::graph;

// Scores of parts as NumPy holds them: by head, modifier and sibling, without a sibling at the head.
using PartScores = Input<Score, 3>;

void check_rows(std::size_t rows, std::size_t columns, const Edges& edges) {
    if (rows != edges.words() || columns != edges.columns())
        throw std::invalid_argument("expected a row for each word and a column for each head: " +
                                    std::to_string(edges.words()) + " by " + std::to_string(edges.columns()));
}

// Words that the core can count.
std::size_t checked_words(std::size_t words) {
    if (words > std::numeric_limits<std::int32_t>::max() / 4) throw std::invalid_argument("too many words");
    return words;
}

void fill_parts(Parts& parts, const Edges& edges, const PartScores& scores) {
    const std::size_t nodes = edges.words() + 1;
    if (scores.shape(0) != nodes || scores.shape(1) != nodes || scores.shape(2) != nodes)
        throw std::invalid_argument("parts need a score for each head, modifier and sibling");
    parts.start(edges);
    for (std::size_t m = 1; m < nodes; ++m)
        edges.each_alive(static_cast<Node>(m), [&](Node head, Score) {
            const auto h = static_cast<std::size_t>(head);
            const std::span<Score> row = parts.row(head, static_cast<Node>(m));
            row[0] = scores(h, m, h);
            for (std::size_t place = 1; place < row.size(); ++place) row[place] = scores(h, m, std::min(h, m) + place);
        });
}

// Is this a tree of alive edges?
bool is_alive_tree(const Edges& edges, std::span<const Node> heads, const TreeRules& rules) {
    if (heads.size() != edges.words()) return false;
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (heads[i] < root || static_cast<std::size_t>(heads[i]) > heads.size() ||
            !edges.is_alive(heads[i], static_cast<Node>(i + 1)))
            return false;
    return TreeCheck()(heads, rules);
}

// Heads, or None where the edges alive make no tree.
template <class Decode>
nb::object decoded(const Edges& edges, Decode&& decode) {
    std::vector<Node> heads(edges.words());
    if (!unlocked([&] { return decode(std::span<Node>(heads)); })) return nb::none();
    return nb::cast(as_array(std::move(heads)));
}

void bind_edges(nb::module_& room) {
    nb::class_<Edges>(room, "Edges", "The edges of a sentence: which heads of each word are alive, and their scores.")
        .def(
            "__init__",
            [](Edges* self, std::size_t words, std::size_t longest, std::size_t reach, std::size_t cells) {
                new (self) Edges();
                self->start(checked_words(words), {longest, reach, cells});
            },
            "words"_a, "longest"_a = EdgeLimits{}.longest, "reach"_a = EdgeLimits{}.reach,
            "cells"_a = EdgeLimits{}.cells, "All edges are alive, with score 0.")
        .def_prop_ro("words", &Edges::words)
        .def_prop_ro("columns", &Edges::columns)
        .def_prop_ro("reach", &Edges::reach, "Distance of the farthest head but the root.")
        .def_prop_ro("dense", &Edges::dense, "Is every column the head of that number?")
        .def(
            "heads",
            [](const Edges& self) {
                std::vector<Node> heads(self.words() * self.columns(), corpus::none);
                for (std::size_t m = 1; m <= self.words(); ++m) {
                    const auto word = static_cast<Node>(m);
                    for (std::size_t i = 0; i < self.columns(); ++i) {
                        const Node head = self.head(i, word);
                        const bool real = i == 0 || (head > root && static_cast<std::size_t>(head) <= self.words());
                        if (real && head != word) heads[(m - 1) * self.columns() + i] = head;
                    }
                }
                return as_array(std::move(heads), {self.words(), self.columns()});
            },
            "The head of each column of each word; -1 where there is none.")
        .def(
            "set_scores",
            [](Edges& self, Input<Score, 2> scores) {
                check_rows(scores.shape(0), scores.shape(1), self);
                for (std::size_t m = 0; m < self.words(); ++m)
                    std::copy_n(scores.data() + m * self.columns(), self.columns(),
                                self.scores(static_cast<Node>(m + 1)).begin());
            },
            "scores"_a, "By word and column.")
        .def(
            "set_alive",
            [](Edges& self, Input<bool, 2> alive) {
                check_rows(alive.shape(0), alive.shape(1), self);
                for (std::size_t m = 1; m <= self.words(); ++m) {
                    const auto word = static_cast<Node>(m);
                    self.revive(word);
                    const bool* row = alive.data() + (m - 1) * self.columns();
                    const Bits bits = self.alive(word);
                    each_bit(bits, [&](std::size_t column) {
                        if (!row[column]) clear_bit(bits, column);
                    });
                }
            },
            "alive"_a, "By word and column; columns without a head stay dead.")
        .def(
            "alive",
            [](const Edges& self) {
                nb::list rows;
                for (std::size_t m = 1; m <= self.words(); ++m) {
                    std::vector<Node> heads;
                    self.each_alive(static_cast<Node>(m), [&](Node head, Score) { heads.push_back(head); });
                    rows.append(nb::cast(heads));
                }
                return rows;
            },
            "The alive heads of each word.");
}

// The trees with the most votes, sentence after sentence. Heads and weights are those of whole documents, by parser.
std::vector<Node> vote(const Input<Node, 2>& heads, std::span<const std::uint32_t> starts,
                       const Input<Score, 2>& weights, bool single_root) {
    const std::size_t parsers = heads.shape(0), words = heads.shape(1);
    if (parsers == 0 || weights.shape(0) != parsers || weights.shape(1) != words)
        throw std::invalid_argument("voting needs at least one tree a sentence, and a weight for each arc");
    const std::vector<Score> arc_weights(weights.data(), weights.data() + parsers * words);
    for (const Score weight : arc_weights)
        if (weight < 1 || weight > 1'000'000) throw std::invalid_argument("weights are from 1 to 1000000");
    if (starts.empty() || starts.front() != 0 || starts.back() != words || !std::ranges::is_sorted(starts))
        throw std::invalid_argument("sentences do not fit the heads");
    const std::vector<Node> copied(heads.data(), heads.data() + parsers * words);  // others may write to the array
    std::vector<Node> result(words);
    std::vector<std::span<const Node>> trees(parsers);
    std::vector<std::span<const Score>> votes(parsers);
    Vote decoder;
    for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
        const std::size_t first = starts[s], count = starts[s + 1] - first;
        if (count == 0) continue;
        for (std::size_t parser = 0; parser < parsers; ++parser) {
            trees[parser] = std::span<const Node>(copied).subspan(parser * words + first, count);
            votes[parser] = std::span<const Score>(arc_weights).subspan(parser * words + first, count);
            const corpus::TreeFault fault = corpus::check_tree(trees[parser]);
            const bool missing = std::ranges::any_of(trees[parser], [](Node head) { return head < 0; });
            if (!fault.reason.empty() || missing)
                throw InputError("sentence " + std::to_string(s + 1) + " of document " + std::to_string(parser + 1) +
                                     (missing ? ": a word has no head" : ": " + fault.reason),
                                 "");
        }
        decoder.decode(trees, votes, single_root, std::span<Node>(result).subspan(first, count));
    }
    return result;
}

}  // namespace

void graph(nb::module_& core) {
    nb::module_ room = core.def_submodule("graph", "Core of laconic.graph: edges, decoders, locked arcs, rounds.");
    bind_edges(room);
    room.def(
        "vote",
        [](Input<Node, 2> heads, Input<std::uint32_t, 1> starts, Input<Score, 2> weights, bool single_root) {
            const std::vector<std::uint32_t> begins = vector_of(starts);
            return as_array(unlocked([&] { return vote(heads, begins, weights, single_root); }));
        },
        "heads"_a, "starts"_a, "weights"_a, "single_root"_a = true,
        "The trees with the most votes: heads by document and word, where sentences start and the last ends, and the "
        "weight of each arc.");
    room.def(
        "best_heads",
        [](const Edges& edges, bool single_root, bool projective) {
            return decoded(edges, [&](std::span<Node> heads) {
                return BestTree().best_heads(edges, {single_root, projective}, heads);
            });
        },
        "edges"_a, "single_root"_a = true, "projective"_a = true,
        "The best head of each word; None where these are no tree that keeps to the rules.");
    room.def(
        "best_arborescence",
        [](const Edges& edges, bool single_root) {
            return decoded(edges,
                           [&](std::span<Node> heads) { return Arborescence().decode(edges, single_root, heads); });
        },
        "edges"_a, "single_root"_a = true, "The best tree, whose arcs may cross; None if there is no tree.");
    room.def(
        "best_projective",
        [](const Edges& edges, bool single_root) {
            return decoded(edges, [&](std::span<Node> heads) {
                return ProjectiveDecoder().decode(edges, nullptr, single_root, heads);
            });
        },
        "edges"_a, "single_root"_a = true, "The best projective tree; None if there is none.");
    room.def(
        "best_with_siblings",
        [](const Edges& edges, PartScores scores, bool single_root) {
            Parts parts;
            fill_parts(parts, edges, scores);
            return decoded(edges, [&](std::span<Node> heads) {
                return ProjectiveDecoder().decode(edges, &parts, single_root, heads);
            });
        },
        "edges"_a, "parts"_a, "single_root"_a = true,
        "The best projective tree by edges and adjacent siblings. Parts by head, modifier and sibling, without a "
        "sibling at the head.");
    room.def(
        "climb",
        [](const Edges& edges, PartScores scores, std::vector<Node> heads, bool single_root) {
            if (!is_alive_tree(edges, heads, {single_root, false}))
                throw std::invalid_argument("a local search starts from a tree of alive edges");
            Parts parts;
            fill_parts(parts, edges, scores);
            unlocked([&] { climb(edges, parts, {single_root, false}, heads); });
            return as_array(std::move(heads));
        },
        "edges"_a, "parts"_a, "heads"_a, "single_root"_a = true,
        "The tree that no other head of one word makes better, from a given one; arcs may cross.");
    room.def(
        "best_tree",
        [](const Edges& edges, bool single_root, bool projective) {
            return decoded(edges, [&](std::span<Node> heads) {
                return BestTree().decode(edges, {single_root, projective}, heads);
            });
        },
        "edges"_a, "single_root"_a = true, "projective"_a = true,
        "The best tree by edges: the best heads where these are one, else by the decoder for the rules.");
    room.def(
        "max_marginals",
        [](const Edges& edges, bool single_root) -> nb::object {
            MaxMarginals marginals;
            if (!unlocked([&] { return marginals.compute(edges, single_root); })) return nb::none();
            std::vector<Sum> rows;
            for (std::size_t m = 1; m <= edges.words(); ++m) {
                const std::span<const Sum> row = marginals.row(static_cast<Node>(m));
                rows.insert(rows.end(), row.begin(), row.end());
            }
            return nb::make_tuple(marginals.best(), as_array(std::move(rows), {edges.words(), edges.columns()}));
        },
        "edges"_a, "single_root"_a = true,
        "The best sum, and for each word and column that of the best projective tree with this edge, the lowest 64-bit "
        "number where there is none; None if there is no tree.");
    room.def(
        "prune",
        [](Edges& edges, double share, bool single_root) -> std::optional<std::size_t> {
            if (!(share >= 0 && share <= 1)) throw std::invalid_argument("the share is from 0 to 1");
            return unlocked([&]() -> std::optional<std::size_t> {
                MaxMarginals marginals;
                if (!marginals.compute(edges, single_root)) return std::nullopt;
                return prune(edges, marginals, share);
            });
        },
        "edges"_a, "share"_a, "single_root"_a = true,
        "Removes edges whose max-marginal is below share * best + (1 - share) * mean of all, a step of a pruning "
        "cascade. "
        "How many died; None, and nothing happens, if there is no projective tree.");
}

}  // namespace laconic::bindings
