#include "corpus/projectivity.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>

namespace laconic::corpus {

namespace {

using Word = std::int32_t;  // 1-based; 0 is the root

std::size_t at(Word word) noexcept {
    return static_cast<std::size_t>(word);
}

// Dependents of every word and of the root, in ascending order, as one array with offsets.
class Dependents {
public:
    explicit Dependents(std::span<const Word> heads) : begins_(heads.size() + 2, 0), words_(heads.size()) {
        const auto n = static_cast<Word>(heads.size());
        for (const Word head : heads) {
            if (head < 0 || head > n)
                throw std::invalid_argument("a head is absent or out of range: " + std::to_string(head) +
                                            " in a sentence of " + std::to_string(n) + " words");
            ++begins_[at(head) + 1];
        }
        for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
        std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
        for (Word word = 1; word <= n; ++word) words_[next[at(heads[at(word - 1)])]++] = word;
    }

    [[nodiscard]] std::span<const Word> operator[](Word head) const noexcept {
        return std::span<const Word>(words_).subspan(begins_[at(head)], begins_[at(head) + 1] - begins_[at(head)]);
    }

private:
    std::vector<std::uint32_t> begins_;
    std::vector<Word> words_;
};

// Words in breadth-first order from the root, the root first. Throws where a cycle keeps words from the root.
std::vector<Word> top_down(const Dependents& dependents, std::size_t words) {
    std::vector<Word> order{0};
    order.reserve(words + 1);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Word word : dependents[order[i]]) order.push_back(word);
    if (order.size() != words + 1) throw std::invalid_argument("the heads form a cycle");
    return order;
}

// Preorder intervals: `word` descends from `head` if its number lies in [first(head), last(head)).
class Intervals {
public:
    explicit Intervals(std::span<const Word> heads) : first_(heads.size() + 1, 0), last_(heads.size() + 1, 1) {
        const Dependents dependents(heads);
        const std::vector<Word> order = top_down(dependents, heads.size());
        // Subtree sizes first, bottom up; then the intervals, top down.
        for (std::size_t i = order.size(); i-- > 1;) last_[at(heads[at(order[i] - 1)])] += last_[at(order[i])];
        for (const Word head : order) {
            std::uint32_t next = first_[at(head)] + 1;
            for (const Word word : dependents[head]) {
                first_[at(word)] = next;
                next += last_[at(word)];
            }
        }
        for (std::size_t i = 0; i < first_.size(); ++i) last_[i] += first_[i];
    }

    [[nodiscard]] bool descends(Word word, Word head) const noexcept {
        return first_[at(word)] >= first_[at(head)] && first_[at(word)] < last_[at(head)];
    }

private:
    std::vector<std::uint32_t> first_, last_;
};

// The nearest word on each side that does not descend from the word. The search jumps over the reach of every
// descendant it meets; no word is jumped over from twice, so that all searches together are linear.
template <int step>
std::vector<Word> reach(const Intervals& intervals, Word n) {
    std::vector<Word> ends(at(n) + 2, 0);
    const Word end = step > 0 ? n + 1 : 0;
    for (Word head = step > 0 ? n : 1; head >= 1 && head <= n; head -= step) {
        Word word = head + step;
        while (word != end && intervals.descends(word, head)) word = ends[at(word)];
        ends[at(head)] = word;
    }
    return ends;
}

// Lifting by need. The heap holds every arc that may be non-projective. An arc that was found projective is settled;
// that can only change when its head loses a descendant, which happens only to the head that an arc is lifted from.
class Lifter {
public:
    Lifter(std::span<Word> heads, std::span<std::uint8_t> crossed)
        : heads_(heads),
          crossed_(crossed),
          settled_(heads.size() + 1),
          seen_(heads.size() + 1, 0),
          spans_(heads.size() + 1) {
        for (Word word = 1; word <= static_cast<Word>(heads.size()); ++word) {
            spans_[at(word)] = {word, word};
            push(word);
        }
    }

    void run() {
        while (!heap_.empty()) {
            const Word word = std::get<2>(heap_.top());
            heap_.pop();
            if (projective(word))
                settled_[at(head(word))].push_back(word);
            else
                lift(word);
        }
    }

private:
    using Arc = std::tuple<Word, Word, Word>;  // length, left end, dependent

    [[nodiscard]] Word& head(Word word) const noexcept { return heads_[at(word - 1)]; }

    void push(Word word) {
        const Word from = head(word);
        if (from != 0) heap_.emplace(std::abs(from - word), std::min(from, word), word);
    }

