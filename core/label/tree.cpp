#include "label/tree.hpp"

namespace laconic::label {

void Tree::enter(std::span<const std::int32_t> heads) {
    const std::size_t size = heads.size();
    heads_.resize(size + 1);
    begins_.assign(size + 3, 0);
    left_.assign(size + 1, 0);
    children_.resize(size);
    ranks_.resize(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
        const auto head = static_cast<Place>(heads[i]);
        heads_[i + 1] = head;
        ++begins_[head + 2];
        if (i + 1 < head) ++left_[head];
    }
    for (std::size_t h = 2; h < begins_.size(); ++h) begins_[h] += begins_[h - 1];
    // begins_[h + 1] now is where the next child of h goes; when all are placed it is where they end.
    for (std::size_t i = 1; i <= size; ++i) {
        const std::uint32_t rank = begins_[heads_[i] + 1]++;
        children_[rank] = static_cast<Place>(i);
        ranks_[i] = rank;
    }
    begins_.resize(size + 2);
    order_.clear();
    for (const Place root : children(nowhere)) order_.push_back(root);
    for (std::size_t i = 0; i < order_.size(); ++i)
        for (const Place child : children(order_[i])) order_.push_back(child);
}

}  // namespace laconic::label
