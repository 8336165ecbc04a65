#pragma once
// What rounds (rounds.hpp) need to know of features: a scorer adds them group by group, to the heads of some words.

#include <concepts>

#include "graph/locks.hpp"
#include "graph/parts.hpp"

namespace laconic::graph {

// Whose weights scores are made of.
enum class Parser : std::uint8_t { crossing, projective, siblings };

struct Cost {
    std::uint64_t templates = 0;  // computed, summed over edges or parts; a row counts as the templates it stands for
    std::uint64_t rows = 0;       // of weights that were read

    Cost& operator+=(const Cost& other) noexcept {
        templates += other.templates;
        rows += other.rows;
        return *this;
    }
};

// The parts that another group can still matter to: both edges are alive and no locked modifier of the head stands
// between the sibling and the modifier. A part belongs to its modifier or, where that is locked, to its sibling, or,
// where both are locked, to the open word between them that is next to the modifier; without one it is in every tree.
class OpenParts {
public:
    OpenParts(const Edges& edges, const Locks& locks, Parts& parts) : edges_(&edges), locks_(&locks), parts_(&parts) {}

    [[nodiscard]] const Edges& edges() const noexcept { return *edges_; }
    // Calls visit(head, sibling, modifier, score&) for the parts of an open word; the sibling may be corpus::none.
    // O(lengths of the word's alive edges).
    template <class Visit>
    void each(Node word, Visit&& visit) const {
        edges_->each_alive(word, [&](Node head, Score) {
            const Node inwards = head < word ? -1 : 1;
            const auto locked_to_head = [&](Node other) {
                return locks_->is_locked(other) && edges_->is_alive(head, other);
            };
            const std::span<Score> row = parts_->row(head, word);
            Node sibling = word + inwards;
            for (; sibling != head; sibling += inwards) {
                if (!edges_->is_alive(head, sibling)) continue;
                visit(head, sibling, word, row[Parts::place(head, sibling, word)]);
                if (locks_->is_locked(sibling)) break;
            }
            if (sibling == head) visit(head, corpus::none, word, row[0]);
            const Node end = inwards < 0 ? static_cast<Node>(edges_->words()) + 1 : root;
            bool next = true;  // no open word may stand between this one and the modifier
            for (Node modifier = word - inwards; modifier != end; modifier -= inwards) {
                if (locked_to_head(modifier)) {
                    const std::span<Score> own = parts_->row(head, modifier);
                    visit(head, word, modifier, own[Parts::place(head, word, modifier)]);
                    const Node over = sibling == head ? corpus::none : sibling;
                    if (next) visit(head, over, modifier, own[Parts::place(head, over, modifier)]);
                    break;
                }
                next = next && !edges_->is_alive(head, modifier);
            }
        });
    }

private:
    const Edges* edges_;
    const Locks* locks_;
    Parts* parts_;
};

template <class S>
concept RoundScorer = requires(S& scorer, std::size_t group, std::span<const Node> words, Edges& edges,
                               const OpenParts& parts, Parser parser) {
    // How many groups of edges there are, at least one, and of siblings.
    { scorer.groups() } -> std::convertible_to<std::size_t>;
    { scorer.sibling_groups() } -> std::convertible_to<std::size_t>;
    // Adds a group to the scores of the alive heads of these words, which are in ascending order. Groups of a word
    // follow each other; group 0 begins a sentence, and does so again where all edges had to come back.
    { scorer.add(group, words, edges) } -> std::same_as<Cost>;
    // The same for the parts of these words: parts.each(word, ...).
    { scorer.add_siblings(group, words, parts) } -> std::same_as<Cost>;
    // Turns the scores of all alive edges into those of another parser; nothing to do for one set of weights.
    { scorer.use(parser, edges) } -> std::same_as<void>;
};

}  // namespace laconic::graph
