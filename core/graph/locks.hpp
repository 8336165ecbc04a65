#pragma once
// Words whose head is decided, in the midst of edges that are still alive: a lock removes what it rules out, and a word
// that is left with one head is locked in turn.
//
// Exact rules (the default) keep an edge if and only if some tree with all locked arcs contains it (faces.hpp). The
// rules of He, Daumé & Eisner (2013) remove edges that cross a locked arc, close a cycle with locked ones or make a
// second root, but no edge of the current tree, which may have crossing arcs. Sentences with a window have no rules
// but that a locked word keeps its head: memory stays linear.

#include <utility>

#include "graph/faces.hpp"

namespace laconic::graph {

enum class Propagation : std::uint8_t { exact, paper };

// Why an edge is dead.
enum class Rule : std::uint8_t { trails, other_head, crossing, cycle, second_root };

struct LockCounts {
    std::uint32_t locked = 0;     // words, because the policy said so or rivals were dropped
    std::uint32_t forced = 0;     // words that were left with one head
    std::uint64_t dropped = 0;    // edges into words that were asked about
    std::uint64_t ruled_out = 0;  // edges that locked arcs rule out
    std::uint64_t kept = 0;       // edges of the current tree that the rules would remove: none with exact rules
};

// Hears of what happens; this one does not listen.
struct Silent {
    static constexpr bool listens = false;
    void died(Node, Node, Rule) {}
    void locked(Node, Node, bool) {}
};

class Locks {
public:
    // Nothing is locked. `edges` must outlive what follows.
    void start(Edges& edges, const TreeRules& rules, Propagation propagation);

    [[nodiscard]] bool is_locked(Node word) const noexcept { return locked_[at(word)] != 0; }
    // In ascending order.
    [[nodiscard]] std::span<const Node> open() noexcept;
    [[nodiscard]] Faces& faces() noexcept { return faces_; }
    // Whether regions of faces can be decoded on their own.
    [[nodiscard]] bool has_faces() const noexcept { return exact_ && rules_.projective && edges_->dense(); }
    // Since the last call.
    [[nodiscard]] LockCounts take_counts() noexcept { return std::exchange(counts_, {}); }

    // Removes the rivals of a word's head in the current tree for which drop(head, score) says so.
    template <class Drop, class Observer>
    void drop_rivals(Node word, std::span<const Node> tree, Rule rule, Drop&& drop, Observer& observer) {
        const Bits alive = edges_->alive(word);
        const std::span<const Score> scores = edges_->scores(word);
        each_bit(alive, [&](std::size_t column) {
            const Node head = edges_->head(column, word);
            if (head == tree[at(word) - 1] || !drop(head, scores[column])) return;
            clear_bit(alive, column);
            ++counts_.dropped;
            if constexpr (Observer::listens) observer.died(head, word, rule);
        });
    }

    // Locks an open word to its head in the current tree, and the words that are then left with one head. `forced`: so
    // was this one.
    template <class Observer>
    void lock(Node word, bool forced, std::span<const Node> tree, Observer& observer) {
        waiting_.assign(1, word);
        for (; !waiting_.empty(); forced = true) {
            const Node next = waiting_.back();
            waiting_.pop_back();
            if (is_locked(next)) continue;
            ++(forced ? counts_.forced : counts_.locked);
            settle(next, tree, observer);
            if constexpr (Observer::listens) observer.locked(tree[at(next) - 1], next, forced);
        }
    }

    // Locks the words that have one alive head, and those that are then left with one: what comes of it is the same as
    // for one after another, but what the arcs rule out is looked at once.
    template <class Observer>
    void lock_decided(std::span<const Node> tree, Observer& observer) {
        if (!exact_) {
            for (Node word = 1; at(word) <= edges_->words(); ++word)
                if (!edges_->has_choice(word) && !is_locked(word)) lock(word, true, tree, observer);
            return;
        }
        for (Node word = 1; at(word) <= edges_->words(); ++word) {
            if (edges_->has_choice(word)) continue;
            const Node head = tree[at(word) - 1];
            ++counts_.forced;
            locked_[at(word)] = 1;
            if (edges_->dense()) faces_.lock(head, word);
            if constexpr (Observer::listens) observer.locked(head, word, true);
        }
        if (!edges_->dense()) return;
        std::vector<Node> left;
        waiting_.clear();
        for (const Node word : open())
            rule_out(word, tree, observer, [&](std::size_t i) { return faces_.candidates(word, i); });
        left.swap(waiting_);
        for (const Node word : left)
            if (!is_locked(word)) lock(word, true, tree, observer);
    }

private:
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }

    template <class Observer>
    void settle(Node word, std::span<const Node> tree, Observer& observer) {
        const Node head = tree[at(word) - 1];
        drop_rivals(word, tree, Rule::other_head, [](Node, Score) { return true; }, observer);
        locked_[at(word)] = 1;
        if (!edges_->dense()) return;
        faces_.lock(head, word);
        faces_.each_affected([&](Node other) {
            rule_out(other, tree, observer, [&](std::size_t i) { return faces_.candidates(other, i); });
        });
        if (exact_ || !rules_.projective) return;
        const std::size_t low = at(std::min(head, word)), high = at(std::max(head, word));
        for (const Node other : open()) {
            const std::size_t place = at(other);
            if (place == low || place == high) continue;
            const bool inside = low < place && place < high;
            rule_out(other, tree, observer, [&](std::size_t i) {
                return inside ? range_word(i, low, high + 1) : ~range_word(i, low + 1, high);
            });
        }
    }

    // Removes the edges into a word that are not among those allowed.
    template <class Observer, class Allowed>
    void rule_out(Node word, std::span<const Node> tree, Observer& observer, Allowed&& allowed) {
        const Bits alive = edges_->alive(word);
        const std::size_t current = at(tree[at(word) - 1]);
        std::size_t left = 0;
        bool changed = false;
        for (std::size_t i = 0; i < alive.size(); ++i) {
            std::uint64_t gone = alive[i] & ~allowed(i);
            if (gone != 0) {
                if (current / bits_per_word == i && (gone >> (current % bits_per_word) & 1) != 0) {
                    gone &= ~(std::uint64_t{1} << (current % bits_per_word));
                    ++counts_.kept;
                }
                alive[i] &= ~gone;
                counts_.ruled_out += static_cast<std::uint64_t>(std::popcount(gone));
                changed = changed || gone != 0;
                if constexpr (Observer::listens)
                    for (; gone != 0; gone &= gone - 1) {
                        const auto head =
                            static_cast<Node>(i * bits_per_word + static_cast<std::size_t>(std::countr_zero(gone)));
                        observer.died(head, word, reason(head, word));
                    }
            }
            left += static_cast<std::size_t>(std::popcount(alive[i]));
        }
        if (changed && left == 1) waiting_.push_back(word);
    }

    [[nodiscard]] Rule reason(Node head, Node word) const noexcept {
        if (head == root && faces_.root_is_taken()) return Rule::second_root;
        return faces_.descends(head, word) ? Rule::cycle : Rule::crossing;
    }

    Edges* edges_ = nullptr;
    TreeRules rules_;
    bool exact_ = true;
    Faces faces_;
    std::vector<std::uint8_t> locked_;
    std::vector<Node> open_;
    std::vector<Node> waiting_;
    LockCounts counts_;
};

}  // namespace laconic::graph
