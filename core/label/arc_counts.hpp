#pragma once
// What arcs of a kind are called most often. One look into memory decides many an arc, for which nothing else has to be
// computed then.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/frozen_map.hpp"
#include "base/hash.hpp"
#include "corpus/tree.hpp"
#include "features/sentence_atoms.hpp"
#include "label/word_types.hpp"
#include "learn/labels.hpp"

namespace laconic::label {

using learn::Label;

// The kind of an arc, as keys from the finest level to the coarsest. All levels know the direction and the tag of the
// modifier's first child; beside them the type of the modifier and all tags of the head, all tags of both words, or of
// both the tag that POS means.
class ArcKinds {
public:
    static constexpr std::size_t levels = 3;
    static constexpr std::uint16_t no_column = features::AtomColumns::none;

    // `pos` is the column of the tag that POS means. `all_tags`: there may be a second column of tags.
    ArcKinds(const features::AtomColumns& list, std::uint16_t pos, bool all_tags);

    [[nodiscard]] std::uint64_t key(std::size_t level, const SentenceTypes& words, const corpus::Tree& tree,
                                    Node modifier) const noexcept {
        const Node head = tree.head(modifier);
        const std::uint64_t right = modifier > head ? 1 : 0;
        const std::uint64_t near = std::uint64_t{words.row(tree.first_child(modifier))[pos_]} << 1 | right;
        const Atom *above = words.row(head), *below = words.row(modifier);
        if (level == 0) return mix(mix(words.key(modifier), tags(above)), near);
        const std::uint64_t start = level;
        return level == 1 ? mix(mix(mix(start, tags(below)), tags(above)), near)
                          : mix(mix(mix(start, below[pos_]), above[pos_]), near);
    }

private:
    [[nodiscard]] std::uint64_t tags(const Atom* row) const noexcept {
        return std::uint64_t{row[pos_]} << 32 | row[other_];
    }

    std::uint16_t pos_, other_;
};

// The keys of all words of some sentences, level after level. Throws InputError where heads are absent or no tree.
std::array<std::vector<std::uint64_t>, ArcKinds::levels> kinds_of_arcs(const ArcKinds& kinds,
                                                                       const features::AtomColumns& list,
                                                                       const features::Lexicon& lexicon,
                                                                       const corpus::Columns& columns,
                                                                       std::span<const std::uint32_t> sentences);

// The label that each kind bore most often, and the logarithm of the odds that it bears it again.
class ArcCounts {
public:
    static constexpr float steps = 256;  // of a logarithm, in an answer of a model file

    struct Answer {
        Label label = 0;
        float lead = 0;  // 0: nothing is known
    };

    // An answer has a label below `labels` in its lower half and the steps of the logarithm in the upper one. Throws
    // ModelError unless there is one for each key and every key is there once.
    ArcCounts(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> answers, std::size_t labels);

    [[nodiscard]] bool empty() const noexcept { return map_.keys().empty(); }
    void fetch(std::uint64_t key) const noexcept { map_.fetch(key); }
    // Of an arc whose finest key was computed before.
    [[nodiscard]] Answer find(std::uint64_t finest, const ArcKinds& kinds, const SentenceTypes& words,
                              const corpus::Tree& tree, Node modifier) const noexcept {
        std::uint32_t found = map_.find(finest);
        for (std::size_t level = 1; level < ArcKinds::levels && found == FrozenMap::absent; ++level)
            found = map_.find(kinds.key(level, words, tree, modifier));
        if (found == FrozenMap::absent) return {};
        return {static_cast<Label>(found & 0xffff), static_cast<float>(found >> 16) / steps};
    }

private:
    FrozenMap map_;
};

}  // namespace laconic::label
