#pragma once
// What a template sees of one word, as a head or as a modifier, whatever the arc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "features/plan.hpp"
#include "features/sentence_atoms.hpp"
#include "graph/lanes.hpp"
#include "learn/key.hpp"

namespace laconic::graph {

using features::Atom;

// Where the slots of a plan find their atoms. Throws ConfigError for a slot that reads more than one word.
class WordReader {
public:
    WordReader(const features::Plan& plan, features::AtomColumns& columns) {
        for (const features::Slot& slot : plan.slots()) {
            const std::uint16_t column = columns.add(plan, slot);
            if (column == features::AtomColumns::none || slot.many || slot.steps > 0)
                throw ConfigError("the templates of single words read something that a word does not have");
            sources_.push_back({slot.index, column});
        }
    }

    struct Source {
        std::int16_t index;
        std::uint16_t column;
    };
    [[nodiscard]] const Source& operator[](std::size_t slot) const noexcept { return sources_[slot]; }

private:
    std::vector<Source> sources_;
};

// A word, or the root, which stands before the first.
class WordContext {
public:
    WordContext(const WordReader& reader, const features::SentenceAtoms& words) : reader_(reader), words_(words) {}

    void focus(Node node) noexcept { node_ = node; }
    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept {
        const WordReader::Source& source = reader_[slot];
        const Node node = node_ + source.index;
        const bool there = source.index == 0 || (node > corpus::root && node <= static_cast<Node>(words_.size()));
        return words_[there ? node : corpus::none][source.column];
    }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t) const noexcept { return {}; }

private:
    const WordReader& reader_;
    const features::SentenceAtoms& words_;
    Node node_ = corpus::root;
};
static_assert(learn::Context<WordContext>);

// The keys of the features of words, the same as through a WordContext, for one word after another: the neighbours that
// templates read are found once per word. Serves one thread.
class WordKeys {
public:
    WordKeys(const features::Plan& plan, const WordReader& reader) {
        for (std::size_t t = 0; t < plan.size(); ++t) {
            templates_.push_back({plan.seed(t), terms_.size(), terms_.size() + plan[t].size()});
            for (const std::uint16_t slot : plan[t]) {
                terms_.push_back(reader[slot]);
                lowest_ = std::min(lowest_, Node{reader[slot].index});
                highest_ = std::max(highest_, Node{reader[slot].index});
            }
        }
        for (WordReader::Source& term : terms_) term.index = static_cast<std::int16_t>(term.index - lowest_);
        near_.resize(static_cast<std::size_t>(highest_ - lowest_) + 1);
    }

    void focus(const features::SentenceAtoms& words, Node node) noexcept {
        for (Node index = lowest_; index <= highest_; ++index) {
            const Node other = node + index;
            const bool there = index == 0 || (other > corpus::root && other <= static_cast<Node>(words.size()));
            near_[static_cast<std::size_t>(index - lowest_)] = words[there ? other : corpus::none];
        }
    }
    // The key of a template; false if an atom is unknown.
    [[nodiscard]] bool key(std::size_t index, std::uint64_t& key) const noexcept {
        const Template& own = templates_[index];
        key = own.seed;
        bool known = true;
        for (std::size_t i = own.first; i < own.last; ++i) {
            const Atom value = near_[static_cast<std::size_t>(terms_[i].index)][terms_[i].column];
            known = known && value != features::unknown;
            key = mix(key, value);
        }
        key = learn::finish(key);
        return known;
    }
    [[nodiscard]] std::size_t size() const noexcept { return templates_.size(); }

private:
    struct Template {
        std::uint64_t seed;
        std::size_t first, last;  // of its terms
    };

    std::vector<Template> templates_;
    std::vector<WordReader::Source> terms_;
    Node lowest_ = 0, highest_ = 0;
    std::vector<const Atom*> near_;
};

}  // namespace laconic::graph
