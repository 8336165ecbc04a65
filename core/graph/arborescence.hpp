#pragma once
// The best tree whose arcs may cross: Chu & Liu (1965), Edmonds (1967), with components that grow along a path (Gabow
// et al. 1986). One root: every root edge is made worse by more than any tree can make up for, so that the best tree
// has as few of them as possible (Stanojević & Cohen 2021).
//
// O(alive edges) to find the best heads; a row is sorted when a word of a cycle needs several further heads, and the
// heads of components are merged, smaller into larger, as heaps: O(alive edges · log n) at worst.

#include "graph/tree_rules.hpp"

namespace laconic::graph {

class Arborescence {
public:
    [[nodiscard]] bool decode(const Edges& edges, bool single_root, std::span<Node> heads);

private:
    using Component = std::uint32_t;  // 0..n are the root and single words, higher ones are contracted cycles

    // The best edge that enters a component at a word; its value is relative to the component's shift.
    struct Entry {
        Sum value;
        Node head, word;
    };
    // Next best heads of a word are looked for in its row, at first; later they are taken from a sorted copy.
    static constexpr std::uint32_t most_scans = 4;
    struct Order {
        std::size_t begin = 0, end = 0, at = 0;  // in sorted_, by descending score
        std::uint32_t scans = 0;
    };

    // The best tree into found_; with a price on root edges, one with as few of them as can be.
    [[nodiscard]] bool run(const Edges& edges, bool single_root);
    void enter(const Edges& edges, bool single_root);
    [[nodiscard]] Component find(Component component) noexcept;
    [[nodiscard]] Sum score(const Edges& edges, Node head, Node word) const noexcept;
    // Moves an entry of a component to the next best head of its word; false if there is none.
    [[nodiscard]] bool advance(const Edges& edges, Entry& entry, Component component);
    // Finds the best edge that enters a component from outside; false if there is none.
    [[nodiscard]] bool choose(const Edges& edges, Component component);
    [[nodiscard]] Component contract(std::size_t first_on_path);
    void expand(std::span<Node> heads);

    static bool worse(const Entry& a, const Entry& b) noexcept {
        if (a.value != b.value) return a.value < b.value;
        return a.head != b.head ? a.head > b.head : a.word > b.word;
    }

    std::size_t words_ = 0;
    Component next_ = 0;  // the number of the next cycle
    Sum root_price_ = 0;
    std::vector<Component> joined_;  // union-find
    std::vector<Component> parent_;  // the cycle that a component is part of
    std::vector<std::uint8_t> done_, on_path_;
    std::vector<Component> path_;
    std::vector<Sum> shift_;
    std::vector<Entry> chosen_;              // with the value that counts, the shift included
    std::vector<Entry> single_;              // entries of single words
    std::vector<std::vector<Entry>> heaps_;  // entries of cycles
    std::vector<std::vector<Component>> members_;
    std::vector<Order> orders_;
    std::vector<Node> sorted_;
    std::vector<Node> found_;
};

}  // namespace laconic::graph
