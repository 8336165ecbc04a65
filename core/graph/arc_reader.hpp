#pragma once
// What a template of the kind `candidate` sees of a possible arc, or of an arc and the next sibling of its modifier.
// The key of a feature is folded from one part per word: each part is computed once per word and template, and an arc
// costs one more fold.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "features/rows.hpp"
#include "features/sentence_atoms.hpp"
#include "graph/lanes.hpp"
#include "learn/key.hpp"

namespace laconic::graph {

using features::Atom;

// BETWEEN shows at most so many words, those nearest to the modifier.
inline constexpr Node most_between = 48;

// The part of a key where an atom is unknown: the template has no feature then.
inline constexpr std::uint64_t no_part = 0;

// The templates of a plan, each taken apart by the words that it reads. Throws ConfigError for a slot that no graph
// parser can fill.
class ArcReader {
public:
    ArcReader(const features::Plan& plan, std::span<const features::WordAttribute> words, corpus::Field pos);

    enum Place : std::uint8_t { head, modifier, sibling };
    struct Term {
        std::int16_t index;
        std::uint16_t column;
    };
    enum class Relation : std::uint8_t { distance, direction, sibling_distance, sibling_direction, gap };
    struct Parts {
        std::uint64_t seed = 0;
        std::array<std::vector<Term>, 3> terms;  // by place
        std::vector<Relation> relations;
        std::vector<std::uint16_t> between;  // columns
        [[nodiscard]] bool reads(Place place) const noexcept { return !terms[place].empty(); }
        // Is it a matter of one word and of the lane alone?
        [[nodiscard]] bool only(Place place) const noexcept {
            for (const Place other : {head, modifier, sibling})
                if (other != place && reads(other)) return false;
            return reads(place) && relations.empty() && between.empty();
        }
        // What the part of a place starts from.
        [[nodiscard]] std::uint64_t seed_of(Place place) const noexcept {
            return place == head ? seed : scramble(place);
        }
        [[nodiscard]] bool second_order() const noexcept { return reads_sibling; }
        bool reads_sibling = false;
    };
    [[nodiscard]] const std::vector<Parts>& templates() const noexcept { return templates_; }
    [[nodiscard]] const features::AtomColumns& columns() const noexcept { return columns_; }
    [[nodiscard]] std::uint16_t fine() const noexcept { return fine_; }      // the column of XPOS
    [[nodiscard]] std::uint16_t coarse() const noexcept { return coarse_; }  // the column of UPOS

private:
    features::AtomColumns columns_;
    std::uint16_t fine_, coarse_;
    std::vector<Parts> templates_;
};

// The possible arcs of a batch, sentence after sentence.
class ArcContext {
public:
    ArcContext(const ArcReader& reader, const features::WordRows& rows, const corpus::Columns& columns)
        : reader_(reader), words_(reader.columns(), rows, columns) {}

    void enter(std::size_t sentence) { words_.enter(sentence); }
    [[nodiscard]] Node size() const noexcept { return static_cast<Node>(words_.size()); }
    [[nodiscard]] const ArcReader& reader() const noexcept { return reader_; }
    [[nodiscard]] Atom atom(Node node, std::size_t column) const noexcept { return words_[node][column]; }
    [[nodiscard]] const features::SentenceAtoms& words() const noexcept { return words_; }

