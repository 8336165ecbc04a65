#pragma once
// The words of one sentence as a pattern sees them: values of their columns, heads, children.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "query/query.hpp"

namespace laconic::query {

class SentenceWords {
public:
    SentenceWords(const Pattern& pattern, const corpus::Columns& columns);

    void enter(std::size_t sentence);
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // The index in the document of the first word.
    [[nodiscard]] std::uint32_t begin() const noexcept { return begin_; }

    [[nodiscard]] bool passes(const Test& test, std::uint32_t word);
    [[nodiscard]] std::string_view label_of(std::size_t word) const;

    // The head of a word as an index of the sentence; size() where it has none.
    [[nodiscard]] std::size_t head_of(std::size_t word) const noexcept {
        const std::int32_t head = heads_[word];
        return head > 0 && static_cast<std::size_t>(head) <= size_ ? static_cast<std::size_t>(head) - 1 : size_;
    }

    // nullptr where the heads are no tree.
    [[nodiscard]] const corpus::Tree* tree();

    template <class Visit>
    void visit_children(std::size_t word, const Visit& visit) {
        if (const corpus::Tree* own = tree()) {
            for (const corpus::Node child : own->children(static_cast<corpus::Node>(word + 1)))
                visit(static_cast<std::size_t>(child) - 1);
            return;
        }
        for (std::size_t child = 0; child < size_; ++child)
            if (head_of(child) == word) visit(child);
    }

    template <class Visit>
    void visit_siblings(Relation relation, std::size_t word, const Visit& visit) {
        const std::size_t head = head_of(word);
        if (head == size_) return;
        visit_children(head, [&](std::size_t other) {
            const bool good = relation == Relation::next_sibling       ? other == word + 1
                              : relation == Relation::previous_sibling ? other + 1 == word
                              : relation == Relation::later_sibling    ? other > word
                                                                       : other < word;
            if (good) visit(other);
        });
    }

private:
    // Empty where there is none.
    [[nodiscard]] std::string_view value_of(const Test& test, std::uint32_t word);
    [[nodiscard]] std::string_view entity_of(std::uint32_t word);

    const corpus::Columns& columns_;
    std::vector<RegexMatcher> matchers_;
    std::size_t sentence_ = 0, size_ = 0;
    std::uint32_t begin_ = 0;
    std::span<const std::int32_t> heads_;
    corpus::Tree tree_;
    bool have_tree_ = false, is_tree_ = false, have_entities_ = false;
    std::vector<std::string_view> entities_;
    std::string buffer_;
};

}  // namespace laconic::query
