#pragma once
// The chart of a projective decoder: spans of a run of positions 0..size-1, of at most `band` steps.
//
// Four items for each span i..j (Eisner 1996): incomplete ones end in the arc between i and j, complete ones have their
// head at one end and all of its modifiers on that side; the *join* of i and j is the best pair of complete items that
// meet between them, which an arc over i..j, and two adjacent siblings i and j, have in common. Tables that are needed
// along both ends are kept twice, so that both operands of every inner loop are contiguous. Splits are not stored but
// found again along the best tree.
//
// `T` is 32 bits wide where the caller knows that the sums of all magnitudes stay below `highest_sum`, else 64.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "graph/edges.hpp"

namespace laconic::graph {

template <class T>
class Chart {
public:
    // What no sum of a tree reaches; two of them and a score can be added without overflow.
    static constexpr T dead = -(T{1} << (sizeof(T) * 8 - 3));
    static constexpr T highest_sum = T{1} << (sizeof(T) * 8 - 6);
    [[nodiscard]] static bool is_dead(T sum) noexcept { return sum < dead / 2; }

    // No edge is alive. O(size · band).
    void start(std::size_t size, std::size_t band, bool siblings) {
        size_ = size;
        band_ = std::min(band, size == 0 ? 0 : size - 1);
        siblings_ = siblings;
        step_ = band_ + lanes - 1;
        const std::size_t cells = size * (step_ + 1);
        for (std::vector<T>* table : {&right_row_, &right_column_, &left_row_, &left_column_, &arc_right_, &arc_left_})
            table->assign(cells, dead);
        if (!siblings) return;
        join_row_.assign(cells, dead);
        join_column_.assign(cells, dead);
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t band() const noexcept { return band_; }

    // Makes an edge alive, before fill(); at most `band` steps long.
    void set(std::size_t head, std::size_t modifier, T score) noexcept {
        if (head < modifier)
            arc_right_[row(head, modifier)] = score;
        else
            arc_left_[column(head, modifier)] = score;
    }

    // First order. O(size · band²).
    void fill(bool avx2) {
#if defined(__x86_64__) && defined(__GNUC__)
        if (avx2) return fill_avx2();
#endif
        static_cast<void>(avx2);
        fill_spans([](std::size_t, std::size_t) { return static_cast<const Score*>(nullptr); }, std::false_type{});
    }
    // Adjacent siblings (McDonald & Pereira 2006). `parts(head, modifier)` gives the scores of the parts of an alive
    // edge: without a sibling, then by the sibling's distance from the left end; a few behind them are read in vain.
    template <class PartRows>
    void fill_siblings(const PartRows& parts, bool avx2) {
#if defined(__x86_64__) && defined(__GNUC__)
        if (avx2) return fill_siblings_avx2(parts);
#endif
        static_cast<void>(avx2);
        fill_spans(parts, std::true_type{});
    }

    // The sums of items after fill().
    [[nodiscard]] T right_arc(std::size_t head, std::size_t modifier) const noexcept {
        return arc_right_[row(head, modifier)];
    }
    [[nodiscard]] T left_arc(std::size_t modifier, std::size_t head) const noexcept {
        return arc_left_[column(head, modifier)];
    }
    [[nodiscard]] T right_complete(std::size_t head, std::size_t end) const noexcept {
        return right_row_[row(head, end)];
    }
    [[nodiscard]] T left_complete(std::size_t end, std::size_t head) const noexcept {
        return left_row_[row(end, head)];
    }
    [[nodiscard]] T join(std::size_t i, std::size_t j) const noexcept { return join_row_[row(i, j)]; }

    // Calls visit(head, modifier) for the arcs within the best item that ends in an arc, itself included, or within the
    // best complete item. O(arcs · band).
    template <class Visit, class PartRows>
    void trace_arc(std::size_t head, std::size_t modifier, const PartRows& parts, Visit&& visit) {
        stack_.assign(1, {head < modifier ? Kind::arc_right : Kind::arc_left, std::min(head, modifier),
                          std::max(head, modifier)});
        trace(parts, visit);
    }
    template <class Visit, class PartRows>
    void trace_complete(std::size_t head, std::size_t end, const PartRows& parts, Visit&& visit) {
        stack_.assign(1, {head <= end ? Kind::right : Kind::left, std::min(head, end), std::max(head, end)});
        trace(parts, visit);
    }
    // The same for a join, which needs siblings.
    template <class Visit, class PartRows>
    void trace_join(std::size_t i, std::size_t j, const PartRows& parts, Visit&& visit) {
        stack_.assign(1, {Kind::join, i, j});
        trace(parts, visit);
    }

    // The highest of count sums a[k] + b[k]. Reads up to `lanes` - 1 more, of which one operand is dead.
    [[gnu::always_inline]] static inline T best_sum(const T* a, const T* b, std::size_t count) noexcept {
        T best[lanes];
        for (T& value : best) value = dead;
        for (std::size_t k = 0; k < count; k += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                best[lane] = std::max(best[lane], static_cast<T>(a[k + lane] + b[k + lane]));
        return fold(best);
    }

private:
    enum class Kind : std::uint8_t { arc_right, arc_left, right, left, join };
    struct Item {
        Kind kind;
        std::size_t i, j;
    };
    static constexpr std::size_t lanes = 32 / sizeof(T);

    // Where i..k stands in tables along the left end, and k..j in those along the right end. Each run of `band_` + 1
    // cells is followed by dead ones, so that loops may run over its end.
    [[nodiscard]] std::size_t row(std::size_t i, std::size_t k) const noexcept { return i * step_ + k; }
    [[nodiscard]] std::size_t column(std::size_t j, std::size_t k) const noexcept { return j * step_ + band_ + k; }

    [[gnu::always_inline]] static inline T fold(T (&best)[lanes]) noexcept {
        for (std::size_t half = lanes / 2; half > 0; half /= 2)
            for (std::size_t lane = 0; lane < half; ++lane) best[lane] = std::max(best[lane], best[lane + half]);
        return best[0];
    }
    [[gnu::always_inline]] static inline T best_sum(const T* a, const T* b, const Score* c,
                                                    std::size_t count) noexcept {
        T best[lanes];
        for (T& value : best) value = dead;
        for (std::size_t k = 0; k < count; k += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                best[lane] = std::max(best[lane], static_cast<T>(a[k + lane] + b[k + lane] + c[k + lane]));
        return fold(best);
    }

    template <class PartRows, class WithSiblings>
    [[gnu::always_inline]] inline void fill_spans(const PartRows& parts, WithSiblings) {
        for (std::size_t j = 0; j < size_; ++j) {
            right_row_[row(j, j)] = right_column_[column(j, j)] = 0;
            left_row_[row(j, j)] = left_column_[column(j, j)] = 0;
            for (std::size_t i = j; i-- > (j > band_ ? j - band_ : 0);) {
                const T joined =
                    std::max(dead, best_sum(&right_row_[row(i, i)], &left_column_[column(j, i + 1)], j - i));
                T& to_right = arc_right_[row(i, j)];
                T& to_left = arc_left_[column(j, i)];
                T below_right = joined, below_left = joined;
                if constexpr (WithSiblings::value) {
                    if (to_right != dead) {
                        const Score* scores = parts(i, j);
                        below_right = std::max<T>(left_row_[row(i + 1, j)] + scores[0],
                                                  best_sum(&arc_right_[row(i, i + 1)], &join_column_[column(j, i + 1)],
                                                           scores + 1, j - i - 1));
                    }
                    if (to_left != dead) {
                        const Score* scores = parts(j, i);
                        below_left = std::max<T>(
                            right_row_[row(i, j - 1)] + scores[0],
                            best_sum(&arc_left_[column(j, i + 1)], &join_row_[row(i, i + 1)], scores + 1, j - i - 1));
                    }
                    join_row_[row(i, j)] = join_column_[column(j, i)] = joined;
                }
                to_right = std::max(dead, static_cast<T>(below_right + to_right));
                to_left = std::max(dead, static_cast<T>(below_left + to_left));
                right_row_[row(i, j)] = right_column_[column(j, i)] =
                    std::max(dead, best_sum(&arc_right_[row(i, i + 1)], &right_column_[column(j, i + 1)], j - i));
                left_row_[row(i, j)] = left_column_[column(j, i)] =
                    std::max(dead, best_sum(&left_row_[row(i, i)], &arc_left_[column(j, i)], j - i));
            }
        }
    }
#if defined(__x86_64__) && defined(__GNUC__)
    [[gnu::target("avx2")]] void fill_avx2() {
        fill_spans([](std::size_t, std::size_t) { return static_cast<const Score*>(nullptr); }, std::false_type{});
    }
    template <class PartRows>
    [[gnu::target("avx2")]] void fill_siblings_avx2(const PartRows& parts) {
        fill_spans(parts, std::true_type{});
    }
#endif

    // The first k of first..last for which value(k) is the sum of the item: there is one.
    template <class Value>
    static std::size_t split(std::size_t first, std::size_t last, T sum, Value&& value) {
        std::size_t k = first;
        while (k < last && value(k) != sum) ++k;
        return k;
    }

    template <class Visit, class PartRows>
    void trace(const PartRows& parts, Visit&& visit) {
        while (!stack_.empty()) {
            const Item item = stack_.back();
            stack_.pop_back();
            const std::size_t i = item.i, j = item.j;
            if (i == j) continue;
            switch (item.kind) {
                case Kind::right: {
                    const std::size_t k = split(i + 1, j, right_complete(i, j), [&](std::size_t at) {
                        return right_arc(i, at) + right_complete(at, j);
                    });
                    stack_.push_back({Kind::right, k, j});
                    stack_.push_back({Kind::arc_right, i, k});
                    break;
                }
                case Kind::left: {
                    const std::size_t k = split(i, j - 1, left_complete(i, j),
                                                [&](std::size_t at) { return left_complete(i, at) + left_arc(at, j); });
                    stack_.push_back({Kind::left, i, k});
                    stack_.push_back({Kind::arc_left, k, j});
                    break;
                }
                case Kind::arc_right:
                    visit(i, j);
                    trace_below(item, parts);
                    break;
                case Kind::arc_left:
                    visit(j, i);
                    trace_below(item, parts);
                    break;
                case Kind::join:
                    push_join(i, j, join(i, j));
                    break;
            }
        }
    }
    void push_join(std::size_t i, std::size_t j, T sum) {
        const std::size_t k =
            split(i, j - 1, sum, [&](std::size_t at) { return right_complete(i, at) + left_complete(at + 1, j); });
        stack_.push_back({Kind::right, i, k});
        stack_.push_back({Kind::left, k + 1, j});
    }
    // What lies under an arc. The score of its edge is gone, so the best is looked for once more.
    template <class PartRows>
    void trace_below(const Item& item, const PartRows& parts) {
        const std::size_t i = item.i, j = item.j;
        if (!siblings_) {
            T best = dead;
            for (std::size_t k = i; k < j; ++k)
                best = std::max<T>(best, right_complete(i, k) + left_complete(k + 1, j));
            push_join(i, j, best);
            return;
        }
        const bool right = item.kind == Kind::arc_right;
        const Score* scores = right ? parts(i, j) : parts(j, i);
        T best = (right ? left_complete(i + 1, j) : right_complete(i, j - 1)) + scores[0];
        std::size_t sibling = i;  // none
        for (std::size_t s = i + 1; s < j; ++s) {
            const T sum = (right ? right_arc(i, s) + join(s, j) : left_arc(s, j) + join(i, s)) + scores[s - i];
            if (sum <= best) continue;
            best = sum;
            sibling = s;
        }
        if (sibling == i) {
            stack_.push_back(right ? Item{Kind::left, i + 1, j} : Item{Kind::right, i, j - 1});
        } else {
            stack_.push_back(right ? Item{Kind::join, sibling, j} : Item{Kind::join, i, sibling});
            stack_.push_back({item.kind, right ? i : sibling, right ? sibling : j});
        }
    }

    std::size_t size_ = 0, band_ = 0;
    std::size_t step_ = 0;  // cells from a position to the next, less one
    bool siblings_ = false;
    std::vector<T> right_row_, right_column_, left_row_, left_column_;  // complete items
    std::vector<T> arc_right_, arc_left_;                               // edges; after fill(), incomplete items
    std::vector<T> join_row_, join_column_;
    std::vector<Item> stack_;
};

}  // namespace laconic::graph
