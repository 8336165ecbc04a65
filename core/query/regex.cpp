#include "query/regex.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/unicode.hpp"

namespace laconic::query {

namespace {

constexpr std::uint32_t most_states = 20'000;
constexpr std::size_t most_known = 2'000;
constexpr std::size_t most_wide = 100'000;
constexpr int deepest = 200;
constexpr std::uint32_t unlimited = 0xffffffff;
constexpr std::uint32_t most_repeats = 1'000;
constexpr std::uint32_t widest_folded = 1'024;
constexpr char32_t last_point = 0x10ffff;
constexpr std::int32_t unknown = -2, dead = -1;

std::uint8_t kinds_of(char32_t point) noexcept {
    switch (unicode::class_of(point)) {
        case unicode::Class::space:
            return CharacterSet::space;
        case unicode::Class::digit:
            return CharacterSet::digit | CharacterSet::word;
        case unicode::Class::upper:
        case unicode::Class::lower:
        case unicode::Class::letter:
        case unicode::Class::mark:
        case unicode::Class::number:
            return CharacterSet::word;
        default:
            return point == U'_' ? CharacterSet::word : 0;
    }
}

}  // namespace

bool CharacterSet::contains(char32_t point) const noexcept {
    bool found = std::ranges::any_of(
        ranges, [point](const auto& range) { return range.first <= point && point <= range.second; });
    if (!found && (kinds | without) != 0) {
        const std::uint8_t own = kinds_of(point);
        found = (own & kinds) != 0 || (without & ~own) != 0;
    }
    return found != negated;
}

// Reads an expression and appends the states of its automaton.
class RegexParser {
public:
    RegexParser(Regex& regex, std::string_view expression) : regex_(regex) {
        for (std::size_t at = 0; at < expression.size();) {
            const unicode::Decoded one = unicode::decode(expression, at);
            text_.push_back(one.point);
            at += one.size;
        }
    }

    // Behind each state that is open, the expression goes on.
    struct Part {
        std::uint32_t start = 0;
        std::vector<std::pair<std::uint32_t, bool>> open;  // a state, and whether its `other` is meant
    };

    Part expression() {
        if (take_words(U"(?i)")) regex_.ignore_case_ = true;
        Part all = alternatives(0);
        if (at_ < text_.size()) fail("a ) without its (", at_);
        return all;
    }

    void close(const Part& part, std::uint32_t target) {
        for (const auto& [state, other] : part.open)
            (other ? regex_.states_[state].other : regex_.states_[state].next) = target;
    }

    std::uint32_t add(Regex::Op op, std::uint32_t set = 0) {
        if (regex_.states_.size() >= most_states) fail("the regular expression is too large", at_);
        regex_.states_.push_back({op, 0, 0, set});
        return static_cast<std::uint32_t>(regex_.states_.size() - 1);
    }

    Part single(Regex::Op op, std::uint32_t set = 0) {
        const std::uint32_t state = add(op, set);
        return {state, {{state, false}}};
    }

    Part any_number_of(Part body) {
        const std::uint32_t split = add(Regex::Op::split);
        regex_.states_[split].next = body.start;
        close(body, split);
        return {split, {{split, true}}};
    }

    Part joined(Part first, Part second) {
        close(first, second.start);
        return {first.start, std::move(second.open)};
    }

    std::uint32_t add_set(CharacterSet set) {
        regex_.sets_.push_back(std::move(set));
        return static_cast<std::uint32_t>(regex_.sets_.size() - 1);
    }

private:
    [[noreturn]] void fail(const std::string& reason, std::size_t at) const { throw InputError(reason, "", 0, at + 1); }

    [[nodiscard]] bool more() const noexcept { return at_ < text_.size(); }
    [[nodiscard]] char32_t here() const noexcept { return text_[at_]; }

    bool take(char32_t sign) {
        if (!more() || here() != sign) return false;
        ++at_;
        return true;
    }

    bool take_words(std::u32string_view words) {
        if (std::u32string_view(text_).substr(at_, words.size()) != words) return false;
        at_ += words.size();
        return true;
    }

