#include "query/query.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "query/sentence_words.hpp"
#include "query/word_sets.hpp"

namespace laconic::query {

namespace {

using Then = std::function<void()>;

// Does the relation lead from a word to one above it?
bool goes_up(Relation relation) noexcept {
    switch (relation) {
        case Relation::depends:
        case Relation::below:
        case Relation::head_right:
        case Relation::head_left:
        case Relation::head_next:
        case Relation::head_previous:
            return true;
        default:
            return false;
    }
}

// Finds the matches of a pattern, sentence by sentence: those of named parts one by one, within the sets of words.
class Search {
public:
    Search(const Pattern& pattern, const corpus::Columns& columns)
        : pattern_(pattern), words_(pattern, columns), sets_(pattern, words_), bound_(pattern.names, -1) {}

    void run(std::size_t sentence, std::vector<std::int32_t>& matches) {
        words_.enter(sentence);
        if (!sets_.evaluate()) return;
        const std::size_t width = 1 + pattern_.names;
        const auto begin = static_cast<std::int32_t>(words_.begin());
        found_.clear();
        const std::uint32_t first = pattern_.parts[0];
        for (std::uint32_t word = 0; word < words_.size(); ++word) {
            if (sets_.of_node(first)[word] == 0) continue;
            const auto itself = begin + static_cast<std::int32_t>(word);
            if (pattern_.names == 0) {
                matches.push_back(itself);
                continue;
            }
            enter(first, word, [&] {
                enter_parts(1, [&] {
                    if (found_.size() >= most_matches * width)
                        throw InputError("more than " + std::to_string(most_matches) +
                                             " ways to match one sentence: name fewer words of the pattern",
                                         "");
                    found_.push_back(itself);
                    for (const std::int32_t one : bound_) found_.push_back(one < 0 ? -1 : begin + one);
                });
            });
        }
        append_distinct(width, matches);
    }

private:
    // The rows of `found_`, each once and in order.
    void append_distinct(std::size_t width, std::vector<std::int32_t>& matches) {
        std::vector<std::size_t> rows(found_.size() / width);
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        const auto row = [&](std::size_t number) {
            return std::span<const std::int32_t>(found_).subspan(number * width, width);
        };
        std::ranges::sort(
            rows, [&](std::size_t a, std::size_t b) { return std::ranges::lexicographical_compare(row(a), row(b)); });
        const auto same = [&](std::size_t a, std::size_t b) { return std::ranges::equal(row(a), row(b)); };
        rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
        for (const std::size_t number : rows) matches.insert(matches.end(), row(number).begin(), row(number).end());
    }

    // Binds the node to the word, and goes on with what the node asks for and `then`.
    void enter(std::uint32_t number, std::uint32_t word, const Then& then) {
        const Node& node = pattern_.nodes[number];
        std::int32_t before = -1;
        if (node.name >= 0) {
            std::int32_t& bound = bound_[static_cast<std::size_t>(node.name)];
            if (bound >= 0 && bound != static_cast<std::int32_t>(word)) return;
            before = bound;
            bound = static_cast<std::int32_t>(word);
        }
        if (node.expression < 0)
            then();
        else
            satisfy(static_cast<std::uint32_t>(node.expression), word, then);
        if (node.name >= 0) bound_[static_cast<std::size_t>(node.name)] = before;
    }

    void enter_parts(std::size_t part, const Then& then) {
        if (part == pattern_.parts.size()) return then();
        const std::uint32_t node = pattern_.parts[part];
        if (!pattern_.nodes[node].named) return enter_parts(part + 1, then);  // it is there, or we were not
        for (std::uint32_t word = 0; word < words_.size(); ++word)
            if (sets_.of_node(node)[word] != 0) enter(node, word, [&] { enter_parts(part + 1, then); });
    }

    void satisfy(std::uint32_t number, std::uint32_t word, const Then& then) {
        const Expression& expression = pattern_.expressions[number];
        if (sets_.of_expression(number)[word] == 0) return;
        if (!expression.named) return then();
        switch (expression.kind) {
            case Expression::Kind::relation:
                for_each_related(number, word, [&](std::uint32_t other) {
                    if (expression.name < 0) return enter(expression.node, other, then);
                    name_arc(expression, word, other, [&] { enter(expression.node, other, then); });
                });
                return;
            case Expression::Kind::all:
                return satisfy_all(expression, 0, word, then);
            case Expression::Kind::any:
                for (const std::uint32_t part : expression.parts) satisfy(part, word, then);
                return;
            case Expression::Kind::optional: {
                bool found = false;
                satisfy(expression.parts[0], word, [&] {
                    found = true;
                    then();
                });
                if (!found) then();
                return;
            }
            case Expression::Kind::negated:  // has no names
                return;
        }
    }

