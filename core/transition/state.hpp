#pragma once
// Where a transition parser stands in one sentence. Plain arrays, used again for the next sentence: no step allocates.
//
// Words are numbered from 1. The artificial root is 0 and lies neither on the stack nor in the queue: systems that need
// it take it for what lies under the stack, others give it to the words that end without a head.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "corpus/tree.hpp"

namespace laconic::transition {

using corpus::Node;
using corpus::none;
using corpus::root;
using Relation = std::uint16_t;  // a label of an arc
using Move = std::uint8_t;

inline constexpr Relation no_relation = std::numeric_limits<Relation>::max();

struct Arc {
    Node head = none;
    Node dependent = none;

    [[nodiscard]] bool exists() const noexcept { return dependent != none; }
    bool operator==(const Arc&) const = default;
};

class State {
public:
    // Where a word is. `aside`: between the stack and the queue, where the list-based system keeps words that it
    // passed.
    enum class Location : std::uint8_t { queue, stack, aside, gone };
    static constexpr std::size_t memory = 9;  // moves that templates can look back on
    static constexpr Move no_move = 0xff;

    // A new sentence. Linear in its words.
    void start(std::size_t words) {
        const std::size_t nodes = words + 2;  // with one for no node, which has neither head nor children
        words_ = static_cast<Node>(words);
        stack_.clear();
        aside_.clear();
        queue_.resize(words);
        std::iota(queue_.begin(), queue_.end(), Node{1});
        front_ = 0;
        headless_ = spent_ = noted_ = 0;
        heads_.assign(nodes, none);
        relations_.assign(nodes, no_relation);
        first_.assign(nodes, none);
        last_.assign(nodes, none);
        next_.assign(nodes, none);
        previous_.assign(nodes, none);
        left_.assign(nodes, 0);
        right_.assign(nodes, 0);
        locations_.assign(nodes, Location::queue);
        locations_[at(none)] = locations_[at(root)] = Location::gone;
        history_.fill(no_move);
        moves_ = 0;
    }

    [[nodiscard]] Node words() const noexcept { return words_; }
    [[nodiscard]] std::size_t stack_size() const noexcept { return stack_.size(); }
    [[nodiscard]] std::size_t queue_size() const noexcept { return queue_.size() - front_; }
    [[nodiscard]] std::size_t aside_size() const noexcept { return aside_.size(); }
    [[nodiscard]] Node stack(std::size_t index) const noexcept {  // 0 is the top
        return index < stack_.size() ? stack_[stack_.size() - 1 - index] : none;
    }
    [[nodiscard]] Node queue(std::size_t index) const noexcept {  // 0 is the next
        return index < queue_size() ? queue_[front_ + index] : none;
    }
    [[nodiscard]] Node aside(std::size_t index) const noexcept {  // 0 was laid there last
        return index < aside_.size() ? aside_[aside_.size() - 1 - index] : none;
    }
    [[nodiscard]] Location location(Node node) const noexcept { return locations_[at(node)]; }
    [[nodiscard]] bool on_stack(Node node) const noexcept { return location(node) == Location::stack; }
    [[nodiscard]] bool in_queue(Node node) const noexcept { return location(node) == Location::queue; }
    [[nodiscard]] std::size_t headless() const noexcept { return headless_; }  // words on the stack without a head

    [[nodiscard]] Node head(Node node) const noexcept { return heads_[at(node)]; }
    [[nodiscard]] Relation relation(Node node) const noexcept { return relations_[at(node)]; }
    [[nodiscard]] std::span<const Node> heads() const noexcept { return std::span(heads_).subspan(2); }
    [[nodiscard]] std::span<const Relation> relations() const noexcept { return std::span(relations_).subspan(2); }

