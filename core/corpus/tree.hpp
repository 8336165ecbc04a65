#pragma once
// The heads of one sentence as a tree: is a column of heads a forest under the root 0, and which words stand where in
// it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace laconic::corpus {

struct TreeFault {
    std::string reason;    // empty: no fault
    std::size_t word = 0;  // index in the sentence, from 0
};

// The first thing wrong with the heads of one sentence: some missing but not all, out of range, no root, a cycle.
// Several roots are no fault, and neither is a sentence without any head. Linear.
[[nodiscard]] TreeFault check_tree(std::span<const std::int32_t> heads);

// A word by its number in the sentence, from 1 on, or the artificial root.
using Node = std::int32_t;
inline constexpr Node none = -1;
inline constexpr Node root = 0;

// A finished tree, laid out so that every step from word to word is one look into an array. Crossing arcs and several
// roots are allowed. Nodes that are passed to functions exist, unless something else is said.
class Tree {
public:
    // Heads as in a document; check_tree has found no fault and none is missing. Linear, without recursion; nothing is
    // allocated once the longest sentence was seen.
    void enter(std::span<const std::int32_t> heads);
    // The same for heads that nobody has checked: false where some are missing or they are no tree, and then nothing
    // may be asked. Each is read once: what was checked is what is used.
    [[nodiscard]] bool try_enter(std::span<const std::int32_t> heads);

    [[nodiscard]] Node words() const noexcept { return static_cast<Node>(heads_.size()) - 1; }
    [[nodiscard]] Node head(Node node) const noexcept { return heads_[at(node)]; }  // none for the root
    // Modifiers in the order of the sentence, on whichever side of their head.
    [[nodiscard]] std::span<const Node> children(Node node) const noexcept {
        return {children_.data() + begins_[at(node)], begins_[at(node) + 1] - begins_[at(node)]};
    }
    [[nodiscard]] Node first_child(Node node) const noexcept {
        return begins_[at(node)] < begins_[at(node) + 1] ? children_[begins_[at(node)]] : none;
    }
    [[nodiscard]] Node last_child(Node node) const noexcept {
        return begins_[at(node)] < begins_[at(node) + 1] ? children_[begins_[at(node) + 1] - 1] : none;
    }
    // The next modifier of the same head to the left or to the right, none if there is none; `node` may be none.
    [[nodiscard]] Node previous_sibling(Node node) const noexcept {
        return node > root && ranks_[at(node)] > begins_[at(head(node))] ? children_[ranks_[at(node)] - 1] : none;
    }
    [[nodiscard]] Node next_sibling(Node node) const noexcept {
        return node > root && ranks_[at(node)] + 1 < begins_[at(head(node)) + 1] ? children_[ranks_[at(node)] + 1]
                                                                                 : none;
    }
    [[nodiscard]] std::uint32_t valency(Node node) const noexcept { return begins_[at(node) + 1] - begins_[at(node)]; }
    [[nodiscard]] std::uint32_t left_valency(Node node) const noexcept { return left_[at(node)]; }
    [[nodiscard]] std::uint32_t right_valency(Node node) const noexcept { return valency(node) - left_valency(node); }
    // All words, every head before its modifiers, words of one head from left to right.
    [[nodiscard]] std::span<const Node> downwards() const noexcept { return order_; }

private:
    void lay_out();
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }

    std::vector<Node> heads_{none};
    std::vector<std::uint32_t> begins_{0, 0};  // where the children of each node begin in children_
    std::vector<Node> children_;
    std::vector<std::uint32_t> ranks_;  // where each word stands in children_
    std::vector<std::uint32_t> left_;   // children to the left of each node
    std::vector<Node> order_;
};

}  // namespace laconic::corpus
