#pragma once
// What the bindings of graph parsers have in common.

#include "bindings/handle.hpp"
#include "corpus/tree.hpp"

namespace laconic::bindings {

using Heads = Input<std::int32_t, 1>;

// Heads that training may index memory with: a tree for each of the sentences.
inline std::vector<std::int32_t> checked_heads(const Heads& heads, const Columns& columns,
                                               std::span<const std::uint32_t> sentences) {
    if (heads.shape(0) != columns.words()) throw std::invalid_argument("one head per word of the document");
    check_sentences(sentences, columns);
    std::vector<std::int32_t> all = vector_of(heads);
    for (const std::uint32_t sentence : sentences) {
        const auto own =
            std::span<const std::int32_t>(all).subspan(columns.sentences[sentence], columns.size_of(sentence));
        const corpus::TreeFault fault = corpus::check_tree(own);
        if (!fault.reason.empty() || (!own.empty() && own[0] == corpus::no_head))
            throw std::invalid_argument("a sentence to learn from has no tree");
    }
    return all;
}

}  // namespace laconic::bindings
