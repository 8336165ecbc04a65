#pragma once
// What arcs of a kind are called most often. One look into memory decides many an arc, for which nothing else has to be
// computed then.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "base/memory.hpp"
#include "corpus/tree.hpp"
#include "features/sentence_atoms.hpp"
#include "label/word_types.hpp"
#include "learn/labels.hpp"

namespace laconic::label {

using learn::Label;

// The kind of an arc as a key, on levels from the finest to the coarsest. All levels know the direction and the tag of
// the modifier's first child; beside them the type of the modifier and all tags of the head, all tags of both words, or
// of both the tag that POS means.
inline constexpr std::size_t kind_levels = 3;
[[nodiscard]] inline std::uint64_t kind_of_arc(std::size_t level, const SentenceTypes& words, const corpus::Tree& tree,
                                               Node modifier) noexcept {
    const Node head = tree.head(modifier);
    const std::uint64_t right = modifier > head ? 1 : 0;
    const std::uint64_t near = std::uint64_t{words.tags(tree.first_child(modifier)).pos} << 1 | right;
    const auto all = [](const WordTags& tags) { return std::uint64_t{tags.pos} << 32 | tags.other; };
    const WordTags &above = words.tags(head), &below = words.tags(modifier);
    if (level == 0) return mix(mix(words.key(modifier), all(above)), near);
    const std::uint64_t start = level;
    return level == 1 ? mix(mix(mix(start, all(below)), all(above)), near)
                      : mix(mix(mix(start, below.pos), above.pos), near);
}

// The keys of all words of some sentences, level after level. Throws InputError where heads are absent or no tree.
std::array<std::vector<std::uint64_t>, kind_levels> kinds_of_arcs(const features::AtomColumns& list, TagColumns tags,
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
    ArcCounts(const std::vector<std::uint64_t>& keys, const std::vector<std::uint32_t>& answers, std::size_t labels);

    // The finest key of an arc, scrambled; fetches the slot where the search for it begins.
    [[nodiscard]] std::uint64_t finest_key(const SentenceTypes& words, const corpus::Tree& tree,
                                           Node modifier) const noexcept {
        const std::uint64_t key = scramble(kind_of_arc(0, words, tree, modifier));
        prefetch(&slots_[key & mask_]);
        return key;
    }
    // What is known of the finest kind of an arc that training has seen.
    [[nodiscard]] Answer find(std::uint64_t finest_key, const SentenceTypes& words, const corpus::Tree& tree,
                              Node modifier) const noexcept {
        std::uint32_t found = find(finest_key);
        for (std::size_t level = 1; found == absent && level < kind_levels; ++level)
            found = find(scramble(kind_of_arc(level, words, tree, modifier)));
        if (found == absent) return {};
        return {static_cast<Label>(found & 0xffff), static_cast<float>(found >> 16) / steps};
    }

private:
    static constexpr std::uint32_t absent = 0xffffffffU;
    // Half of a scrambled key says where to look, the other half what is looked for: a slot has eight bytes, and one in
    // four thousand million keys that are not there is taken for another.
    struct Slot {
        std::uint32_t check = 0, answer = absent;
    };
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
        for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.answer == absent || slot.check == key >> 32) return slot.answer;
        }
    }

    std::vector<Slot> slots_;  // open addressing, at most half full
    std::size_t mask_ = 0;
};

}  // namespace laconic::label
