#pragma once
// What a template sees of one word, as a head or as a modifier, whatever the arc.

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

}  // namespace laconic::graph
