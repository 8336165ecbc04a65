#pragma once
// The tree that a sentence should get, as oracles look at it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transition/state.hpp"

namespace laconic::transition {

class Gold {
public:
    // `heads` of words 1 to n (0 is the root), which must form a tree; `relations` may be empty. Linear.
    void set(std::span<const std::int32_t> heads, std::span<const Relation> relations, bool single_root) {
        const std::size_t nodes = heads.size() + 1;
        heads_.assign(nodes, none);
        std::ranges::copy(heads, heads_.begin() + 1);
        relations_.assign(nodes, no_relation);
        std::ranges::copy(relations, relations_.begin() + 1);
        // Where one root is the law, further ones of the treebank hang on the first.
        Node first = none;
        for (std::size_t i = 1; single_root && i < nodes; ++i) {
            if (heads_[i] != root) continue;
            if (first == none)
                first = static_cast<Node>(i);
            else
                heads_[i] = first;
        }
        begins_.assign(nodes + 1, 0);
        for (std::size_t i = 1; i < nodes; ++i) ++begins_[at(heads_[i]) + 1];
        for (std::size_t i = 0; i < nodes; ++i) begins_[i + 1] += begins_[i];
        children_.resize(heads.size());
        filled_ = begins_;
        for (std::size_t i = 1; i < nodes; ++i) children_[filled_[at(heads_[i])]++] = static_cast<Node>(i);
        ordered_ = false;
    }

    [[nodiscard]] Node head(Node node) const noexcept { return heads_[at(node)]; }
    [[nodiscard]] Relation relation(Node node) const noexcept { return relations_[at(node)]; }
    [[nodiscard]] bool has(Arc arc) const noexcept { return head(arc.dependent) == arc.head; }
    // In the order of the sentence.
    [[nodiscard]] std::span<const Node> children(Node node) const noexcept {
        return {children_.data() + begins_[at(node)], begins_[at(node) + 1] - begins_[at(node)]};
    }
    // The place of each word where children stand between or around their heads without crossings: the order that
    // makes the tree projective. Computed when first asked for; linear.
    [[nodiscard]] std::uint32_t place(Node node) const {
        if (!ordered_) order();
        return places_[at(node)];
    }

private:
    static std::size_t at(Node node) noexcept { return static_cast<std::size_t>(node); }

    // In-order: children to the left of a word, the word, children to its right. Without recursion: trees may be deep.
    void order() const {
        places_.assign(heads_.size(), 0);
        std::vector<std::pair<Node, std::size_t>> path{{root, 0}};  // a node, and how many children are done
        std::uint32_t next = 0;
        std::vector<bool> placed(heads_.size());
        while (!path.empty()) {
            auto& [node, done] = path.back();
            const std::span<const Node> all = children(node);
            if (!placed[at(node)] && (done == all.size() || all[done] > node)) {
                placed[at(node)] = true;
                places_[at(node)] = next++;
            }
            if (done == all.size()) {
                path.pop_back();
            } else {
                const Node child = all[done++];
                path.emplace_back(child, 0);
            }
        }
        ordered_ = true;
    }

    std::vector<Node> heads_, children_;
    std::vector<Relation> relations_;
    std::vector<std::size_t> begins_, filled_;
    mutable std::vector<std::uint32_t> places_;
    mutable bool ordered_ = false;
};

}  // namespace laconic::transition
