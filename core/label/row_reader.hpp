#pragma once
// The rows that words of a sentence have beside those summed by type: read template by template for many words at once,
// so that a step is a short loop.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/tree.hpp"
#include "label/joined_templates.hpp"
#include "label/node_context.hpp"
#include "label/word_types.hpp"
#include "learn/factors.hpp"

namespace laconic::label {

class RowReader {
public:
    struct Run {
        std::uint32_t begin = 0, end = 0;
    };

    // All must outlive this.
    RowReader(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
              const SentenceTypes& words, const corpus::Tree& tree)
        : plan_(plan), table_(table), words_(words), tree_(tree), context_(reader, words, tree) {}

    // The sentence that words and tree have entered; kept[n + 1] are the rows that the type of node n keeps. Runs of
    // the sentence before are gone.
    void enter(std::span<const std::uint32_t* const> kept) noexcept {
        kept_ = kept.data();
        rows_.clear();
    }
    // Reads the rows of some nodes: runs[i] gets those of nodes[i]. They are there after finish().
    void read(const JoinedTemplates& templates, std::span<const Node> nodes, std::span<Run> runs);
    // Searches what no table has.
    void finish() noexcept {
        for (const Search& one : searches_) rows_[one.target] = table_.find(one.number, one.key);
        searches_.clear();
    }
    [[nodiscard]] std::span<const std::uint32_t> rows(Run run) const noexcept {
        return {rows_.data() + run.begin, run.end - run.begin};
    }

private:
    using Template = JoinedTemplates::Template;
    struct Search {
        std::uint64_t key;
        std::uint32_t target;
        std::uint16_t number;
    };

    [[nodiscard]] std::span<const Node> children(Node node) const noexcept {
        return node == corpus::none ? std::span<const Node>() : shown_children(tree_, node);
    }
    [[nodiscard]] const Node* near(std::uint16_t place) const noexcept { return near_.data() + place * count_; }
    [[nodiscard]] const std::uint32_t* codes(JoinedTemplates::Slot slot) const noexcept {
        return codes_.data() + slot.value * count_;
    }
    [[nodiscard]] std::uint32_t place_of(const Template& one, std::size_t i) const noexcept;
    // The words at all addresses and the codes of all values.
    void find_nodes(const features::Slot& address, Node* near) const noexcept;
    void find_codes(const JoinedTemplates::Value& value, std::uint32_t* codes) const noexcept;
    // Room for the rows of all nodes.
    void allocate(const JoinedTemplates& templates, std::span<Run> runs);
    // The row of a template, as the k-th of each node; the rows of one with a set, behind those that are there.
    void read_single(const JoinedTemplates& templates, const Template& one, std::uint32_t k);
    void read_set(const JoinedTemplates& templates, const Template& one);
    // Searches the row of a template for the i-th node, with a child where one slot stands for a set.
    void search(const JoinedTemplates& templates, const Template& one, std::size_t i, Node child, std::uint32_t target);
    // Templates that the steps above do not know how to read. How many rows they have is known before there is room.
    void read_rest(const JoinedTemplates& templates);

    const features::Plan& plan_;
    const learn::FactorTable& table_;
    const SentenceTypes& words_;
    const corpus::Tree& tree_;
    NodeContext context_;
    const std::uint32_t* const* kept_ = nullptr;
    std::vector<std::uint32_t> rows_;  // of the sentence
    std::vector<Search> searches_, rest_;
    // Of the nodes that are being read.
    const Node* nodes_ = nullptr;
    std::size_t count_ = 0;
    std::vector<Node> near_;             // at each address, node by node
    std::vector<std::uint32_t> codes_;   // of each value, node by node
    std::vector<std::uint32_t> begins_;  // of the rows of each node
    std::vector<std::uint32_t> next_;    // where the next row behind the single ones goes
};

}  // namespace laconic::label
