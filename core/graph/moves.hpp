#pragma once
// What a head is worth to one word while all others keep theirs, with adjacent siblings; and the local search that
// changes one head after another (McDonald & Pereira 2006), for trees whose arcs may cross.

#include <span>

#include "graph/parts.hpp"
#include "graph/tree_rules.hpp"

namespace laconic::graph {

// A modifier of a head to be, among the other modifiers that the head has on its side.
struct Neighbours {
    Node inner = corpus::none;  // the next modifier towards the head
    Node outer = corpus::none;  // the next one away from it
};
// O(n).
[[nodiscard]] Neighbours neighbours(std::span<const Node> heads, Node head, Node word);

// By how much the score of the tree without the word grows if this head, which is alive, is given to it. O(n).
[[nodiscard]] Sum worth(const Edges& edges, const Parts& parts, std::span<const Node> heads, Node head, Node word);

// Gives a word another alive head as long as the score of the tree grows, the largest growth first. `heads` is a tree
// under the rules at the beginning and at the end; it need not be the best one. Arcs may cross; where there is one root
// it stays. O(steps · alive edges · n).
void climb(const Edges& edges, const Parts& parts, const TreeRules& rules, std::span<Node> heads);

}  // namespace laconic::graph
