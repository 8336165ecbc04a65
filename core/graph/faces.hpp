#pragma once
// Locked arcs, and the heads that they leave to other words: exactly those that some tree with all locked arcs gives
// them, whatever else is alive.
//
// Projective trees: locked arcs cut the sentence, drawn with its arcs above it, into faces. A word looks for its head
// among the words on the border of one face, the *outer* face of the word. Not among them are words that descend from
// it and those whose own locked head lies between the two; the ends of the arc above the face are always visible. All
// completions of a set of locked arcs are the product of the completions of its faces.
// Trees with crossing arcs: a word may not descend from itself, and there may be one root only.
//
// A lock takes O(n / 64) and a step for each word below the arc; candidates take O(n / 64). Memory is O(n² / 64): for
// sentences with dense rows.

#include "graph/projective.hpp"

namespace laconic::graph {

class Faces {
public:
    using Face = std::uint32_t;  // 0 is the face without an arc above it

    void start(std::size_t words, const TreeRules& rules);

    [[nodiscard]] std::size_t words() const noexcept { return heads_.size() - 1; }
    [[nodiscard]] bool is_locked(Node word) const noexcept { return heads_[at(word)] != corpus::none; }
    // The locked head of a word, or corpus::none.
    [[nodiscard]] Node head(Node word) const noexcept { return heads_[at(word)]; }
    [[nodiscard]] std::size_t locked() const noexcept { return locked_; }

    // Part `index` of the set of heads that an unlocked word may have.
    [[nodiscard]] std::uint64_t candidates(Node modifier, std::size_t index) const noexcept {
        std::uint64_t found = all(index);
        if (rules_.projective) {
            const auto m = static_cast<std::size_t>(modifier);
            const Face face = outer_[at(modifier)];
            found = border(face)[index];
            found &= ~(left_[index] & range_word(index, 0, m));
            found &= ~(right_[index] & range_word(index, m, words() + 1));
            if (face != 0) found |= bit(arc_heads_[face], index) | bit(arc_modifiers_[face], index);
        }
        found &= ~below(modifier)[index];
        return index == 0 && root_is_taken() ? found & ~std::uint64_t{1} : found;
    }
    [[nodiscard]] bool is_candidate(Node head, Node modifier) const noexcept {
        return (candidates(modifier, at(head) / bits_per_word) >> (at(head) % bits_per_word) & 1) != 0;
    }
    // Whether a word descends from another by locked arcs, or is it.
    [[nodiscard]] bool descends(Node word, Node from) const noexcept { return has_bit(below(from), at(word)); }
    [[nodiscard]] bool root_is_taken() const noexcept { return rules_.single_root && root_locked_; }

    // `modifier` is not locked and `head` is one of its candidates.
    void lock(Node head, Node modifier);
    // Calls visit(word) for the unlocked words whose candidates the last lock may have changed, and perhaps others.
    template <class Visit>
    void each_affected(Visit&& visit) const {
        if (!rules_.projective) {
            if (last_.head == root && rules_.single_root) {
                for (Node word = 1; at(word) < heads_.size(); ++word)
                    if (!is_locked(word)) visit(word);
            } else if (last_.top != root) {
                visit(last_.top);
            }
            return;
        }
        bool seen = last_.top == root;
        const ConstBits above = border(last_.outer), under = border(last_.inner);
        for (std::size_t i = 0; i < above.size(); ++i)
            for (std::uint64_t part = above[i] | under[i]; part != 0; part &= part - 1) {
                const auto word =
                    static_cast<Node>(i * bits_per_word + static_cast<std::size_t>(std::countr_zero(part)));
                if (word == root || is_locked(word)) continue;
                if (outer_[at(word)] != last_.outer && outer_[at(word)] != last_.inner) continue;
                seen = seen || word == last_.top;
                visit(word);
            }
        if (!seen) visit(last_.top);
    }

    // Faces of projective trees, each with a number below this.
    [[nodiscard]] Face faces() const noexcept { return static_cast<Face>(arc_heads_.size()); }
    [[nodiscard]] Face outer(Node word) const noexcept { return outer_[at(word)]; }
    // The words that a decoder needs to know for the unlocked words of a face. Valid until the next call.
    [[nodiscard]] Region region(Face face);

private:
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }
    static std::uint64_t bit(Node node, std::size_t index) noexcept {
        return at(node) / bits_per_word == index ? std::uint64_t{1} << (at(node) % bits_per_word) : 0;
    }
    [[nodiscard]] std::uint64_t all(std::size_t index) const noexcept { return range_word(index, 0, heads_.size()); }
    [[nodiscard]] ConstBits border(Face face) const noexcept { return {borders_.data() + face * bits_, bits_}; }
    [[nodiscard]] Bits border(Face face) noexcept { return {borders_.data() + face * bits_, bits_}; }
    [[nodiscard]] ConstBits below(Node node) const noexcept { return {below_.data() + at(node) * bits_, bits_}; }
    // The word or root from which a word descends by locked arcs and which has no locked head.
    [[nodiscard]] Node top(Node word) noexcept;

    struct Lock {
        Node head = root, top = root;
        Face outer = 0, inner = 0;
    };

    TreeRules rules_;
    std::size_t bits_ = 0;
    std::size_t locked_ = 0;
    bool root_locked_ = false;
    std::vector<Node> heads_;             // by word
    std::vector<Node> tops_;              // union-find
    std::vector<std::uint64_t> below_;    // by word without a locked head: those that descend from it, and itself
    std::vector<std::uint64_t> borders_;  // by face
    std::vector<Node> arc_heads_, arc_modifiers_;  // by face: the arc above it
    std::vector<Face> outer_;                      // by word
    std::vector<std::uint64_t> left_, right_;      // locked words whose head stands to their right, to their left
    std::vector<Node> places_;
    Lock last_;
};

}  // namespace laconic::graph
