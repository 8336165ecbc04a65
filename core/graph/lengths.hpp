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
    // Is the arc from one word to another a candidate?
    [[nodiscard]] bool alive(Tags head, Tags modifier, bool right, std::size_t distance) const noexcept {
        return distance <= limit(arrays_.fine_limits, arrays_.fine.size(), head.fine, modifier.fine, right) &&
               distance <= limit(arrays_.coarse_limits, arrays_.coarse.size(), head.coarse, modifier.coarse, right);
    }
    [[nodiscard]] bool alive_under_root(Tags modifier) const noexcept {
        return modifier.coarse >= arrays_.roots.size() || arrays_.roots[modifier.coarse] != 0;
    }
    [[nodiscard]] const Arrays& arrays() const noexcept { return arrays_; }

private:
    [[nodiscard]] static std::uint16_t number(const std::vector<Atom>& known, Atom tag) noexcept;
    [[nodiscard]] static std::size_t limit(const std::vector<std::uint8_t>& limits, std::size_t count, std::size_t head,
                                           std::size_t modifier, bool right) noexcept {
        if (head >= count || modifier >= count) return ~std::size_t{0};
        const std::uint8_t found = limits[(head * count + modifier) * 2 + (right ? 1 : 0)];
        return found == unlimited ? ~std::size_t{0} : found;
    }

    Arrays arrays_;
};

}  // namespace laconic::graph
