#pragma once
// The best projective tree of a region: all words of a sentence under the root, or the words around a face of locked
// arcs (faces.hpp) under an arc. What Eisner and Siblings have in common.

#include <cstdlib>

#include "graph/chart.hpp"
#include "graph/parts.hpp"
#include "graph/tree_rules.hpp"
#include "learn/kernels.hpp"

namespace laconic::graph {

// Words in ascending order that are decoded on their own: their heads are among them, or the root.
struct Region {
    std::span<const Node> places;
    // The arc under which all others lie, between the first and the last place: its head. Else the root, which is then
    // not among the places.
    Node head = corpus::none;
    [[nodiscard]] bool under_root() const noexcept { return head == corpus::none; }
};

// `parts` may be null: first order.
template <class T>
class ProjectiveTable {
public:
    [[nodiscard]] bool decode(const Edges& edges, const Parts* parts, bool single_root, const Region& region,
                              std::span<const std::uint32_t> positions, std::span<Node> heads) {
        places_ = region.places;
        const std::size_t size = places_.size();
        const std::size_t last = size - 1;
        enter(edges, parts, region, positions);
        const auto rows = [&](std::size_t head, std::size_t modifier) {
            return part_row(edges, *parts, region, head, modifier);
        };
        const auto write = [&](std::size_t head, std::size_t modifier) {
            heads[static_cast<std::size_t>(places_[modifier]) - 1] = places_[head];
        };
        if (parts != nullptr)
            chart_.fill_siblings(rows, learn::uses_avx2());
        else
            chart_.fill(learn::uses_avx2());
        if (!region.under_root()) {
            const bool first = region.head == places_.front();
            if (Chart<T>::is_dead(first ? chart_.right_arc(0, last) : chart_.left_arc(0, last))) return false;
            chart_.trace_arc(first ? 0 : last, first ? last : 0, rows, write);
            return true;
        }
        if (parts != nullptr) return attach_with_siblings(*parts, single_root, rows, write, heads);
        return attach(single_root, rows, write, heads);
    }

private:
    void enter(const Edges& edges, const Parts* parts, const Region& region, std::span<const std::uint32_t> positions) {
        const std::size_t size = places_.size();
        chart_.start(size, edges.dense() ? size : edges.reach(), parts != nullptr);
        root_edges_.assign(size, Chart<T>::dead);
        const bool under_root = region.under_root();
        for (std::size_t m = under_root ? 0 : 1; m + (under_root ? 0 : 1) < size; ++m)
            edges.each_alive(places_[m], [&](Node head, Score score) {
                if (under_root && head == root)
                    root_edges_[m] = score;
                else if (const std::uint32_t h = positions[static_cast<std::size_t>(head)];
                         h < size && places_[h] == head)
                    chart_.set(h, m, score);
            });
        if (under_root) return;
        const std::size_t last = size - 1;
        const bool first = region.head == places_.front();
        chart_.set(first ? 0 : last, first ? last : 0, 0);
    }

    // The scores of the parts of an edge by position. Places that follow each other as words have them as they are.
    [[nodiscard]] const Score* part_row(const Edges& edges, const Parts& parts, const Region& region, std::size_t head,
                                        std::size_t modifier) {
        const std::size_t left = std::min(head, modifier), right = std::max(head, modifier);
        const Node h = places_[head], m = places_[modifier];
        const bool closing = !region.under_root() && left == 0 && right + 1 == places_.size();
        if (right - left == 1 && !closing && !edges.has_choice(m)) {
            // A locked arc between neighbours: its part lies in the face under it.
            gathered_.assign(1 + Parts::padding, 0);
            return gathered_.data();
        }
        const std::span<const Score> row = parts.row(h, m);
        if (row.size() == right - left) return row.data();
        gathered_.assign(right - left + Parts::padding, 0);
        gathered_[0] = row[0];
        for (std::size_t s = left + 1; s < right; ++s) gathered_[s - left] = row[Parts::place(h, places_[s], m)];
        return gathered_.data();
    }

