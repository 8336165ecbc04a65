#pragma once
// For every part of a pattern the set of words of a sentence that satisfy it, from the inside out.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/sentence_words.hpp"

namespace laconic::query {

using Words = std::vector<std::uint8_t>;  // which words of a sentence are in a set

// Does an arc give the relation to A, which is the head (`downwards`) or the word that depends?
[[nodiscard]] bool arc_holds(Relation relation, std::size_t word, std::size_t head, bool downwards) noexcept;

class WordSets {
public:
    WordSets(const Pattern& pattern, SentenceWords& words);

    // Of the sentence that the words are in now; false: no word satisfies one of the parts, and the sets are not whole.
    [[nodiscard]] bool evaluate();
    [[nodiscard]] const Words& of_node(std::size_t number) const noexcept { return node_sets_[number]; }
    [[nodiscard]] const Words& of_expression(std::size_t number) const noexcept { return expression_sets_[number]; }
    // Of the relation: the words whose label is the one that is asked for.
    [[nodiscard]] const Words& of_label(std::size_t number) const noexcept { return label_sets_[number]; }

private:
    [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
    void evaluate_node(std::uint32_t number);
    void evaluate(std::uint32_t number);
    void evaluate_label(std::uint32_t number);
    // Marks every word that is in the relation to a word of `to`. Linear; chains with a bound on their length take so
    // many steps a word.
    void mark_related(const Expression& expression, const Words& to, const Words& label, Words& set);
    void mark_chains(const Expression& expression, const Words& to, const Words& label, Words& set);

    const Pattern& pattern_;
    SentenceWords& words_;
    std::vector<Words> node_sets_, expression_sets_, label_sets_;
};

}  // namespace laconic::query
