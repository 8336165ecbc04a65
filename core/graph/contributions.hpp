#pragma once
// What each group of arcs of a model adds to the possible arcs of some sentences, kept as columns: how good the trees
// by any selection of groups are, with the weights as they are (forward selection of he2013).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/parser.hpp"

namespace laconic::graph {

class Contributions {
public:
    // One gold head per word of the document; sentences of more words than dense rows have are left out. Cost: all
    // groups for all candidates, and a number for each in memory.
    Contributions(const GraphModel& model, const corpus::Columns& columns, std::span<const std::int32_t> heads,
                  std::span<const std::uint32_t> sentences, const TreeRules& rules);

    [[nodiscard]] std::size_t groups() const noexcept { return columns_.size(); }
    [[nodiscard]] std::size_t words() const noexcept { return gold_.size(); }
    // Rows of weights that a group reads, per arc.
    [[nodiscard]] const std::vector<double>& rows() const noexcept { return rows_; }

    // How many words have their gold head in the best trees by the groups of `chosen` and one more, for each of `more`.
    // Cost for each: the arcs, and the decoding of sentences whose best heads are no tree.
    [[nodiscard]] std::vector<std::uint32_t> right(std::span<const std::uint32_t> chosen,
                                                   std::span<const std::uint32_t> more) const;

private:
    [[nodiscard]] std::uint32_t right(std::span<const Score> scores) const;

    TreeRules rules_;
    std::vector<std::uint32_t> sentences_{0};  // where sentences begin among the words, and the last ends
    std::vector<std::uint32_t> arcs_{0};       // the same of words among the arcs
    std::vector<Node> heads_;                  // of the arcs, ascending for each word
    std::vector<Node> gold_;
    std::vector<std::vector<Score>> columns_;  // by group and arc
    std::vector<double> rows_;
};

}  // namespace laconic::graph
