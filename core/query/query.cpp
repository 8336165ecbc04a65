#include "query/query.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "corpus/entity_spans.hpp"
#include "corpus/misc.hpp"
#include "corpus/offsets.hpp"

namespace laconic::query {

namespace {

using corpus::Columns;
using corpus::Field;
using Words = std::vector<std::uint8_t>;  // which words of a sentence are in a set
using Then = std::function<void()>;

constexpr std::string_view absent = "_";

// The words of one sentence and all that was found about them.
class Sentence {
public:
    Sentence(const Pattern& pattern, const Columns& columns)
        : pattern_(pattern),
          columns_(columns),
          node_sets_(pattern.nodes.size()),
          expression_sets_(pattern.expressions.size()),
          label_sets_(pattern.expressions.size()),
          bound_(pattern.names, -1) {
        for (const Regex& regex : pattern.regexes) matchers_.emplace_back(regex);
    }

    void search(std::size_t sentence, std::vector<std::int32_t>& matches) {
        begin_ = columns_.sentences[sentence];
        heads_ = columns_.heads_of(sentence);
        size_ = heads_.size();
        sentence_ = sentence;
        have_tree_ = have_entities_ = false;
        for (const std::uint32_t part : pattern_.parts) {
            evaluate_node(part);
            if (std::ranges::find(node_sets_[part], 1) == node_sets_[part].end()) return;
        }
        const std::size_t width = 1 + pattern_.names;
        found_.clear();
        const std::uint32_t first = pattern_.parts[0];
        for (std::uint32_t word = 0; word < size_; ++word) {
            if (node_sets_[first][word] == 0) continue;
            if (pattern_.names == 0) {
                matches.push_back(static_cast<std::int32_t>(begin_ + word));
                continue;
            }
            enter(first, word, [&] {
                enter_parts(1, [&] {
                    if (found_.size() >= most_matches * width)
                        throw InputError("more than " + std::to_string(most_matches) +
                                             " ways to match one sentence: name fewer words of the pattern",
                                         "");
                    found_.push_back(static_cast<std::int32_t>(begin_ + word));
                    for (const std::int32_t one : bound_)
                        found_.push_back(one < 0 ? -1 : static_cast<std::int32_t>(begin_) + one);
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

    // ---- values

    bool passes(const Test& test, std::uint32_t word) {
        std::string_view value = value_of(test, word);
        const bool there = !value.empty();
        bool good = there;
        if (test.regex >= 0)
            good = there && matchers_[static_cast<std::size_t>(test.regex)].matches(value);
        else if (!test.values.empty())
            good = std::ranges::any_of(test.values,
                                       [&](const std::string& one) { return there ? one == value : one == absent; });
        if (test.presence == Presence::must_not) return !good;
        return good || (test.presence == Presence::may && !there);
    }

    // Empty where there is none.
    std::string_view value_of(const Test& test, std::uint32_t word) {
        switch (test.source) {
            case Source::lower:
                buffer_ = unicode::lower(columns_.view(Field::form, begin_ + word));
                return buffer_;
            case Source::id:
                buffer_ = std::to_string(word + 1);
                return buffer_;
            case Source::entity:
                return entity_of(word);
            case Source::root:
                return heads_[word] == 0 ? "root" : "";
            default:
                break;
        }
        const auto field = static_cast<Field>(test.source);
        const std::string_view column = columns_.view(field, begin_ + word);
        if (!test.key.empty()) {
            std::string_view value;
            return corpus::misc_value(column, test.key, value) ? value : std::string_view{};
        }
        if (column != absent || field == Field::form) return column;
        // The lemma of an underscore is one.
        return field == Field::lemma && columns_.view(Field::form, begin_ + word) == absent ? column
                                                                                            : std::string_view{};
    }

    std::string_view entity_of(std::uint32_t word) {
        if (!have_entities_) {
            have_entities_ = true;
            entities_.assign(size_, {});
            for (const corpus::EntitySpan& span : corpus::entity_spans(columns_, sentence_, sentence_ + 1))
                for (std::uint32_t one = span.first; one <= span.last; ++one) entities_[one - begin_] = span.label;
        }
        return entities_[word];
    }

    // ---- sets

    void evaluate_node(std::uint32_t number) {
        const Node& node = pattern_.nodes[number];
        Words& set = node_sets_[number];
        set.assign(size_, 0);
        for (std::uint32_t word = 0; word < size_; ++word) {
            const bool good =
                std::ranges::all_of(node.tests, [&](std::uint32_t test) { return passes(pattern_.tests[test], word); });
            set[word] = good != node.negated ? 1 : 0;
        }
        if (node.expression < 0) return;
        const auto expression = static_cast<std::size_t>(node.expression);
        // Nothing is asked of the other words unless one of these is there.
        if (std::ranges::find(set, 1) == set.end()) return;
        evaluate(static_cast<std::uint32_t>(expression));
        for (std::size_t word = 0; word < size_; ++word) set[word] &= expression_sets_[expression][word];
    }

    void evaluate(std::uint32_t number) {
        const Expression& expression = pattern_.expressions[number];
        Words& set = expression_sets_[number];
        switch (expression.kind) {
            case Expression::Kind::relation:
                evaluate_node(expression.node);
                evaluate_label(number);
                set.assign(size_, 0);
                mark_related(expression, node_sets_[expression.node], label_sets_[number], set);
                return;
            case Expression::Kind::all:
                set.assign(size_, 1);
                for (const std::uint32_t part : expression.parts) {
                    evaluate(part);
                    for (std::size_t word = 0; word < size_; ++word) set[word] &= expression_sets_[part][word];
                }
                return;
            case Expression::Kind::any:
                set.assign(size_, 0);
                for (const std::uint32_t part : expression.parts) {
                    evaluate(part);
                    for (std::size_t word = 0; word < size_; ++word) set[word] |= expression_sets_[part][word];
                }
                return;
            case Expression::Kind::negated:
                evaluate(expression.parts[0]);
                set = expression_sets_[expression.parts[0]];
                for (std::uint8_t& one : set) one ^= 1;
                return;
            case Expression::Kind::optional:
                evaluate(expression.parts[0]);
                set.assign(size_, 1);
                return;
        }
    }

    void evaluate_label(std::uint32_t number) {
        const std::int32_t label = pattern_.expressions[number].label;
        Words& set = label_sets_[number];
        set.assign(size_, 1);
        if (label < 0) return;
        const Test& test = pattern_.tests[static_cast<std::size_t>(label)];
        for (std::uint32_t word = 0; word < size_; ++word) set[word] = passes(test, word) ? 1 : 0;
    }

    // The head of a word as an index of the sentence; `size_` and more where it has none.
    [[nodiscard]] std::size_t head_of(std::size_t word) const noexcept {
        const std::int32_t head = heads_[word];
        return head > 0 && static_cast<std::size_t>(head) <= size_ ? static_cast<std::size_t>(head) - 1 : size_;
    }

    [[nodiscard]] const corpus::Tree* tree() {
        if (!have_tree_) {
            have_tree_ = true;
            is_tree_ = tree_.try_enter(heads_);
        }
        return is_tree_ ? &tree_ : nullptr;
    }

    // Marks every word that is in the relation to a word of `to`. Linear; chains with a bound on their length take so
    // many steps a word.
    void mark_related(const Expression& expression, const Words& to, const Words& label, Words& set) {
        const Relation relation = expression.relation;
        switch (relation) {
            case Relation::below:
            case Relation::above:
                return mark_chains(expression, to, label, set);
            case Relation::same:
                set = to;
                return;
            case Relation::next:
                for (std::size_t word = 0; word + 1 < size_; ++word) set[word] = to[word + 1];
                return;
            case Relation::previous:
                for (std::size_t word = 1; word < size_; ++word) set[word] = to[word - 1];
                return;
            case Relation::before: {
                std::uint8_t later = 0;
                for (std::size_t word = size_; word-- > 0; later |= to[word]) set[word] = later;
                return;
            }
            case Relation::after: {
                std::uint8_t earlier = 0;
                for (std::size_t word = 0; word < size_; earlier |= to[word++]) set[word] = earlier;
                return;
            }
            case Relation::later_sibling:
            case Relation::earlier_sibling: {
                Words below(size_ + 1, 0);  // heads that had a word of `to` among the words that were passed
                for (std::size_t step = 0; step < size_; ++step) {
                    const std::size_t word = relation == Relation::later_sibling ? size_ - 1 - step : step;
                    const std::size_t head = head_of(word);
                    if (head == size_) continue;
                    set[word] = below[head];
                    below[head] |= to[word];
                }
                return;
            }
            default:
                for (std::size_t word = 0; word < size_; ++word) {
                    const std::size_t head = head_of(word);
                    if (head == size_) continue;
                    // The arc from both of its ends.
                    if (to[head] != 0 && label[word] != 0 && arc_holds(relation, word, head, false)) set[word] = 1;
                    if (to[word] != 0 && label[word] != 0 && arc_holds(relation, word, head, true)) set[head] = 1;
                    if (relation == Relation::next_sibling && word + 1 < size_ && head_of(word + 1) == head)
                        set[word] = to[word + 1];
                    if (relation == Relation::previous_sibling && word > 0 && head_of(word - 1) == head)
                        set[word] = to[word - 1];
                }
        }
    }

    // Does an arc give the relation to A, which is the head (`downwards`) or the word that depends?
    static bool arc_holds(Relation relation, std::size_t word, std::size_t head, bool downwards) noexcept {
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

    void mark_chains(const Expression& expression, const Words& to, const Words& label, Words& set) {
        const corpus::Tree* own = tree();
        if (own == nullptr) return;
        const bool up = expression.relation == Relation::below;
        const auto order = own->downwards();
        if (expression.least > 1 || expression.most < size_) {
            for (std::size_t word = 0; word < size_; ++word) {
                if (label[word] == 0 || (!up && to[word] == 0)) continue;
                std::size_t at = head_of(word);
                for (std::uint32_t arcs = 1; at != size_ && arcs <= expression.most; ++arcs, at = head_of(at)) {
                    if (arcs < expression.least) continue;
                    if (!up)
                        set[at] = 1;
                    else if (to[at] != 0)
                        set[word] = 1;
                }
            }
            return;
        }
        Words reached(size_, 0);  // up: some word above is in `to`; down: some word below is
        if (up) {
            for (const corpus::Node node : order) {
                const auto word = static_cast<std::size_t>(node) - 1;
                const std::size_t head = head_of(word);
                if (head != size_) reached[word] = to[head] | reached[head];
                set[word] = reached[word] & label[word];
            }
        } else {
            for (std::size_t i = order.size(); i-- > 0;) {
                const auto word = static_cast<std::size_t>(order[i]) - 1;
                const std::size_t head = head_of(word);
                if (head == size_) continue;
                reached[head] = static_cast<std::uint8_t>(reached[head] | reached[word] | (to[word] & label[word]));
            }
            set = reached;
        }
    }

    // ---- matches with names

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
        for (std::uint32_t word = 0; word < size_; ++word)
            if (node_sets_[node][word] != 0) enter(node, word, [&] { enter_parts(part + 1, then); });
    }

    void satisfy(std::uint32_t number, std::uint32_t word, const Then& then) {
        const Expression& expression = pattern_.expressions[number];
        if (expression_sets_[number][word] == 0) return;
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
        const bool up = expression.relation == Relation::linked ? head_of(word) == other : goes_up(expression.relation);
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

    [[nodiscard]] std::string_view label_of(std::int32_t word) const {
        return columns_.view(Field::deprel, begin_ + static_cast<std::uint32_t>(word));
    }

    [[nodiscard]] static bool goes_up(Relation relation) noexcept {
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

    void satisfy_all(const Expression& expression, std::size_t part, std::uint32_t word, const Then& then) {
        if (part == expression.parts.size()) return then();
        satisfy(expression.parts[part], word, [&] { satisfy_all(expression, part + 1, word, then); });
    }

    template <class Visit>
    void for_each_related(std::uint32_t number, std::uint32_t word, const Visit& visit) {
        const Expression& expression = pattern_.expressions[number];
        const Relation relation = expression.relation;
        const Words& label = label_sets_[number];
        const Words& to = node_sets_[expression.node];
        const auto propose = [&](std::size_t other) {
            if (other < size_ && to[other] != 0) visit(static_cast<std::uint32_t>(other));
        };
        const std::size_t head = head_of(word);
        switch (relation) {
            case Relation::same:
                return propose(word);
            case Relation::next:
                return propose(word + std::size_t{1});
            case Relation::previous:
                return propose(word == 0 ? size_ : word - std::size_t{1});
            case Relation::before:
                for (std::size_t other = word + std::size_t{1}; other < size_; ++other) propose(other);
                return;
            case Relation::after:
                for (std::size_t other = 0; other < word; ++other) propose(other);
                return;
            case Relation::next_sibling:
            case Relation::previous_sibling:
            case Relation::later_sibling:
            case Relation::earlier_sibling:
                return visit_siblings(relation, word, propose);
            case Relation::below: {
                if (label[word] == 0 || tree() == nullptr) return;
                std::uint32_t arcs = 1;
                for (std::size_t at = head; at != size_ && arcs <= expression.most; at = head_of(at), ++arcs)
                    if (arcs >= expression.least) propose(at);
                return;
            }
            case Relation::above:
                if (tree() == nullptr) return;
                for (std::size_t other = 0; other < size_; ++other) {
                    if (to[other] == 0 || label[other] == 0) continue;
                    std::uint32_t arcs = 1;
                    std::size_t at = head_of(other);
                    while (at != size_ && at != word && arcs < expression.most) at = head_of(at), ++arcs;
                    if (at == word && arcs >= expression.least) propose(other);
                }
                return;
            default:
                if (head != size_ && label[word] != 0 && arc_holds(relation, word, head, false)) propose(head);
                visit_children(word, [&](std::size_t child) {
                    if (label[child] != 0 && arc_holds(relation, child, word, true)) propose(child);
                });
        }
    }

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

    const Pattern& pattern_;
    const Columns& columns_;
    std::vector<RegexMatcher> matchers_;
    std::vector<Words> node_sets_, expression_sets_, label_sets_;
    std::vector<std::int32_t> bound_;
    std::vector<std::int32_t> found_;
    std::size_t sentence_ = 0, size_ = 0;
    std::uint32_t begin_ = 0;
    std::span<const std::int32_t> heads_;
    corpus::Tree tree_;
    bool have_tree_ = false, is_tree_ = false, have_entities_ = false;
    std::vector<std::string_view> entities_;
    std::string buffer_;
};

}  // namespace

std::vector<std::int32_t> find(const Pattern& pattern, const Columns& columns) {
    std::vector<std::int32_t> matches;
    Sentence sentence(pattern, columns);
    for (std::size_t number = 0; number < columns.sentence_count(); ++number) sentence.search(number, matches);
    return matches;
}

}  // namespace laconic::query
