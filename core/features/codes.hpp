#pragma once
// The words of the template language as numbers. They are defined here only: Python reads the tables through the
// bindings. Models store templates as text, so the numbers may change from version to version.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace laconic::features {

enum class Attribute : std::uint8_t {
    // of a word's form
    lex,
    lower,
    prefix,
    suffix,
    shape,
    digit,
    hyphen,
    casing,
    punct,
    script,
    ambiguity,
    dict,
    cluster,
    // columns of a document
    lemma,
    upos,
    xpos,
    pos,
    feats,
    feat,
    morph,
    dep,
    entity,
    // of the state of a task
    tag,
    seen,
    distance,
    direction,
    valency,
    lvalency,
    rvalency,
    history,
    // of a character, and of a text around it
    character,
    cls,
    length,
    word_casing,
    gap,
    quote,
    bracket
};
inline constexpr std::array<std::string_view, 37> attribute_names{
    "LEX",       "LOWER",  "PREFIX",  "SUFFIX", "SHAPE",    "DIGIT",     "HYPHEN",  "CASE",     "PUNCT",    "SCRIPT",
    "AMBIGUITY", "DICT",   "CLUSTER", "LEMMA",  "UPOS",     "XPOS",      "POS",     "FEATS",    "FEAT",     "MORPH",
    "DEP",       "ENTITY", "TAG",     "SEEN",   "DISTANCE", "DIRECTION", "VALENCY", "LVALENCY", "RVALENCY", "HISTORY",
    "CHAR",      "CLASS",  "LENGTH",  "HABIT",  "GAP",      "QUOTE",     "BRACKET"};
static_assert(attribute_names.size() == static_cast<std::size_t>(Attribute::bracket) + 1);

enum class Node : std::uint8_t {
    token,
    stack,
    queue,
    state,
    focus,
    character,
    head,
    mod,
    grand,
    sib,
    between,
    chunk,
    rest,
    ahead
};
inline constexpr std::array<std::string_view, 14> node_names{"TOKEN",   "STACK", "QUEUE", "STATE", "FOCUS",
                                                             "CHAR",    "HEAD",  "MOD",   "GRAND", "SIB",
                                                             "BETWEEN", "CHUNK", "REST",  "AHEAD"};
static_assert(node_names.size() == static_cast<std::size_t>(Node::ahead) + 1);

// `children` is written around an address, CHILDREN(STACK0), and is the last step of its path.
enum class Step : std::uint8_t { h, lc, rc, lc2, rc2, fc, ec, fc2, ec2, ls, rs, pw, fw, children };
inline constexpr std::array<std::string_view, 14> step_names{"h",   "lc",  "rc", "lc2", "rc2", "fc", "ec",
                                                             "fc2", "ec2", "ls", "rs",  "pw",  "fw", "CHILDREN"};
static_assert(step_names.size() == static_cast<std::size_t>(Step::children) + 1);

// How far the templates of a segmenter look from the character in focus: characters before and behind it, and decisions
// before it.
inline constexpr int characters_before = 32;
inline constexpr int characters_behind = 39;
inline constexpr int decisions_before = 8;

// Does the attribute depend on nothing but the form of a word (and frozen tables)?
constexpr bool word_level(Attribute attribute) noexcept {
    return attribute <= Attribute::cluster;
}

}  // namespace laconic::features
