#include "label/arc_counts.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "label/context.hpp"

namespace laconic::label {

ArcKinds::ArcKinds(const features::AtomColumns& list, std::uint16_t pos, bool all_tags) : pos_(pos), other_(pos) {
    const auto is_tag = [](const features::AtomColumn& column) {
        return column.kind == features::AtomColumn::field &&
               (column.number == static_cast<std::uint32_t>(corpus::Field::upos) ||
                column.number == static_cast<std::uint32_t>(corpus::Field::xpos));
    };
    for (std::size_t i = 0; all_tags && i < list.list().size(); ++i)
        if (i != pos && is_tag(list.list()[i])) other_ = static_cast<std::uint16_t>(i);
}

std::array<std::vector<std::uint64_t>, ArcKinds::levels> kinds_of_arcs(const ArcKinds& kinds,
                                                                       const features::AtomColumns& list,
                                                                       const features::Lexicon& lexicon,
                                                                       const corpus::Columns& columns,
                                                                       std::span<const std::uint32_t> sentences) {
    const WordTypes nothing_known(list, {}, {});
    SentenceTypes words(nothing_known, list, lexicon, columns);
    corpus::Tree tree;
    std::array<std::vector<std::uint64_t>, ArcKinds::levels> result;
    for (const std::uint32_t sentence : sentences) {
        const std::span<const std::int32_t> heads = columns.heads_of(sentence);
        if (!tree.try_enter(heads)) refuse_heads(heads, sentence);
        words.enter(sentence);
        for (std::size_t level = 0; level < ArcKinds::levels; ++level)
            for (Node m = 1; m <= tree.words(); ++m) result[level].push_back(kinds.key(level, words, tree, m));
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