    // Binds the name of a relation to the word that depends.
    void name_arc(const Expression& expression, std::uint32_t word, std::uint32_t other, const Then& then) {
        const bool up =
            expression.relation == Relation::linked ? words_.head_of(word) == other : goes_up(expression.relation);
        const auto dependent = static_cast<std::int32_t>(up ? word : other);
        std::int32_t& bound = bound_[static_cast<std::size_t>(expression.name)];
        if (bound >= 0) {
            if (bound == dependent || (!expression.same_arc && label_of(bound) == label_of(dependent))) then();
            return;
        }
        bound = dependent;
        then();
        bound = -1;
    }

    void satisfy_all(const Expression& expression, std::size_t part, std::uint32_t word, const Then& then) {
        if (part == expression.parts.size()) return then();
        satisfy(expression.parts[part], word, [&] { satisfy_all(expression, part + 1, word, then); });
    }

    template <class Visit>
    void for_each_related(std::uint32_t number, std::uint32_t word, const Visit& visit) {
        const Expression& expression = pattern_.expressions[number];
        const Relation relation = expression.relation;
        const Words& label = sets_.of_label(number);
        const Words& to = sets_.of_node(expression.node);
        const auto propose = [&](std::size_t other) {
            if (other < words_.size() && to[other] != 0) visit(static_cast<std::uint32_t>(other));
        };
        const std::size_t head = words_.head_of(word);
        switch (relation) {
            case Relation::same:
                return propose(word);
            case Relation::next:
                return propose(word + std::size_t{1});
            case Relation::previous:
                return propose(word == 0 ? words_.size() : word - std::size_t{1});
            case Relation::before:
                for (std::size_t other = word + std::size_t{1}; other < words_.size(); ++other) propose(other);
                return;
            case Relation::after:
                for (std::size_t other = 0; other < word; ++other) propose(other);
                return;
            case Relation::next_sibling:
            case Relation::previous_sibling:
            case Relation::later_sibling:
            case Relation::earlier_sibling:
                return words_.visit_siblings(relation, word, propose);
            case Relation::below: {
                if (label[word] == 0 || words_.tree() == nullptr) return;
                std::uint32_t arcs = 1;
                for (std::size_t at = head; at != words_.size() && arcs <= expression.most;
                     at = words_.head_of(at), ++arcs)
                    if (arcs >= expression.least) propose(at);
                return;
            }
            case Relation::above:
                if (words_.tree() == nullptr) return;
                for (std::size_t other = 0; other < words_.size(); ++other) {
                    if (to[other] == 0 || label[other] == 0) continue;
                    std::uint32_t arcs = 1;
                    std::size_t at = words_.head_of(other);
                    while (at != words_.size() && at != word && arcs < expression.most) at = words_.head_of(at), ++arcs;
                    if (at == word && arcs >= expression.least) propose(other);
                }
                return;
            default:
                if (head != words_.size() && label[word] != 0 && arc_holds(relation, word, head, false)) propose(head);
                words_.visit_children(word, [&](std::size_t child) {
                    if (label[child] != 0 && arc_holds(relation, child, word, true)) propose(child);
                });
        }
    }

    [[nodiscard]] std::string_view label_of(std::int32_t word) const {
        return words_.label_of(static_cast<std::size_t>(word));
    }

    const Pattern& pattern_;
    SentenceWords words_;
    WordSets sets_;
    std::vector<std::int32_t> bound_;
    std::vector<std::int32_t> found_;
};

}  // namespace

std::vector<std::int32_t> find(const Pattern& pattern, const corpus::Columns& columns) {
    std::vector<std::int32_t> matches;
    Search search(pattern, columns);
    for (std::size_t number = 0; number < columns.sentence_count(); ++number) search.run(number, matches);
    return matches;
}

}  // namespace laconic::query
