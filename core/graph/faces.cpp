#include "graph/faces.hpp"

namespace laconic::graph {

void Faces::start(std::size_t words, const TreeRules& rules) {
    rules_ = rules;
    bits_ = words_for(words + 1);
    locked_ = 0;
    root_locked_ = false;
    last_ = {};
    heads_.assign(words + 1, corpus::none);
    tops_.resize(words + 1);
    below_.assign((words + 1) * bits_, 0);
    for (std::size_t i = 0; i <= words; ++i) {
        tops_[i] = static_cast<Node>(i);
        set_bit(Bits(below_).subspan(i * bits_, bits_), i);
    }
    borders_.assign(bits_, 0);
    set_range(borders_, 0, words + 1);
    arc_heads_.assign(1, corpus::none);
    arc_modifiers_.assign(1, corpus::none);
    outer_.assign(words + 1, 0);
    left_.assign(bits_, 0);
    right_.assign(bits_, 0);
}

Node Faces::top(Node word) noexcept {
    while (tops_[at(word)] != word) word = tops_[at(word)] = tops_[at(tops_[at(word)])];
    return word;
}

void Faces::lock(Node head, Node modifier) {
    const Face outside = outer_[at(modifier)];
    last_ = {head, top(head), outside, outside};
    if (rules_.projective) {
        const std::size_t low = at(std::min(head, modifier)), high = at(std::max(head, modifier));
        const auto inside = static_cast<Face>(arc_heads_.size());
        arc_heads_.push_back(head);
        arc_modifiers_.push_back(modifier);
        borders_.resize(borders_.size() + bits_, 0);
        const Bits above = border(outside), under = border(inside);
        for (std::size_t i = low / bits_per_word; i <= high / bits_per_word; ++i) {
            under[i] = above[i] & range_word(i, low + 1, high);
            above[i] &= ~under[i];
        }
        each_bit(under, [&](std::size_t word) { outer_[word] = inside; });
        set_bit(under, low);
        set_bit(under, high);
        set_bit(head > modifier ? left_ : right_, at(modifier));
        last_.inner = inside;
    }
    const std::size_t upper = at(last_.top) * bits_, lower = at(modifier) * bits_;
    for (std::size_t i = 0; i < bits_; ++i) below_[upper + i] |= below_[lower + i];
    tops_[at(modifier)] = last_.top;
    heads_[at(modifier)] = head;
    root_locked_ = root_locked_ || head == root;
    ++locked_;
}

Region Faces::region(Face face) {
    places_.clear();
    each_bit(border(face), [&](std::size_t node) {
        if (face != 0 || node != 0) places_.push_back(static_cast<Node>(node));
    });
    return {places_, arc_heads_[face]};
}

}  // namespace laconic::graph
