#pragma once
// A linear graph parser but for its weights: how arcs are read, which are candidates, where groups of templates end.

#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "graph/arc_reader.hpp"
#include "graph/bits.hpp"
#include "graph/lengths.hpp"

namespace laconic::graph {

struct ArcModel {
    const features::Plan& plan;
    const features::Lexicon& lexicon;
    const Lengths& lengths;
    corpus::Field pos;
    std::vector<std::uint32_t> groups;  // the depth behind each group of templates; the last is all of them
};

// Which heads the length dictionary leaves to the words of a sentence.
class Candidates {
public:
    Candidates(const Lengths& lengths, const ArcReader& reader) : lengths_(lengths), reader_(reader) {}

    void enter(const ArcContext& context) {
        tags_.clear();
        for (Node word = 1; word <= context.size(); ++word)
            tags_.push_back(lengths_.tags(context.atom(word, reader_.fine()), context.atom(word, reader_.coarse())));
    }
    [[nodiscard]] bool alive(Node head, Node modifier) const noexcept {
        const Lengths::Tags own = tags_[static_cast<std::size_t>(modifier) - 1];
        if (head == corpus::root) return lengths_.alive_under_root(own);
        return lengths_.alive(tags_[static_cast<std::size_t>(head) - 1], own, modifier > head,
                              static_cast<std::size_t>(modifier > head ? modifier - head : head - modifier));
    }
    // Marks the heads of a word, by node; all others where the dictionary leaves none.
    void mark(Node modifier, Bits heads) const {
        std::ranges::fill(heads, 0);
        const auto words = static_cast<Node>(tags_.size());
        const Lengths::Tags own = tags_[static_cast<std::size_t>(modifier) - 1];
        bool any = lengths_.alive_under_root(own);
        if (any) set_bit(heads, 0);
        const Lengths::ToModifier limits(lengths_, own);
        for (Node head = 1; head <= words; ++head) {
            const auto distance = static_cast<std::size_t>(modifier > head ? modifier - head : head - modifier);
            const bool kept =
                (distance > 0) & limits.alive(tags_[static_cast<std::size_t>(head) - 1], modifier > head, distance);
            const auto at = static_cast<std::size_t>(head);
            heads[at / bits_per_word] |= std::uint64_t{kept} << (at % bits_per_word);
            any |= kept;
        }
        if (any) return;
        set_range(heads, 0, static_cast<std::size_t>(words) + 1);
        clear_bit(heads, static_cast<std::size_t>(modifier));
    }
    // The heads of a word in ascending order; all others where the dictionary leaves none.
    void heads(Node modifier, std::vector<Node>& found) const {
        found.clear();
        const auto words = static_cast<Node>(tags_.size());
        for (Node head = 0; head <= words; ++head)
            if (head != modifier && alive(head, modifier)) found.push_back(head);
        if (!found.empty()) return;
        for (Node head = 0; head <= words; ++head)
            if (head != modifier) found.push_back(head);
    }

private:
    const Lengths& lengths_;
    const ArcReader& reader_;
    std::vector<Lengths::Tags> tags_;
};

}  // namespace laconic::graph