    // Children in the order of the sentence, on whichever side of their head.
    [[nodiscard]] Node first_child(Node node) const noexcept { return first_[at(node)]; }
    [[nodiscard]] Node last_child(Node node) const noexcept { return last_[at(node)]; }
    [[nodiscard]] Node next_sibling(Node node) const noexcept { return next_[at(node)]; }
    [[nodiscard]] Node previous_sibling(Node node) const noexcept { return previous_[at(node)]; }
    // The outermost children on one side, and those next to them.
    [[nodiscard]] Node leftmost(Node node) const noexcept { return before(node, first_child(node)); }
    [[nodiscard]] Node rightmost(Node node) const noexcept { return behind(node, last_child(node)); }
    [[nodiscard]] Node leftmost2(Node node) const noexcept { return before(node, next_sibling(leftmost(node))); }
    [[nodiscard]] Node rightmost2(Node node) const noexcept { return behind(node, previous_sibling(rightmost(node))); }
    [[nodiscard]] std::uint32_t left_valency(Node node) const noexcept { return left_[at(node)]; }
    [[nodiscard]] std::uint32_t right_valency(Node node) const noexcept { return right_[at(node)]; }
    [[nodiscard]] std::uint32_t valency(Node node) const noexcept { return left_valency(node) + right_valency(node); }

    // The n-th last move, from 1 on; no_move if there were not so many.
    [[nodiscard]] Move history(std::size_t back) const noexcept { return history_[(moves_ - back) % ring]; }
    [[nodiscard]] std::size_t moves() const noexcept { return moves_; }
    // What a system with a budget has used of it.
    [[nodiscard]] std::size_t spent() const noexcept { return spent_; }

    // A number that a system keeps for itself.
    [[nodiscard]] std::size_t noted() const noexcept { return noted_; }
    void note(std::size_t number) noexcept { noted_ = number; }

    void remember(Move move) noexcept { history_[moves_++ % ring] = move; }
    void spend() noexcept { ++spent_; }
    void shift() { push(take()); }
    Node take() noexcept {  // out of the queue
        return queue_[front_++];
    }
    void push(Node node) {
        stack_.push_back(node);
        locations_[at(node)] = Location::stack;
        headless_ += heads_[at(node)] == none;
    }
    Node pop() noexcept {
        const Node node = stack_.back();
        stack_.pop_back();
        locations_[at(node)] = Location::gone;
        headless_ -= heads_[at(node)] == none;
        return node;
    }
    // Back to the front of the queue: every word that was taken out of it left an element free there.
    void put_back(Node node) noexcept {
        queue_[--front_] = node;
        locations_[at(node)] = Location::queue;
    }
    void lay_aside(Node node) {
        aside_.push_back(node);
        locations_[at(node)] = Location::aside;
    }
    void take_back() {  // everything laid aside, in its old order
        for (; !aside_.empty(); aside_.pop_back()) push(aside_.back());
    }

    // A new arc into a word without a head. Constant time if the word lies outside of the other children.
    void attach(Arc arc, Relation relation) noexcept {
        const std::size_t head = at(arc.head);
        const std::size_t child = at(arc.dependent);
        headless_ -= locations_[child] == Location::stack;
        heads_[child] = arc.head;
        relations_[child] = relation;
        ++(arc.dependent < arc.head ? left_ : right_)[head];
        Node before = last_[head];
        if (before != none && arc.dependent < first_[head]) before = none;
        while (before != none && before > arc.dependent) before = previous_[at(before)];
        const Node behind = before == none ? first_[head] : next_[at(before)];
        previous_[child] = before;
        next_[child] = behind;
        (before == none ? first_[head] : next_[at(before)]) = arc.dependent;
        (behind == none ? last_[head] : previous_[at(behind)]) = arc.dependent;
    }

private:
    static constexpr std::size_t ring = 16;
    static_assert(memory < ring);

    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node + 1); }
    static Node before(Node node, Node child) noexcept { return child < node ? child : none; }
    static Node behind(Node node, Node child) noexcept { return child > node ? child : none; }

    Node words_ = 0;
    std::vector<Node> stack_, aside_, queue_;
    std::size_t front_ = 0, headless_ = 0, spent_ = 0, noted_ = 0, moves_ = 0;
    std::vector<Node> heads_, first_, last_, next_, previous_;  // by node, from `none` on
    std::vector<Relation> relations_;
    std::vector<std::uint32_t> left_, right_;
    std::vector<Location> locations_;
    std::array<Move, ring> history_{};
};

}  // namespace laconic::transition
