#include "label/arc_counts.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "label/context.hpp"

namespace laconic::label {

std::array<std::vector<std::uint64_t>, kind_levels> kinds_of_arcs(const features::AtomColumns& list, TagColumns tags,
                                                                  const features::Lexicon& lexicon,
                                                                  const corpus::Columns& columns,
                                                                  std::span<const std::uint32_t> sentences) {
    const WordTypes nothing_known(list, tags, {}, {});
    SentenceTypes words(nothing_known, list, lexicon, columns);
    corpus::Tree tree;
    std::array<std::vector<std::uint64_t>, kind_levels> result;
    for (const std::uint32_t sentence : sentences) {
        const std::span<const std::int32_t> heads = columns.heads_of(sentence);
        if (!tree.try_enter(heads)) refuse_heads(heads, sentence);
        words.enter(sentence);
        for (std::size_t level = 0; level < kind_levels; ++level)
            for (Node m = 1; m <= tree.words(); ++m) result[level].push_back(kind_of_arc(level, words, tree, m));
    }
    return result;
}

ArcCounts::ArcCounts(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> answers, std::size_t labels)
    : map_(std::move(keys), std::move(answers), "the table of arcs that were counted") {
    for (const std::uint32_t answer : map_.numbers())
        if ((answer & 0xffff) >= labels)
            throw ModelError("the table of arcs that were counted is damaged: a label that does not exist");
}

}  // namespace laconic::label
