#pragma once
// What the form of a word says, summed once, when the word is first met in any text. Templates at the head of a list
// that read nothing but the word in focus give each word of the lexicon the same rows wherever it stands: their sum is
// one row, found by the number of the word. Scores are those of the single templates to the last bit. So is what they
// say of the candidates, where these follow from the word alone: a word about which its form says enough costs one
// look-up and no sum.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "base/on_demand.hpp"
#include "features/lexicon.hpp"
#include "features/plan.hpp"
#include "learn/linear.hpp"
#include "tag/candidates.hpp"

namespace laconic::tag {

class FormScores {
public:
    // Sums at most so many templates, and none in a sparse table, where a sum would not be sparse. Keeps all but the
    // number, which must outlive this.
    FormScores(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
               const Candidates& candidates, std::size_t most);

    // Sums the templates of those of the words that are in the lexicon and were never asked for before. Any number of
    // threads may.
    void prepare(std::span<const std::uint32_t> words) const;

    // What is known of a word of the lexicon without its neighbours, once it is prepared.
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
    void sum(std::size_t word, learn::Scratch& scratch) const;

    const features::Plan& plan_;
    const features::Lexicon& lexicon_;
    const learn::Table& table_;
    const Candidates& candidates_;
    features::WordColumns columns_;
    std::size_t templates_ = 0, words_, lanes_;
    mutable AlignedBytes sums_;
    mutable std::vector<Answer> answers_;
    OnDemand prepared_;
};

}  // namespace laconic::tag
