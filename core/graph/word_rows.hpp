#pragma once
// The hidden rows of the words of a document, as heads and as modifiers.
//
// Templates of the same attributes at neighbouring places, seen from different words and in both roles, are one
// *pattern*: what stands at a place is looked at once, and the rows that it gives to all words that see it are looked
// up once for each value that a document has. Tags and forms come again and again, so that most words cost no look-up.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "corpus/form_types.hpp"
#include "features/plan.hpp"
#include "features/sentence_atoms.hpp"
#include "graph/lanes.hpp"
#include "graph/word_reader.hpp"
#include "learn/hidden.hpp"

namespace laconic::graph {

enum Role : std::uint8_t { as_head, as_modifier };
inline constexpr std::size_t roles = 2;

// Serves one thread.
class WordRowLists {
public:
    // Of one role. Nothing is kept but the table, which must outlive this.
    struct Source {
        const features::Plan& plan;
        const WordReader& reader;
        const learn::HiddenTable& table;
    };
    // The readers share their columns. The atoms and the types must be those of one document, and the atoms outlive
    // this.
    WordRowLists(const std::array<Source, roles>& sources, const features::AtomColumns& columns,
                 const features::SentenceAtoms& words, const corpus::FormTypes& types);

    WordRowLists(const WordRowLists&) = delete;
    WordRowLists& operator=(const WordRowLists&) = delete;

    // The sentence that `words` has; `types` are those of its words.
    void enter(std::span<const std::uint32_t> types);
    // The rows of a word, or of the root as a head.
    [[nodiscard]] std::span<const std::int8_t* const> rows(Role role, Node node) const noexcept {
        const std::size_t at = static_cast<std::size_t>(node) * roles + role;
        return {list_.data() + begins_[at], begins_[at + 1] - begins_[at]};
    }

private:
    struct Place {
        std::int16_t index;  // from the first place of the pattern
        std::uint16_t column;
        bool operator==(const Place&) const = default;
    };
    // One template, by what it reads of the places of its pattern.
    struct Template {
        std::uint64_t seed;
        std::vector<std::size_t> places;
    };
    // A run of templates of which one row may stand for all (HiddenTable::merged), at one distance from the word.
    struct Run {
        Role role;
        std::size_t first;
        Node shift;  // of the first place from the word
        bool sees_word;
        std::size_t pattern, number;  // its place among the runs of its pattern
        std::size_t number_in_role;
        std::vector<Template> templates;
    };
    // The rows of one value: none, the number of one + 1, or, from `several` on, a place among the lists of more.
    using Found = std::uint32_t;
    static constexpr Found none = 0, several = 1U << 31U;
    struct Pattern {
        std::vector<Place> places;
        bool of_form;  // values are types of the document, else those in `values`
        std::vector<std::pair<Role, std::size_t>> runs{};
        Node lowest = 0, highest = 0;                                   // shifts of these
        std::vector<std::pair<std::uint64_t, std::uint32_t>> values{};  // open addressing: key, place in `found` + 1
        std::uint32_t size = 0;
        std::vector<std::uint8_t> known{};  // of form: by type, whether it was looked up
        std::vector<Found> found{};         // by value and run
        std::vector<std::uint32_t> at{};    // by place in the sentence: where the rows of its value begin
    };

    void add_run(Role role, const Source& source, const features::AtomColumns& columns, std::size_t first);
    // The key of the first template of a run.
    struct Key {
        std::uint64_t key = 0;
        bool known = false;  // are all of its atoms?
    };
    // A value whose rows are not looked up yet.
    struct Pending {
        Pattern* pattern;
        std::uint32_t begin;  // of what is found
        const Atom* const* atoms;
    };
    // Where the rows of what stands here begin; `atoms` are those of the places, by index. They are there behind the
    // next look_up().
    [[nodiscard]] std::uint32_t value(Pattern& pattern, std::uint64_t key, const Atom* const* atoms);
    [[nodiscard]] std::uint32_t form(Pattern& pattern, std::size_t type, const Atom* const* atoms);
    [[nodiscard]] static std::uint64_t key_of(const Pattern& pattern, const Atom* const* atoms);
    // The slots of a value's features are on their way before any is looked at.
    void announce(Pattern& pattern, std::uint32_t begin, const Atom* const* atoms);
    void look_up();
    [[nodiscard]] Found look_up(const Pattern& pattern, const Run& run, const Atom* const* atoms, const Key& first);
    // The key of a template of a run; false if an atom is unknown.
    [[nodiscard]] static bool key_of(const Pattern& pattern, const Run& run, std::size_t index,
                                     const Atom* const* atoms, std::uint64_t& key);
    // Appends the rows of a word behind `next`, and tells where they end.
    const std::int8_t** list(Role role, Node node, const std::int8_t** next) const noexcept;
    static void grow(Pattern& pattern);

    const features::SentenceAtoms& words_;
    std::size_t types_;
    std::array<const learn::HiddenTable*, roles> tables_;
    std::array<std::vector<Run>, roles> runs_;
    std::vector<Pattern> patterns_;
    Node reach_ = 0;                 // the farthest place from a word
    std::vector<const Atom*> near_;  // by place in the sentence, from -reach on
    std::vector<const Atom*> of_root_;
    std::vector<std::uint32_t> more_;  // lists of numbers, each behind its length
    std::vector<Pending> pending_;
    std::vector<Key> keys_;               // of these, one a run
    std::vector<std::uint64_t> here_;     // keys of one pattern, by place in the sentence
    std::vector<std::uint32_t> at_root_;  // by run of heads that sees the root: where the rows of its value begin
    std::size_t most_ = 0;                // rows of a word in one role
    std::vector<std::size_t> begins_;     // by node and role: of its rows in the list
    std::vector<const std::int8_t*> list_;
};

}  // namespace laconic::graph
