#pragma once
// Projectivity of dependency trees: the test, lifting, and the pseudo-projective encoding with its decoding.
//
// Heads are those of one sentence: heads[i] is the head of word i + 1, 0 is the root; several roots are allowed. An arc
// h -> d is projective if every word between h and d descends from h; so arcs from the root always are. Every function
// throws std::invalid_argument for heads that are absent, out of range or form a cycle.

#include <cstdint>
#include <span>
#include <vector>

namespace laconic::corpus {

// Whether all arcs are projective. O(n).
[[nodiscard]] bool is_projective(std::span<const std::int32_t> heads);

// One byte per word: 1 where the arc into the word is not projective. O(n).
[[nodiscard]] std::vector<std::uint8_t> nonprojective_arcs(std::span<const std::int32_t> heads);

// Lifts the smallest non-projective arc (leftmost first among equals) to the head of its head until none is left.
// Marks in `crossed`, if not empty, every word over which a dependent was lifted. O(n) for a projective tree.
void lift(std::span<std::int32_t> heads, std::span<std::uint8_t> crossed = {});

// What an encoded label says of an arc.
struct Mark {
    std::int32_t label = 0;          // number of the plain label
    std::int32_t target = no_label;  // number of the label of the head before lifting
    bool lifted = false;
    bool path = false;  // a dependent was lifted over this arc

    static constexpr std::int32_t no_label = -1;
};

// Undoes lifting: for each lifted word, searches breadth-first below its head, from left to right, for the head it was
// lifted from, and moves it there; a word whose search finds nothing stays. Words are taken top down. With
// `follow_path` the search descends only along path arcs; without a target label it stops at a word that ends a path.
// O(n) per lifted word.
void unlift(std::span<std::int32_t> heads, std::span<const Mark> marks, bool follow_path);

}  // namespace laconic::corpus
