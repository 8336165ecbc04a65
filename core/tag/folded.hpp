#pragma once
// What the form of a word says, summed before any text is seen. Templates at the head of a list that read nothing but
// the word in focus give each word of the lexicon the same rows wherever it stands: their sum is one row, found by the
// number of the word. Scores are those of the single templates to the last bit.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "learn/table.hpp"

namespace laconic::tag {

class Folded {
public:
    // Folds nothing in a sparse table, where a sum would not be sparse. Cost: words x templates folded, once.
    Folded(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table);

    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }
    // The sums of a word of the lexicon, as many as the table has lanes.
    [[nodiscard]] std::span<const std::int16_t> operator[](std::size_t word) const noexcept {
        return {reinterpret_cast<const std::int16_t*>(sums_.data()) + word * lanes_, lanes_};
    }

private:
    std::size_t templates_ = 0, words_, lanes_;
    AlignedBytes sums_;
};

}  // namespace laconic::tag
