#include "corpus/tree.hpp"

#include <algorithm>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

namespace {

TreeFault find_cycle(std::span<const std::int32_t> heads) {
    // Paths are followed upwards and marked with the word they started from: meeting the own mark closes a cycle.
    std::vector<std::uint32_t> mark(heads.size() + 1, 0);
    mark[0] = static_cast<std::uint32_t>(heads.size()) + 1;
    for (std::uint32_t start = 1; start <= heads.size(); ++start) {
        std::size_t word = start;
        while (mark[word] == 0) {
            mark[word] = start;
            word = static_cast<std::size_t>(heads[word - 1]);
        }
        if (word == 0 || mark[word] != start) continue;
        std::string path = std::to_string(word);
        std::size_t shown = 0;
        for (auto next = static_cast<std::size_t>(heads[word - 1]);; next = static_cast<std::size_t>(heads[next - 1])) {
            path += " -> ";
            path += ++shown > 10 ? std::string("...") : std::to_string(next);
            if (next == word || shown > 10) break;
        }
        return {"a cycle of heads: " + path + ": expected a tree", word - 1};
    }
    return {};
}

}  // namespace

TreeFault check_tree(std::span<const std::int32_t> heads) {
    std::size_t missing = 0, first_missing = heads.size(), roots = 0;
    bool forward = false;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::int32_t head = heads[i];
        if (head == no_head) {
            if (missing++ == 0) first_missing = i;
        } else if (head < 0 || static_cast<std::size_t>(head) > heads.size()) {
            return {"head " + std::to_string(head) + " is out of range: expected 0 to " + std::to_string(heads.size()),
                    i};
        } else if (head == 0) {
            ++roots;
        } else {
            forward = forward || static_cast<std::size_t>(head) > i;
        }
    }
    if (missing == heads.size()) return {};
    if (missing > 0)
        return {"no head, but other words of the sentence have one: expected a number for all or _ for all",
                first_missing};
    if (roots == 0) return {"no root: expected a word with head 0", 0};
    if (!forward) return {};  // every head lies to the left: no way back
    return find_cycle(heads);
}

void Tree::enter(std::span<const std::int32_t> heads) {
    heads_.resize(heads.size() + 1);
    heads_[0] = none;
    std::ranges::copy(heads, heads_.begin() + 1);
    lay_out();
}

bool Tree::try_enter(std::span<const std::int32_t> heads) {
    heads_.resize(heads.size() + 1);
    heads_[0] = none;
    bool within = true;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::int32_t head = heads[i];
        within = within && head >= root && static_cast<std::size_t>(head) <= heads.size();
        heads_[i + 1] = head;
    }
    if (!within) return false;
    lay_out();
    return order_.size() == heads.size();  // what hangs in a cycle is not reached from the root
}

void Tree::lay_out() {
    const std::size_t size = heads_.size() - 1;
    begins_.assign(size + 3, 0);
    left_.assign(size + 1, 0);
    children_.resize(size);
    ranks_.resize(size + 1);
    for (std::size_t i = 1; i <= size; ++i) {
        const std::size_t head = at(heads_[i]);
        ++begins_[head + 2];
        if (i < head) ++left_[head];
    }
    for (std::size_t h = 2; h < begins_.size(); ++h) begins_[h] += begins_[h - 1];
    // begins_[h + 1] now is where the next child of h goes; when all have been written it is where they end.
    for (std::size_t i = 1; i <= size; ++i) {
        const std::uint32_t rank = begins_[at(heads_[i]) + 1]++;
        children_[rank] = static_cast<Node>(i);
        ranks_[i] = rank;
    }
    begins_.resize(size + 2);
    order_.assign(children(root).begin(), children(root).end());
    for (std::size_t i = 0; i < order_.size(); ++i)
        for (const Node child : children(order_[i])) order_.push_back(child);
}

}  // namespace laconic::corpus
