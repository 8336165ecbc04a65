#pragma once
// The length dictionary: how long an arc between two tags may be. What is longer than anything seen in training is no
// candidate (he2013, section 3).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/plan.hpp"
#include "graph/lanes.hpp"

namespace laconic::graph {

using features::Atom;

class Lengths {
public:
    static constexpr std::uint8_t unlimited = 255;
    static constexpr std::size_t most_tags = 1024;  // a treebank with more fine tags has limits of coarse ones only

    // Limits by pairs of tags and direction. Tags are atoms in ascending order; a limit of 0 means that no such arc is
    // a candidate.
    struct Arrays {
        std::vector<Atom> fine, coarse;         // XPOS, UPOS
        std::vector<std::uint8_t> fine_limits;  // [head][modifier][direction]
        std::vector<std::uint8_t> coarse_limits;
        std::vector<std::uint8_t> roots;  // by coarse tag: may it stand under the root
    };

    // The longest arc of each pair in these trees, one head per word of the document. A pair of fine tags seen fewer
    // than `minimum` times has no limit of its own, nor has a pair of coarse ones of which one was seen so rarely.
    [[nodiscard]] static Lengths learn(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                                       std::span<const std::uint32_t> sentences, std::uint32_t minimum);
    // No limits at all.
    Lengths() : Lengths(Arrays{}) {}
    // Throws ModelError unless all fit together.
    explicit Lengths(Arrays arrays);

    // A word's tags as numbers; those that training did not show have one number, which limits nothing.
    struct Tags {
        std::uint16_t fine = 0, coarse = 0;
    };
    [[nodiscard]] Tags tags(Atom fine, Atom coarse) const noexcept {
        return {number(arrays_.fine, fine), number(arrays_.coarse, coarse)};
    }
    // The limits of arcs to a modifier, whatever the head.
    class ToModifier {
    public:
        ToModifier(const Lengths& lengths, Tags modifier) noexcept
            : lengths_(lengths),
              fine_(lengths.fine_.data() + std::size_t{modifier.fine} * 2),
              coarse_(lengths.coarse_.data() + std::size_t{modifier.coarse} * 2) {}
        // Is the arc from a head a candidate? Without a branch: the processor would guess wrong.
        [[nodiscard]] bool alive(Tags head, bool right, std::size_t distance) const noexcept {
            const std::size_t direction = right ? 1 : 0;
            return within(fine_[head.fine * lengths_.fine_stride_ + direction], distance) &
                   within(coarse_[head.coarse * lengths_.coarse_stride_ + direction], distance);
        }

    private:
        static bool within(std::uint8_t limit, std::size_t distance) noexcept {
            return (distance <= limit) | (limit == unlimited);
        }
        const Lengths& lengths_;
        const std::uint8_t *fine_, *coarse_;
    };
    [[nodiscard]] bool alive(Tags head, Tags modifier, bool right, std::size_t distance) const noexcept {
        return ToModifier(*this, modifier).alive(head, right, distance);
    }
    [[nodiscard]] bool alive_under_root(Tags modifier) const noexcept {
        return modifier.coarse >= arrays_.roots.size() || arrays_.roots[modifier.coarse] != 0;
    }
    [[nodiscard]] const Arrays& arrays() const noexcept { return arrays_; }

private:
    [[nodiscard]] static std::uint16_t number(const std::vector<Atom>& known, Atom tag) noexcept;
    Arrays arrays_;
    // The limits once more, with a row and a column without limits for tags that training did not show.
    std::vector<std::uint8_t> fine_, coarse_;
    std::size_t fine_stride_ = 0, coarse_stride_ = 0;  // from head to head
};

}  // namespace laconic::graph