    // Alternatives and parts of them are put together only when they are known, so that repeats can be read again: a
    // repeated part is parsed as often as it is needed.
    Part alternatives(int depth) {
        if (depth > deepest) fail("groups are nested too deeply", at_);
        Part all = sequence(depth);
        while (take(U'|')) {
            Part next = sequence(depth);
            const std::uint32_t split = add(Regex::Op::split);
            regex_.states_[split].next = all.start;
            regex_.states_[split].other = next.start;
            all.start = split;
            all.open.insert(all.open.end(), next.open.begin(), next.open.end());
        }
        return all;
    }

    Part sequence(int depth) {
        std::optional<Part> all;
        while (more() && here() != U'|' && here() != U')') {
            Part next = repeated(depth);
            all = all ? joined(std::move(*all), std::move(next)) : std::move(next);
        }
        return all ? std::move(*all) : nothing();
    }

    Part nothing() {
        const std::uint32_t split = add(Regex::Op::split);
        return {split, {{split, false}, {split, true}}};
    }

    Part optional(Part body) {
        const std::uint32_t split = add(Regex::Op::split);
        regex_.states_[split].next = body.start;
        body.open.emplace_back(split, true);
        body.start = split;
        return body;
    }

    Part repeated(int depth) {
        const std::size_t begin = at_;
        Part body = atom(depth);
        std::uint32_t least = 1, most = 1;
        if (!quantifier(least, most)) return body;
        take(U'?');  // as few as possible: the same texts match
        if (more() && (here() == U'*' || here() == U'+' || here() == U'?')) fail("nothing to repeat", at_);
        const std::size_t behind = at_;
        // Each further copy is parsed anew.
        const auto copy = [&] {
            at_ = begin;
            Part again = atom(depth);
            at_ = behind;
            return again;
        };
        if (most == 0) return nothing();
        std::optional<Part> all;
        const auto append = [&](Part part) { all = all ? joined(std::move(*all), std::move(part)) : std::move(part); };
        bool first = true;
        const auto one = [&] {
            if (!first) return copy();
            first = false;
            return std::move(body);
        };
        for (std::uint32_t i = 0; i < least; ++i) append(one());
        if (most == unlimited) {
            append(any_number_of(one()));
        } else if (most > least) {
            Part tail = optional(one());
            for (std::uint32_t i = least + 1; i < most; ++i) {
                Part inner = one();
                Part chained = joined(std::move(inner), std::move(tail));
                tail = optional(std::move(chained));
            }
            append(std::move(tail));
        }
        return std::move(*all);
    }

    bool quantifier(std::uint32_t& least, std::uint32_t& most) {
        if (take(U'*')) return least = 0, most = unlimited, true;
        if (take(U'+')) return least = 1, most = unlimited, true;
        if (take(U'?')) return least = 0, most = 1, true;
        if (!more() || here() != U'{') return false;
        const std::size_t begin = at_++;
        least = number(begin);
        most = least;
        if (take(U',')) most = more() && here() == U'}' ? unlimited : number(begin);
        if (!take(U'}')) fail("expected {m}, {m,} or {m,n}", begin);
        if (most < least) fail("a repeat from more to fewer", begin);
        return true;
    }

    std::uint32_t number(std::size_t begin) {
        std::uint32_t value = 0;
        const std::size_t first = at_;
        while (more() && here() >= U'0' && here() <= U'9') {
            value = value * 10 + static_cast<std::uint32_t>(text_[at_++] - U'0');
            if (value > most_repeats) fail("at most 1000 repeats", begin);
        }
        if (at_ == first) fail("expected {m}, {m,} or {m,n}", begin);
        return value;
    }

    Part atom(int depth) {
        const std::size_t begin = at_;
        const char32_t sign = text_[at_++];
        switch (sign) {
            case U'(': {
                if (take(U'?') && !take(U':'))
                    fail("a group that needs backtracking or a setting within: only (?:…) and (?i) in front", begin);
                Part inner = alternatives(depth + 1);
                if (!take(U')')) fail("a ( without its )", begin);
                return inner;
            }
            case U'[':
                return characters(bracketed(begin));
            case U'.':
                return characters({{{0, last_point}}});
            case U'^':
                return single(Regex::Op::begin);
            case U'$':
                return single(Regex::Op::end);
            case U'*':
            case U'+':
            case U'?':
            case U'{':
                fail("nothing to repeat", begin);
            case U'\\': {
                CharacterSet set;
                escaped(set, begin);
                return characters(std::move(set));
            }
            default:
                return characters({{{sign, sign}}});
        }
    }