    // The root's modifiers, from left to right. left_[m]: all before m is done, m has its left modifiers and no head;
    // right_[m]: m has a head, too, and nothing to its right. Both chains have steps of at most the band, so that items
    // longer than it are never needed.
    template <class Rows, class Write>
    [[nodiscard]] bool attach(bool single_root, const Rows& rows, const Write& write, std::span<Node> heads) {
        const std::size_t size = places_.size(), band = chart_.band();
        left_.assign(size, Chart<T>::dead);
        right_.assign(size, Chart<T>::dead);
        const auto nearest = [&](std::size_t m) { return m > band ? m - band : 0; };
        const auto opened = [&](std::size_t m) { return m == 0 ? T{0} : single_root ? Chart<T>::dead : right_[m - 1]; };
        for (std::size_t m = 0; m < size; ++m) {
            T left = opened(m);
            for (std::size_t k = nearest(m); k < m; ++k) left = std::max<T>(left, left_[k] + chart_.left_arc(k, m));
            left_[m] = std::max(left, Chart<T>::dead);
            T right = left_[m] + root_edges_[m];
            for (std::size_t k = nearest(m); k < m; ++k) right = std::max<T>(right, right_[k] + chart_.right_arc(k, m));
            right_[m] = std::max(right, Chart<T>::dead);
        }
        if (Chart<T>::is_dead(right_[size - 1])) return false;
        bool has_head = true;
        for (std::size_t m = size - 1;;) {
            std::size_t k = nearest(m);
            if (has_head) {
                if (left_[m] + root_edges_[m] == right_[m]) {
                    heads[static_cast<std::size_t>(places_[m]) - 1] = root;
                    has_head = false;
                    continue;
                }
                while (right_[k] + chart_.right_arc(k, m) != right_[m]) ++k;
                chart_.trace_arc(k, m, rows, write);
                m = k;
            } else if (opened(m) == left_[m]) {
                if (m == 0) return true;
                --m;
                has_head = true;
            } else {
                while (left_[k] + chart_.left_arc(k, m) != left_[m]) ++k;
                chart_.trace_arc(m, k, rows, write);
                m = k;
            }
        }
    }

    // right_[m]: all up to m is done, m is a modifier of the root and has nothing to its right.
    template <class Rows, class Write>
    [[nodiscard]] bool attach_with_siblings(const Parts& parts, bool single_root, const Rows& rows, const Write& write,
                                            std::span<Node> heads) {
        const std::size_t size = places_.size(), last = size - 1;
        constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
        right_.assign(size, Chart<T>::dead);
        before_.assign(size, none);
        std::size_t best = 0;
        T highest = Chart<T>::dead;
        for (std::size_t m = 0; m < size; ++m) {
            if (root_edges_[m] == Chart<T>::dead) continue;
            const Node word = places_[m];
            right_[m] = chart_.left_complete(0, m) + parts.score(root, corpus::none, word);
            for (std::size_t s = 0; !single_root && s < m; ++s) {
                if (root_edges_[s] == Chart<T>::dead) continue;
                const T sum = right_[s] + chart_.join(s, m) + parts.score(root, places_[s], word);
                if (sum <= right_[m]) continue;
                right_[m] = sum;
                before_[m] = s;
            }
            right_[m] = std::max<T>(right_[m] + root_edges_[m], Chart<T>::dead);
            const T sum = right_[m] + chart_.right_complete(m, last);
            if (sum <= highest) continue;
            highest = sum;
            best = m;
        }
        if (Chart<T>::is_dead(highest)) return false;
        chart_.trace_complete(best, last, rows, write);
        for (std::size_t m = best;; m = before_[m]) {
            heads[static_cast<std::size_t>(places_[m]) - 1] = root;
            if (before_[m] == none) {
                chart_.trace_complete(m, 0, rows, write);
                return true;
            }
            chart_.trace_join(before_[m], m, rows, write);
        }
    }

    Chart<T> chart_;
    std::span<const Node> places_;
    std::vector<T> root_edges_, left_, right_;
    std::vector<std::size_t> before_;
    std::vector<Score> gathered_;
};

// Chooses the width of the sums.
class ProjectiveDecoder {
public:
    // Heads of the places of a region, but for the ends of its arc. `heads` is written only where a tree is found.
    [[nodiscard]] bool decode(const Edges& edges, const Parts* parts, bool single_root, const Region& region,
                              std::span<Node> heads);
    // Of all words.
    [[nodiscard]] bool decode(const Edges& edges, const Parts* parts, bool single_root, std::span<Node> heads);

private:
    std::vector<std::uint32_t> positions_;  // of words among the places; only those of places are meant
    std::vector<Node> all_;
    ProjectiveTable<std::int32_t> narrow_;
    ProjectiveTable<std::int64_t> wide_;
};

}  // namespace laconic::graph
