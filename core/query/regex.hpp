#pragma once
// Regular expressions that cannot backtrack: an expression becomes a nondeterministic automaton, and a text is read
// once, keeping the set of states that may be reached (Thompson 1968). Sets that were met are kept as the states of a
// deterministic automaton, so that a character costs one look into a table. Time is linear in the text whatever the
// expression is.
//
// Characters and . (any), [a-z] [^a-z], \d \w \s and \D \W \S by Unicode's classes, \t \n \r \f \v \xHH \uHHHH,
// \ before any sign, groups ( ) and (?: ), |, * + ? {m} {m,} {m,n}, ^ and $ for the begin and the end of the text, (?i)
// in front for any case. What needs backtracking is refused: \1, (?= ), (?! ), (?<= ).

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace laconic::query {

// Some characters: ranges, and classes of Unicode.
struct CharacterSet {
    enum Kind : std::uint8_t { digit = 1, word = 2, space = 4 };

    std::vector<std::pair<char32_t, char32_t>> ranges;
    std::uint8_t kinds = 0, without = 0;  // members of one of `kinds`; non-members of one of `without`
    bool negated = false;

    [[nodiscard]] bool contains(char32_t point) const noexcept;
};

class Regex {
public:
    // Throws InputError with the column, from 1 on in characters of the expression, of what cannot be read. The whole
    // text must match, or, with `anywhere`, any part of it.
    Regex(std::string_view expression, bool ignore_case, bool anywhere);

private:
    friend class RegexMatcher;
    friend class RegexParser;

    enum class Op : std::uint8_t { characters, split, begin, end, accept };
    struct State {
        Op op = Op::accept;
        std::uint32_t next = 0, other = 0;  // `other` of a split
        std::uint32_t set = 0;
    };

    std::vector<State> states_;
    std::vector<CharacterSet> sets_;
    std::uint32_t start_ = 0;
    bool ignore_case_ = false;
};

// Matches texts by one expression and remembers the sets of states that it has met: one per thread.
class RegexMatcher {
public:
    explicit RegexMatcher(const Regex& regex);

    [[nodiscard]] bool matches(std::string_view text);

private:
    using States = std::vector<std::uint32_t>;  // ascending
    struct Known {
        States states;
        bool accepts = false;
        std::array<std::int32_t, 128> next{};
    };

    [[nodiscard]] States closure(States from, bool begin, bool end);
    [[nodiscard]] std::int32_t number_of(States states, bool begin);
    [[nodiscard]] std::int32_t step(std::int32_t from, char32_t point);
    [[nodiscard]] bool member(const CharacterSet& set, char32_t point) const noexcept;
    void forget();

    const Regex* regex_;
    std::vector<Known> known_;
    std::map<States, std::int32_t> numbers_;
    std::unordered_map<std::uint64_t, std::int32_t> wide_;  // by state and a character beyond ASCII
    std::vector<bool> seen_;
};

}  // namespace laconic::query
