#include "query/word_sets.hpp"

#include <algorithm>

namespace laconic::query {

bool arc_holds(Relation relation, std::size_t word, std::size_t head, bool downwards) noexcept {
    switch (relation) {
        case Relation::depends:
            return !downwards;
        case Relation::governs:
            return downwards;
        case Relation::linked:
            return true;
        case Relation::head_right:
            return !downwards && head > word;
        case Relation::head_left:
            return !downwards && head < word;
        case Relation::child_right:
            return downwards && word > head;
        case Relation::child_left:
            return downwards && word < head;
        case Relation::head_next:
            return !downwards && head == word + 1;
        case Relation::head_previous:
            return !downwards && head + 1 == word;
        case Relation::child_next:
            return downwards && word == head + 1;
        case Relation::child_previous:
            return downwards && word + 1 == head;
        default:
            return false;
    }
}

WordSets::WordSets(const Pattern& pattern, SentenceWords& words)
    : pattern_(pattern),
      words_(words),
      node_sets_(pattern.nodes.size()),
      expression_sets_(pattern.expressions.size()),
      label_sets_(pattern.expressions.size()) {}

bool WordSets::evaluate() {
    for (const std::uint32_t part : pattern_.parts) {
        evaluate_node(part);
        if (std::ranges::find(node_sets_[part], 1) == node_sets_[part].end()) return false;
    }
    return true;
}

void WordSets::evaluate_node(std::uint32_t number) {
    const Node& node = pattern_.nodes[number];
    Words& set = node_sets_[number];
    set.assign(size(), 0);
    for (std::uint32_t word = 0; word < size(); ++word) {
        const bool good = std::ranges::all_of(
            node.tests, [&](std::uint32_t test) { return words_.passes(pattern_.tests[test], word); });
        set[word] = good != node.negated ? 1 : 0;
    }
    if (node.expression < 0) return;
    const auto expression = static_cast<std::size_t>(node.expression);
    // Nothing is asked of the other words unless one of these is there.
    if (std::ranges::find(set, 1) == set.end()) return;
    evaluate(static_cast<std::uint32_t>(expression));
    for (std::size_t word = 0; word < size(); ++word) set[word] &= expression_sets_[expression][word];
}

void WordSets::evaluate(std::uint32_t number) {
    const Expression& expression = pattern_.expressions[number];
    Words& set = expression_sets_[number];
    switch (expression.kind) {
        case Expression::Kind::relation:
            evaluate_node(expression.node);
            evaluate_label(number);
            set.assign(size(), 0);
            mark_related(expression, node_sets_[expression.node], label_sets_[number], set);
            return;
        case Expression::Kind::all:
            set.assign(size(), 1);
            for (const std::uint32_t part : expression.parts) {
                evaluate(part);
                for (std::size_t word = 0; word < size(); ++word) set[word] &= expression_sets_[part][word];
            }
            return;
        case Expression::Kind::any:
            set.assign(size(), 0);
            for (const std::uint32_t part : expression.parts) {
                evaluate(part);
                for (std::size_t word = 0; word < size(); ++word) set[word] |= expression_sets_[part][word];
            }
            return;
        case Expression::Kind::negated:
            evaluate(expression.parts[0]);
            set = expression_sets_[expression.parts[0]];
            for (std::uint8_t& one : set) one ^= 1;
            return;
        case Expression::Kind::optional:
            evaluate(expression.parts[0]);
            set.assign(size(), 1);
            return;
    }
}

void WordSets::evaluate_label(std::uint32_t number) {
    const std::int32_t label = pattern_.expressions[number].label;
    Words& set = label_sets_[number];
    set.assign(size(), 1);
    if (label < 0) return;
    const Test& test = pattern_.tests[static_cast<std::size_t>(label)];
    for (std::uint32_t word = 0; word < size(); ++word) set[word] = words_.passes(test, word) ? 1 : 0;
}

void WordSets::mark_related(const Expression& expression, const Words& to, const Words& label, Words& set) {
    const Relation relation = expression.relation;
    switch (relation) {
        case Relation::below:
        case Relation::above:
            return mark_chains(expression, to, label, set);
        case Relation::same:
            set = to;
            return;
        case Relation::next:
            for (std::size_t word = 0; word + 1 < size(); ++word) set[word] = to[word + 1];
            return;
        case Relation::previous:
            for (std::size_t word = 1; word < size(); ++word) set[word] = to[word - 1];
            return;
        case Relation::before: {
            std::uint8_t later = 0;
            for (std::size_t word = size(); word-- > 0; later |= to[word]) set[word] = later;
            return;
        }
        case Relation::after: {
            std::uint8_t earlier = 0;
            for (std::size_t word = 0; word < size(); earlier |= to[word++]) set[word] = earlier;
            return;
        }
        case Relation::later_sibling:
        case Relation::earlier_sibling: {
            Words below(size() + 1, 0);  // heads that had a word of `to` among the words that were passed
            for (std::size_t step = 0; step < size(); ++step) {
                const std::size_t word = relation == Relation::later_sibling ? size() - 1 - step : step;
                const std::size_t head = words_.head_of(word);
                if (head == size()) continue;
                set[word] = below[head];
                below[head] |= to[word];
            }
            return;
        }
        default:
            for (std::size_t word = 0; word < size(); ++word) {
                const std::size_t head = words_.head_of(word);
                if (head == size()) continue;
                // The arc from both of its ends.
                if (to[head] != 0 && label[word] != 0 && arc_holds(relation, word, head, false)) set[word] = 1;
                if (to[word] != 0 && label[word] != 0 && arc_holds(relation, word, head, true)) set[head] = 1;
                if (relation == Relation::next_sibling && word + 1 < size() && words_.head_of(word + 1) == head)
                    set[word] = to[word + 1];
                if (relation == Relation::previous_sibling && word > 0 && words_.head_of(word - 1) == head)
                    set[word] = to[word - 1];
            }
    }
}

void WordSets::mark_chains(const Expression& expression, const Words& to, const Words& label, Words& set) {
    const corpus::Tree* own = words_.tree();
    if (own == nullptr) return;
    const bool up = expression.relation == Relation::below;
    const auto order = own->downwards();
    if (expression.least > 1 || expression.most < size()) {
        for (std::size_t word = 0; word < size(); ++word) {
            if (label[word] == 0 || (!up && to[word] == 0)) continue;
            std::size_t at = words_.head_of(word);
            for (std::uint32_t arcs = 1; at != size() && arcs <= expression.most; ++arcs, at = words_.head_of(at)) {
                if (arcs < expression.least) continue;
                if (!up)
                    set[at] = 1;
                else if (to[at] != 0)
                    set[word] = 1;
            }
        }
        return;
    }
    Words reached(size(), 0);  // up: some word above is in `to`; down: some word below is
    if (up) {
        for (const corpus::Node node : order) {
            const auto word = static_cast<std::size_t>(node) - 1;
            const std::size_t head = words_.head_of(word);
            if (head != size()) reached[word] = to[head] | reached[head];
            set[word] = reached[word] & label[word];
        }
    } else {
        for (std::size_t i = order.size(); i-- > 0;) {
            const auto word = static_cast<std::size_t>(order[i]) - 1;
            const std::size_t head = words_.head_of(word);
            if (head == size()) continue;
            reached[head] = static_cast<std::uint8_t>(reached[head] | reached[word] | (to[word] & label[word]));
        }
        set = reached;
    }
}

}  // namespace laconic::query