    Part characters(CharacterSet set) {
        if (regex_.ignore_case_) fold(set);
        return single(Regex::Op::characters, add_set(std::move(set)));
    }

    // Matching compares a character and its lower case: the set must have the lower case of what it has.
    static void fold(CharacterSet& set) {
        const std::size_t count = set.ranges.size();
        for (std::size_t i = 0; i < count; ++i) {
            const auto [first, last] = set.ranges[i];
            for (char32_t point = first; point <= last && point - first < widest_folded; ++point)
                if (const char32_t low = unicode::lower(point); low != point) set.ranges.emplace_back(low, low);
        }
    }

    CharacterSet bracketed(std::size_t begin) {
        CharacterSet set;
        set.negated = take(U'^');
        bool first = true;
        while (true) {
            if (!more()) fail("a [ without its ]", begin);
            if (here() == U']' && !first) break;
            first = false;
            const std::optional<char32_t> low = member(set);
            if (!low) continue;
            if (at_ + 1 < text_.size() && here() == U'-' && text_[at_ + 1] != U']') {
                const std::size_t dash = at_++;
                const std::optional<char32_t> high = member(set);
                if (!high || *high < *low) fail("a range from a later character to an earlier one", dash);
                set.ranges.emplace_back(*low, *high);
            } else {
                set.ranges.emplace_back(*low, *low);
            }
        }
        ++at_;
        return set;
    }

    // One character in brackets; none where it is a class, which the set has then.
    std::optional<char32_t> member(CharacterSet& set) {
        const std::size_t begin = at_;
        if (!more()) fail("a [ without its ]", begin);
        const char32_t sign = text_[at_++];
        if (sign != U'\\') return sign;
        CharacterSet one;
        escaped(one, begin);
        if (one.ranges.empty()) {
            set.kinds |= one.kinds;
            set.without |= one.without;
            return {};
        }
        return one.ranges[0].first;
    }

    void escaped(CharacterSet& set, std::size_t begin) {
        if (!more()) fail("a \\ at the end", begin);
        const char32_t sign = text_[at_++];
        const auto one = [&](char32_t point) { set.ranges.emplace_back(point, point); };
        switch (sign) {
            case U'd':
                set.kinds = CharacterSet::digit;
                return;
            case U'w':
                set.kinds = CharacterSet::word;
                return;
            case U's':
                set.kinds = CharacterSet::space;
                return;
            case U'D':
                set.without = CharacterSet::digit;
                return;
            case U'W':
                set.without = CharacterSet::word;
                return;
            case U'S':
                set.without = CharacterSet::space;
                return;
            case U't':
                return one(U'\t');
            case U'n':
                return one(U'\n');
            case U'r':
                return one(U'\r');
            case U'f':
                return one(U'\f');
            case U'v':
                return one(U'\v');
            case U'x':
                return one(hexadecimal(2, begin));
            case U'u':
                return one(hexadecimal(4, begin));
            default:
                if ((sign >= U'0' && sign <= U'9') || (sign >= U'a' && sign <= U'z') || (sign >= U'A' && sign <= U'Z'))
                    fail("no such escape; references such as \\1 would need backtracking", begin);
                return one(sign);
        }
    }

    char32_t hexadecimal(int digits, std::size_t begin) {
        char32_t value = 0;
        for (int i = 0; i < digits; ++i) {
            const char32_t sign = more() ? text_[at_++] : U'?';
            if (sign >= U'0' && sign <= U'9')
                value = value * 16 + (sign - U'0');
            else if ((sign | 32) >= U'a' && (sign | 32) <= U'f')
                value = value * 16 + ((sign | 32) - U'a' + 10);
            else
                fail("expected hexadecimal digits", begin);
        }
        return value;
    }