    // Walks up from each word between until a word known to descend from the head, beginning where the words that were
    // found to do so end.
    bool projective(Word word) {
        const Word from = head(word);
        Word& known = word > from ? spans_[at(from)].last : spans_[at(from)].first;
        const Word step = word > from ? 1 : -1;
        ++stamp_;
        seen_[at(from)] = stamp_;
        while ((word - known) * step > 1) {
            const Word between = known + step;
            Word top = between;
            while (top != 0 && seen_[at(top)] != stamp_) top = head(top);
            if (top == 0) return false;
            for (Word up = between; seen_[at(up)] != stamp_; up = head(up)) seen_[at(up)] = stamp_;
            known = between;
        }
        return true;
    }

    void lift(Word word) {
        const Word from = head(word);
        if (!crossed_.empty()) crossed_[at(from - 1)] = 1;
        head(word) = head(from);
        spans_[at(from)] = {from, from};
        push(word);
        for (const Word other : settled_[at(from)]) push(other);
        settled_[at(from)].clear();
    }

    std::span<Word> heads_;
    std::span<std::uint8_t> crossed_;
    std::vector<std::vector<Word>> settled_;  // dependents of each word whose arcs were found projective
    std::vector<std::uint64_t> seen_;
    // Words around each word that are known to descend from it. Only a lift takes descendants away, and only from the
    // head that an arc is lifted from.
    struct Span {
        Word first = 0, last = 0;
    };
    std::vector<Span> spans_;
    std::uint64_t stamp_ = 0;
    std::priority_queue<Arc, std::vector<Arc>, std::greater<>> heap_;
};

}  // namespace

bool is_projective(std::span<const std::int32_t> heads) {
    const std::vector<std::uint8_t> arcs = nonprojective_arcs(heads);
    return std::find(arcs.begin(), arcs.end(), 1) == arcs.end();
}

std::vector<std::uint8_t> nonprojective_arcs(std::span<const std::int32_t> heads) {
    const Intervals intervals(heads);
    const auto n = static_cast<Word>(heads.size());
    const std::vector<Word> right = reach<1>(intervals, n);
    const std::vector<Word> left = reach<-1>(intervals, n);
    std::vector<std::uint8_t> arcs(heads.size(), 0);
    for (Word word = 1; word <= n; ++word) {
        const Word head = heads[at(word - 1)];
        if (head != 0) arcs[at(word - 1)] = word > left[at(head)] && word < right[at(head)] ? 0 : 1;
    }
    return arcs;
}

void lift(std::span<std::int32_t> heads, std::span<std::uint8_t> crossed) {
    if (!is_projective(heads)) Lifter(heads, crossed).run();
}

void unlift(std::span<std::int32_t> heads, std::span<const Mark> marks, bool follow_path) {
    const std::vector<Word> order = top_down(Dependents(heads), heads.size());
    const bool any = std::any_of(marks.begin(), marks.end(), [](const Mark& mark) { return mark.lifted; });
    if (!any) return;
    std::vector<std::vector<Word>> dependents(heads.size() + 1);  // ascending
    for (Word word = 1; word <= static_cast<Word>(heads.size()); ++word)
        dependents[at(heads[at(word - 1)])].push_back(word);

    const auto mark = [&](Word word) -> const Mark& { return marks[at(word - 1)]; };
    const auto ends_path = [&](Word word, Word lifted) {
        const auto& below_word = dependents[at(word)];
        return std::none_of(below_word.begin(), below_word.end(),
                            [&](Word other) { return other != lifted && mark(other).path; });
    };
    const auto find = [&](Word lifted) -> Word {
        std::vector<Word> queue{heads[at(lifted - 1)]};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const Word word : dependents[at(queue[i])]) {
                if (word == lifted || (follow_path && !mark(word).path)) continue;
                const Word target = mark(lifted).target;
                if (target == Mark::no_label ? ends_path(word, lifted) : mark(word).label == target) return word;
                queue.push_back(word);
            }
        }
        return 0;
    };
    for (const Word word : order) {
        if (word == 0 || !mark(word).lifted) continue;
        const Word target = find(word);
        if (target == 0) continue;  // never below the word itself: the search does not enter it
        std::erase(dependents[at(heads[at(word - 1)])], word);
        heads[at(word - 1)] = target;
        auto& siblings = dependents[at(target)];
        siblings.insert(std::lower_bound(siblings.begin(), siblings.end(), word), word);
    }
}

}  // namespace laconic::corpus
