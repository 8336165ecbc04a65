#pragma once
// The gold tree of a sentence, as oracles read it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corpus/tree.hpp"
#include "transition/state.hpp"

namespace laconic::transition {

class Gold {
public:
    // `heads` of words 1 to n (0 is the root), which must form a tree; `relations` may be empty. With `single_root`,
    // further roots of the treebank become children of the first, since the parser could not build them. Linear.
    void set(std::span<const std::int32_t> heads, std::span<const Relation> relations, bool single_root) {
        relations_.assign(heads.size() + 1, no_relation);
        std::ranges::copy(relations, relations_.begin() + 1);
        projective_ranks_.clear();
        heads_.assign(heads.begin(), heads.end());
        if (single_root) {
            const auto first = std::ranges::find(heads_, root);
            if (first != heads_.end())
                std::replace(first + 1, heads_.end(), root, static_cast<Node>(first - heads_.begin() + 1));
        }
        tree_.enter(heads_);
    }

    [[nodiscard]] Node head(Node node) const noexcept { return tree_.head(node); }
    [[nodiscard]] Relation relation(Node node) const noexcept { return relations_[at(node)]; }
    [[nodiscard]] bool has(Arc arc) const noexcept { return head(arc.dependent) == arc.head; }
    // In the order of the sentence.
    [[nodiscard]] std::span<const Node> children(Node node) const noexcept { return tree_.children(node); }
    // The rank of a word in the projective order (Nivre 2009): the in-order traversal of the tree, in which no arcs
    // cross. All ranks are computed by the first call after set(), in linear time.
    [[nodiscard]] std::uint32_t projective_rank(Node node) const {
        if (projective_ranks_.empty()) rank_nodes();
        return projective_ranks_[at(node)];
    }

private:
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }

    // In-order: children to the left of a word, the word, children to its right. Without recursion: trees may be deep.
    void rank_nodes() const {
        projective_ranks_.assign(heads_.size() + 1, 0);
        std::vector<std::pair<Node, std::size_t>> path{{root, 0}};  // a node, and how many of its children are done
        std::uint32_t next = 0;
        std::vector<bool> ranked(heads_.size() + 1);
        while (!path.empty()) {
            auto& [node, done] = path.back();
            const std::span<const Node> all = children(node);
            if (!ranked[at(node)] && (done == all.size() || all[done] > node)) {
                ranked[at(node)] = true;
                projective_ranks_[at(node)] = next++;
            }
            if (done == all.size()) {
                path.pop_back();
            } else {
                const Node child = all[done++];
                path.emplace_back(child, 0);
            }
        }
    }

    std::vector<Node> heads_;  // of words 1 to n, as the tree has them
    corpus::Tree tree_;
    std::vector<Relation> relations_;
    mutable std::vector<std::uint32_t> projective_ranks_;  // empty until the first call of projective_rank()
};

}  // namespace laconic::transition
