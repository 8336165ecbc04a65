#pragma once
// What the form of a word says, summed before any text is seen. Templates at the head of a list that read nothing but
// the word in focus give each word of the lexicon the same rows wherever it stands: their sum is one row, found by the
// number of the word. Scores are those of the single templates to the last bit. So is what they say of the candidates,
// where these follow from the word alone: a word about which its form says enough costs one look-up and no sum.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "learn/table.hpp"
#include "tag/candidates.hpp"

namespace laconic::tag {

class FormScores {
public:
    // Sums at most so many templates, and none in a sparse table, where a sum would not be sparse. Cost: words x
    // templates summed, once.
    FormScores(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
               const Candidates& candidates, std::size_t most);

    // What is known of a word of the lexicon before any text is seen.
    struct Answer {
        std::uint64_t bits = 0;   // of its candidates; 0 if these depend on more than the word
        std::int32_t margin = 0;  // by which the label leads after the summed templates; `never` if it is the only one
        Label label = 0;
    };

    [[nodiscard]] std::size_t templates() const noexcept { return templates_; }
    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    [[nodiscard]] const Answer& answer(std::size_t word) const noexcept { return answers_[word]; }
    // The sums of a word of the lexicon, as many as the table has lanes.
    [[nodiscard]] std::span<const std::int16_t> operator[](std::size_t word) const noexcept {
        return {reinterpret_cast<const std::int16_t*>(sums_.data()) + word * lanes_, lanes_};
    }

private:
    std::size_t templates_ = 0, words_, lanes_;
    AlignedBytes sums_;
    std::vector<Answer> answers_;
};

}  // namespace laconic::tag
