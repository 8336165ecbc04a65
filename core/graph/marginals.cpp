#include "graph/marginals.hpp"

#include "learn/kernels.hpp"

namespace laconic::graph {

namespace {

constexpr Sum nothing = Chart<Sum>::dead;

}  // namespace

Sum MaxMarginals::edge(const Edges& edges, std::size_t head, std::size_t modifier) const noexcept {
    const auto h = static_cast<Node>(head + 1), m = static_cast<Node>(modifier + 1);
    return edges.is_alive(h, m) ? edges.score(h, m) : nothing;
}

void MaxMarginals::chain_inside(const Edges& edges, bool single_root) {
    const std::size_t size = edges.words();
    left_.assign(size, nothing);
    right_.assign(size, nothing);
    for (std::size_t m = 0; m < size; ++m) {
        left_[m] = m == 0 ? 0 : single_root ? nothing : right_[m - 1];
        for (std::size_t k = first(m); k < m; ++k) raise(left_[m], left_[k] + chart_.left_arc(k, m));
        raise(right_[m], left_[m] + root_edges_[m]);
        for (std::size_t k = first(m); k < m; ++k) raise(right_[m], right_[k] + chart_.right_arc(k, m));
    }
}

void MaxMarginals::chain_outside(bool single_root) {
    const std::size_t size = right_.size();
    out_left_chain_.assign(size, nothing);
    out_right_chain_.assign(size, nothing);
    out_right_chain_[size - 1] = 0;
    for (std::size_t m = size; m-- > 0;) {
        const Sum right = out_right_chain_[m];
        raise(out_left_chain_[m], right + root_edges_[m]);
        for (std::size_t k = first(m); k < m; ++k) {
            raise(out_right_chain_[k], right + chart_.right_arc(k, m));
            raise(out_arc_right_[row_at(k, m)], right + right_[k]);
        }
        const Sum left = out_left_chain_[m];
        if (m > 0 && !single_root) raise(out_right_chain_[m - 1], left);
        for (std::size_t k = first(m); k < m; ++k) {
            raise(out_left_chain_[k], left + chart_.left_arc(k, m));
            raise(out_arc_left_[row_at(k, m)], left + left_[k]);
        }
    }
}

// Spans in the reverse of the order in which they were filled: all that contains a span is done before it.
void MaxMarginals::outside(const Edges& edges) {
    for (std::size_t j = chart_.size(); j-- > 0;)
        for (std::size_t i = first(j); i < j; ++i) {
            const Sum right = out_right_[row_at(i, j)];
            for (std::size_t k = i + 1; k <= j; ++k) {
                raise(out_arc_right_[row_at(i, k)], right + chart_.right_complete(k, j));
                raise(out_right_[row_at(k, j)], right + chart_.right_arc(i, k));
            }
            const Sum left = out_left_[row_at(i, j)];
            for (std::size_t k = i; k < j; ++k) {
                raise(out_left_[row_at(i, k)], left + chart_.left_arc(k, j));
                raise(out_arc_left_[row_at(k, j)], left + chart_.left_complete(i, k));
            }
            const Sum joined = std::max({nothing, out_arc_right_[row_at(i, j)] + edge(edges, i, j),
                                         out_arc_left_[row_at(i, j)] + edge(edges, j, i)});
            for (std::size_t k = i; k < j; ++k) {
                raise(out_right_[row_at(i, k)], joined + chart_.left_complete(k + 1, j));
                raise(out_left_[row_at(k + 1, j)], joined + chart_.right_complete(i, k));
            }
        }
}

bool MaxMarginals::compute(const Edges& edges, bool single_root) {
    const std::size_t size = edges.words();
    columns_ = edges.columns();
    marginals_.assign(size * columns_, dead);
    best_ = 0;
    if (size == 0) return true;
    chart_.start(size, edges.reach(), false);
    root_edges_.assign(size, nothing);
    for (std::size_t m = 0; m < size; ++m)
        edges.each_alive(static_cast<Node>(m + 1), [&](Node head, Score score) {
            if (head == root)
                root_edges_[m] = score;
            else
                chart_.set(static_cast<std::size_t>(head - 1), m, score);
        });
    chart_.fill(learn::uses_avx2());
    chain_inside(edges, single_root);
    best_ = right_[size - 1];
    if (Chart<Sum>::is_dead(best_)) return false;
    for (Table* table : {&out_right_, &out_left_, &out_arc_right_, &out_arc_left_})
        table->assign(size * (chart_.band() + 1) + chart_.band(), nothing);
    chain_outside(single_root);
    outside(edges);
    for (std::size_t m = 0; m < size; ++m) {
        const auto word = static_cast<Node>(m + 1);
        each_bit(edges.alive(word), [&](std::size_t column) {
            const Node head = edges.head(column, word);
            const auto h = static_cast<std::size_t>(head) - 1;
            const Sum sum = head == root  ? left_[m] + root_edges_[m] + out_right_chain_[m]
                            : head < word ? chart_.right_arc(h, m) + out_arc_right_[row_at(h, m)]
                                          : chart_.left_arc(m, h) + out_arc_left_[row_at(m, h)];
            if (!Chart<Sum>::is_dead(sum)) marginals_[m * columns_ + column] = sum;
        });
    }
    return true;
}

std::size_t prune(Edges& edges, const MaxMarginals& marginals, double share) {
    const auto words = static_cast<Node>(edges.words());
    // How far each edge stays behind the best tree: never negative, so that rounding cannot lose that tree.
    const auto behind = [&](Node word, std::size_t column) {
        return static_cast<double>(marginals.best() - marginals.row(word)[column]);
    };
    const auto in_a_tree = [&](Node word, std::size_t column) {
        return marginals.row(word)[column] != MaxMarginals::dead;
    };
    double sum = 0;
    std::size_t count = 0;
    for (Node word = 1; word <= words; ++word)
        each_bit(edges.alive(word), [&](std::size_t column) {
            if (!in_a_tree(word, column)) return;
            sum += behind(word, column);
            ++count;
        });
    const double most = count == 0 ? 0 : (1 - share) * (sum / static_cast<double>(count));
    std::size_t died = 0;
    for (Node word = 1; word <= words; ++word) {
        const Bits alive = edges.alive(word);
        each_bit(alive, [&](std::size_t column) {
            if (in_a_tree(word, column) && behind(word, column) <= most) return;
            clear_bit(alive, column);
            ++died;
        });
    }
    return died;
}

}  // namespace laconic::graph
