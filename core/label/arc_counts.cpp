#include "label/arc_counts.hpp"

#include <string>

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

ArcCounts::ArcCounts(const std::vector<std::uint64_t>& keys, const std::vector<std::uint32_t>& answers,
                     std::size_t labels) {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw ModelError(std::string("the table of arcs that were counted is damaged: ") + what);
    };
    require(keys.size() == answers.size() && keys.size() < absent, "not one answer per key");
    std::size_t size = 16;
    while (size < 2 * (keys.size() + 1)) size *= 2;
    slots_.resize(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        require((answers[i] & 0xffff) < labels && answers[i] != absent, "a label that does not exist");
        const std::uint64_t key = scramble(keys[i]);
        std::size_t at = key & mask_;
        for (; slots_[at].answer != absent; at = (at + 1) & mask_)
            require(slots_[at].check != key >> 32, "a key is there twice");
        slots_[at] = {static_cast<std::uint32_t>(key >> 32), answers[i]};
    }
}

}  // namespace laconic::label
