#pragma once
// The tree of one sentence, laid out so that every step from word to word is one look into an array.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace laconic::label {

// A word by its place in the sentence, from 1 on. 0 is the root, which has no form and no tag: no word.
using Place = std::uint32_t;
inline constexpr Place nowhere = 0;

class Tree {
public:
    // Heads as in a document; they must form a tree. Linear; nothing is allocated once the longest sentence was seen.
    void enter(std::span<const std::int32_t> heads);

    [[nodiscard]] std::size_t size() const noexcept { return heads_.size() - 1; }
    [[nodiscard]] Place head(Place word) const noexcept { return heads_[word]; }
    [[nodiscard]] std::span<const Place> children(Place word) const noexcept {
        return {children_.data() + begins_[word], begins_[word + 1] - begins_[word]};
    }
    // The child with this number from the left, or from the right.
    [[nodiscard]] Place child(Place word, std::size_t number) const noexcept {
        const std::span<const Place> all = children(word);
        return number < all.size() ? all[number] : nowhere;
    }
    [[nodiscard]] Place last_child(Place word, std::size_t number) const noexcept {
        const std::span<const Place> all = children(word);
        return number < all.size() ? all[all.size() - 1 - number] : nowhere;
    }
    [[nodiscard]] std::size_t left_children(Place word) const noexcept { return left_[word]; }
    // The nearest modifier of the same head to the left or to the right; of roots, the next root.
    [[nodiscard]] Place left_sibling(Place word) const noexcept {
        return ranks_[word] > begins_[heads_[word]] ? children_[ranks_[word] - 1] : nowhere;
    }
    [[nodiscard]] Place right_sibling(Place word) const noexcept {
        return ranks_[word] + 1 < begins_[heads_[word] + 1] ? children_[ranks_[word] + 1] : nowhere;
    }
    // All words, every head before its modifiers, words of one head from left to right.
    [[nodiscard]] std::span<const Place> downwards() const noexcept { return order_; }

private:
    std::vector<Place> heads_{nowhere};
    std::vector<std::uint32_t> begins_{0, 0};  // where the children of each word, the root included, begin
    std::vector<Place> children_;
    std::vector<std::uint32_t> ranks_;  // where each word stands in children_
    std::vector<std::uint32_t> left_;
    std::vector<Place> order_;
};

}  // namespace laconic::label
