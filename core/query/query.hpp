#pragma once
// A pattern over dependency trees, and the words that match it.
//
// For every part of a pattern the set of words that satisfy it is computed, sentence by sentence, from the inside out:
// the words with these attributes, then the words that stand in a relation to one of those, and so on. Each step is
// linear in the sentence. Only where parts have names are matches enumerated, within these sets.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/tree.hpp"
#include "query/regex.hpp"

namespace laconic::query {

// What of a word is looked at. A value that is not there equals "_" and nothing else.
enum class Source : std::uint8_t {
    form,
    lemma,
    upos,
    xpos,
    feats,
    deprel,
    deps,
    misc,
    lower,   // the form in lower case
    id,      // the number in the sentence
    entity,  // the label of the entity that the word is in
    root,    // "root" of the words without a head
};

enum class Presence : std::uint8_t { must, must_not, may };  // `may`: there with this value, or not there

struct Test {
    Source source = Source::form;
    std::string key;  // of an entry of FEATS or MISC; empty: the whole column
    Presence presence = Presence::must;
    std::vector<std::string> values;  // equal to one of these; none: any value
    std::int32_t regex = -1;          // or matched by this one
};

// How a word (A) stands to another (B). Where a label is given it is that of the word that depends.
enum class Relation : std::uint8_t {
    depends,       // A < B: B is the head of A
    governs,       // A > B
    below,         // A << B: B is above A; the label is that of A
    above,         // A >> B; the label is that of B
    linked,        // A <> B: one is the head of the other
    same,          // A == B
    next,          // A . B: B is the next word
    previous,      // A - B
    before,        // A .. B: B comes later
    after,         // A -- B
    next_sibling,  // A $+ B: the same head, and B is the next word
    previous_sibling,
    later_sibling,  // A $++ B
    earlier_sibling,
    head_right,  // A <++ B: B is the head of A and comes later
    head_left,
    child_right,  // A >++ B
    child_left,
    head_next,  // A <+ B: B is the head of A and the next word
    head_previous,
    child_next,  // A >+ B
    child_previous,
};

struct Expression {
    enum class Kind : std::uint8_t { relation, all, any, negated, optional };

    Kind kind = Kind::all;
    std::vector<std::uint32_t> parts;  // expressions
    Relation relation = Relation::depends;
    std::int32_t label = -1;                     // a test of DEPREL
    std::uint32_t node = 0;                      // that the relation leads to
    std::uint32_t least = 1, most = 0xffffffff;  // arcs on the way, of chains
    bool named = false;                          // something in it has a name
    std::int32_t name = -1;                      // of the arc that the relation goes along
    bool same_arc = false;  // where the name comes again it is the same arc, otherwise one with the same label
};

struct Node {
    std::vector<std::uint32_t> tests;
    bool negated = false;
    std::int32_t name = -1;
    std::int32_t expression = -1;
    bool named = false;
};

struct Pattern {
    std::vector<Regex> regexes;
    std::vector<Test> tests;
    std::vector<Expression> expressions;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> parts;  // nodes: all must be found; the first is the word that a match is about
    std::uint32_t names = 0;
};

inline constexpr std::size_t most_matches = 1'000'000;  // of one sentence

// Matches in the order of their words: the word of the first node, then that of each name (-1: not bound), as indices
// of the document. An arc is the word that depends, of a chain the lowest. Each combination comes once. Throws
// InputError where a sentence has more than `most_matches`.
[[nodiscard]] std::vector<std::int32_t> find(const Pattern& pattern, const corpus::Columns& columns);

}  // namespace laconic::query