    Regex& regex_;
    std::u32string text_;
    std::size_t at_ = 0;
};

Regex::Regex(std::string_view expression, bool ignore_case, bool anywhere) : ignore_case_(ignore_case) {
    RegexParser parser(*this, expression);
    RegexParser::Part all = parser.expression();
    if (anywhere) {
        const std::uint32_t any = parser.add_set({{{0, last_point}}});
        RegexParser::Part before = parser.any_number_of(parser.single(Op::characters, any));
        RegexParser::Part behind = parser.any_number_of(parser.single(Op::characters, any));
        all = parser.joined(parser.joined(std::move(before), std::move(all)), std::move(behind));
    }
    parser.close(all, parser.add(Op::accept));
    start_ = all.start;
}

RegexMatcher::RegexMatcher(const Regex& regex) : regex_(&regex), seen_(regex.states_.size()) {
    forget();
}

void RegexMatcher::forget() {
    known_.clear();
    numbers_.clear();
    wide_.clear();
    (void)number_of({regex_->start_}, true);
}

// All states that may be reached without reading; those kept are what reading goes on from, and open ends.
RegexMatcher::States RegexMatcher::closure(States from, bool begin, bool end) {
    seen_.assign(regex_->states_.size(), false);
    States found;
    while (!from.empty()) {
        const std::uint32_t at = from.back();
        from.pop_back();
        if (seen_[at]) continue;
        seen_[at] = true;
        const Regex::State& state = regex_->states_[at];
        switch (state.op) {
            case Regex::Op::split:
                from.push_back(state.next);
                from.push_back(state.other);
                break;
            case Regex::Op::begin:
                if (begin) from.push_back(state.next);
                break;
            case Regex::Op::end:
                if (end)
                    from.push_back(state.next);
                else
                    found.push_back(at);
                break;
            case Regex::Op::characters:
            case Regex::Op::accept:
                found.push_back(at);
        }
    }
    std::ranges::sort(found);
    return found;
}

std::int32_t RegexMatcher::number_of(States from, bool begin) {
    const States at_end = closure(from, begin, true);
    const bool accepts = std::ranges::any_of(
        at_end, [&](std::uint32_t state) { return regex_->states_[state].op == Regex::Op::accept; });
    States states = closure(std::move(from), begin, false);
    const bool goes_on = std::ranges::any_of(
        states, [&](std::uint32_t state) { return regex_->states_[state].op == Regex::Op::characters; });
    if (!begin) {
        if (!goes_on && !accepts) return dead;
        if (const auto found = numbers_.find(states); found != numbers_.end()) return found->second;
    }
    const auto number = static_cast<std::int32_t>(known_.size());
    if (!begin) numbers_.emplace(states, number);
    known_.push_back({std::move(states), accepts, {}});
    known_.back().next.fill(unknown);
    return number;
}

bool RegexMatcher::member(const CharacterSet& set, char32_t point) const noexcept {
    if (!regex_->ignore_case_) return set.contains(point);
    const char32_t low = unicode::lower(point);
    // Without a letter in any case: neither may be left out.
    return set.negated ? set.contains(point) && set.contains(low) : set.contains(point) || set.contains(low);
}

std::int32_t RegexMatcher::step(std::int32_t from, char32_t point) {
    States next;
    for (const std::uint32_t at : known_[static_cast<std::size_t>(from)].states) {
        const Regex::State& state = regex_->states_[at];
        if (state.op == Regex::Op::characters && member(regex_->sets_[state.set], point)) next.push_back(state.next);
    }
    return next.empty() ? dead : number_of(std::move(next), false);
}

bool RegexMatcher::matches(std::string_view text) {
    if (known_.size() > most_known || wide_.size() > most_wide) forget();
    std::int32_t state = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80) {
            std::int32_t next = known_[static_cast<std::size_t>(state)].next[byte];
            if (next == unknown) {
                next = step(state, byte);
                known_[static_cast<std::size_t>(state)].next[byte] = next;
            }
            state = next;
            ++at;
        } else {
            const unicode::Decoded one = unicode::decode(text, at);
            const std::uint64_t key = (static_cast<std::uint64_t>(state) << 21) | one.point;
            auto found = wide_.find(key);
            if (found == wide_.end()) found = wide_.emplace(key, step(state, one.point)).first;
            state = found->second;
            at += one.size;
        }
        if (state == dead) return false;
    }
    return known_[static_cast<std::size_t>(state)].accepts;
}

}  // namespace laconic::query
