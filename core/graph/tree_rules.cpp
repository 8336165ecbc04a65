#include "graph/tree_rules.hpp"

namespace laconic::graph {

namespace {

std::size_t at(Node node) noexcept {
    return static_cast<std::size_t>(node);
}

}  // namespace

// A tree is projective if joining neighbours on a stack, a modifier as soon as its own modifiers have been joined to
// it, leaves nothing but the root. Cycles are never joined.
bool TreeCheck::is_projective_tree(std::span<const Node> heads) {
    counts_.assign(heads.size() + 1, 0);  // modifiers that are not joined yet
    for (const Node head : heads) ++counts_[at(head)];
    stack_.clear();
    stack_.push_back(root);
    for (Node word = 1; at(word) <= heads.size(); ++word) {
        stack_.push_back(word);
        while (stack_.size() > 1) {
            const Node right = stack_.back();
            const Node left = stack_[stack_.size() - 2];
            if (left != root && heads[at(left - 1)] == right && counts_[at(left)] == 0) {
                stack_[stack_.size() - 2] = right;
                --counts_[at(right)];
            } else if (heads[at(right - 1)] == left && counts_[at(right)] == 0) {
                --counts_[at(left)];
            } else {
                break;
            }
            stack_.pop_back();
        }
    }
    return stack_.size() == 1;
}

// Paths are followed upwards and marked with the word they started from: meeting the own mark closes a cycle.
bool TreeCheck::is_acyclic(std::span<const Node> heads) {
    counts_.assign(heads.size() + 1, 0);
    counts_[0] = corpus::none;
    for (Node start = 1; at(start) <= heads.size(); ++start) {
        Node word = start;
        while (counts_[at(word)] == 0) {
            counts_[at(word)] = start;
            word = heads[at(word - 1)];
        }
        if (counts_[at(word)] == start) return false;
    }
    return true;
}

bool TreeCheck::operator()(std::span<const Node> heads, const TreeRules& rules) {
    if (rules.single_root && !heads.empty() && std::ranges::count(heads, root) != 1) return false;
    return rules.projective ? is_projective_tree(heads) : is_acyclic(heads);
}

}  // namespace laconic::graph