    // The part of a key that one word gives, `no_part` if an atom of it is unknown.
    [[nodiscard]] std::uint64_t part(std::size_t index, ArcReader::Place place, Node node) const noexcept {
        const ArcReader::Parts& parts = reader_.templates()[index];
        std::uint64_t key = parts.seed_of(place);
        for (const ArcReader::Term term : parts.terms[place]) {
            const Atom value = words_[near(node, term.index)][term.column];
            if (value == features::unknown) return no_part;
            key = mix(key, value);
        }
        return key == no_part ? 1 : key;
    }
    // Calls visit(key) for each feature of a template, given what head, modifier and sibling give; for templates of
    // second order `sibling` is the next modifier towards the head, none if there is none.
    template <class Visit>
    void join(std::size_t index, std::uint64_t of_head, std::uint64_t of_modifier, std::uint64_t of_sibling, Node head,
              Node modifier, Node sibling, Visit&& visit) const {
        if (of_head == no_part || of_modifier == no_part) return;
        const ArcReader::Parts& parts = reader_.templates()[index];
        std::uint64_t key = mix(of_head, of_modifier);
        for (const ArcReader::Relation relation : parts.relations)
            key = mix(key, value(relation, head, modifier, sibling));
        if (parts.reads(ArcReader::sibling)) {
            if (of_sibling == no_part) return;
            key = mix(key, of_sibling);
        }
        if (parts.between.empty()) return visit(learn::finish(key));
        const Node step = head < modifier ? -1 : 1;
        const Node count = std::min<Node>((head - modifier) * step - 1, most_between);
        if (parts.between.size() == 1) {
            for (Node i = 1; i <= count; ++i) {
                const Atom word = words_[modifier + i * step][parts.between[0]];
                if (word != features::unknown) visit(learn::finish(mix(key, word)));
            }
            return;
        }
        const auto descend = [&](auto&& self, std::size_t depth, std::uint64_t prefix) -> void {
            if (depth == parts.between.size()) return visit(learn::finish(prefix));
            for (Node i = 1; i <= count; ++i) {
                const Atom word = words_[modifier + i * step][parts.between[depth]];
                if (word != features::unknown) self(self, depth + 1, mix(prefix, word));
            }
        };
        descend(descend, 0, key);
    }
    template <class Visit>
    void visit_keys(std::size_t index, Node head, Node modifier, Node sibling, Visit&& visit) const {
        join(index, part(index, ArcReader::head, head), part(index, ArcReader::modifier, modifier),
             part(index, ArcReader::sibling, sibling), head, modifier, sibling, visit);
    }

private:
    [[nodiscard]] Node near(Node node, Node index) const noexcept {
        if (index == 0 || node == corpus::none) return node;
        const Node found = node + index;
        return found > corpus::root && found <= size() ? found : corpus::none;
    }
    [[nodiscard]] static Atom value(ArcReader::Relation relation, Node head, Node modifier, Node sibling) noexcept;

    const ArcReader& reader_;
    features::SentenceAtoms words_;
};

// What words give to the keys of some templates in one place: the same as ArcContext::part, all templates of a word
// together, so that the neighbours that they read are found once. Serves one thread.
class WordParts {
public:
    WordParts(const ArcReader& reader, std::span<const std::uint16_t> templates, ArcReader::Place place);

    [[nodiscard]] std::size_t size() const noexcept { return templates_.size(); }
    // Writes a part for each of the templates.
    void read(const features::SentenceAtoms& words, Node node, std::uint64_t* parts) noexcept {
        for (Node index = lowest_; index <= highest_; ++index) {
            Node other = node;
            if (index != 0 && node != corpus::none) {
                other = node + index;
                if (other <= corpus::root || other > static_cast<Node>(words.size())) other = corpus::none;
            }
            near_[static_cast<std::size_t>(index - lowest_)] = words[other];
        }
        const ArcReader::Term* term = terms_.data();
        for (const Template& own : templates_) {
            std::uint64_t key = own.seed;
            bool known = true;
            for (const ArcReader::Term* end = term + own.terms; term != end; ++term) {
                const Atom value = near_[static_cast<std::size_t>(term->index)][term->column];
                known = known && value != features::unknown;
                key = mix(key, value);
            }
            *parts++ = !known ? no_part : key == no_part ? 1 : key;
        }
    }

private:
    struct Template {
        std::uint64_t seed;
        std::size_t terms;
    };

    std::vector<Template> templates_;
    std::vector<ArcReader::Term> terms_;  // of one template after another; indices from the lowest on
    Node lowest_ = 0, highest_ = 0;
    std::vector<const Atom*> near_;
};

}  // namespace laconic::graph
