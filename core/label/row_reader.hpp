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

    // The sentence that words and tree have entered. Runs of the one before are gone.
    void enter() noexcept { rows_.clear(); }
    // Reads the rows of some nodes: runs[i] gets those of nodes[i]. kept_rows(type) gives the rows that a type keeps.
    // They are there after finish().
    template <class KeptRows>
    void read(const JoinedTemplates& templates, std::span<const Node> nodes, std::span<Run> runs,
              KeptRows&& kept_rows) {
        begin(templates, nodes);
        read_rest(templates, nodes);
        allocate(templates, runs);
        for (const JoinedTemplates::Kept& kept : templates.kept()) {
            const Node* near = near_.data() + kept.place * nodes.size();
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                std::uint32_t* to = rows_.data() + next_[i];
                const auto add = [&](Node node) {
                    const std::uint32_t* rows = kept_rows(words_[node]) + kept.first;
                    for (std::uint32_t k = 0; k < kept.size; ++k) *to++ = rows[k];
                };
                if (kept.children)
                    for (const Node child : children(near[i])) add(child);
                else
                    add(near[i]);
                next_[i] = static_cast<std::uint32_t>(to - rows_.data());
            }
        }
        for (const JoinedTemplates::Template& one : templates.templates()) read(templates, one, nodes);
        place_rest();
    }
    // Searches what no table has; nothing is left to do but to leave out absent rows.
    void finish() noexcept {
        for (const Search& one : searches_) rows_[one.target] = table_.index().find(one.number, one.key);
        searches_.clear();
    }
    // Moves the rows of a run together, without those that are absent.
    void pack(Run& run) noexcept {
        std::uint32_t* const all = rows_.data();
        std::uint32_t to = run.begin;
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const std::uint32_t row = all[i];
            all[to] = row;
            to += row != learn::RowIndex::absent ? 1 : 0;
        }
        run.end = to;
    }
    [[nodiscard]] std::span<const std::uint32_t> rows(Run run) const noexcept {
        return {rows_.data() + run.begin, run.end - run.begin};
    }

private:
    struct Search {
        std::uint64_t key;
        std::uint32_t target;
        std::uint16_t number;
    };

    [[nodiscard]] std::span<const Node> children(Node node) const noexcept {
        return node == corpus::none ? std::span<const Node>() : shown_children(tree_, node);
    }
    // The words at all addresses and the codes of all values.
    void begin(const JoinedTemplates& templates, std::span<const Node> nodes);
    void find_nodes(const features::Slot& address, std::span<const Node> nodes, Node* near) const noexcept;
    // Room for the rows of all nodes; next_ has how many the templates of read_rest() have.
    void allocate(const JoinedTemplates& templates, std::span<Run> runs);
    void read(const JoinedTemplates& templates, const JoinedTemplates::Template& one, std::span<const Node> nodes);
    // Searches the row of a template for the i-th node, with a child where one slot stands for a set.
    void search(const JoinedTemplates& templates, const JoinedTemplates::Template& one, std::size_t i, Node child,
                std::uint32_t target);
    void read_rest(const JoinedTemplates& templates, std::span<const Node> nodes);
    void place_rest();

    const features::Plan& plan_;
    const learn::FactorTable& table_;
    const SentenceTypes& words_;
    const corpus::Tree& tree_;
    NodeContext context_;
    std::vector<std::uint32_t> rows_;  // of the sentence
    std::vector<Search> searches_, rest_;
    // Of the nodes that are being read.
    std::size_t count_ = 0;
    std::vector<Node> near_;            // at each address, node by node
    std::vector<std::uint32_t> codes_;  // of each value, node by node
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> next_;  // where the next row of each node goes
};

}  // namespace laconic::label
