#include "tag/form_scores.hpp"

#include <algorithm>
#include <stdexcept>

#include "learn/decide.hpp"

namespace laconic::tag {

namespace {

// Reads the columns of one row of a lexicon.
struct FormContext {
    const features::WordColumns& columns;
    const std::uint32_t* row;

    [[nodiscard]] features::Atom atom(std::uint16_t slot) const noexcept {
        return row[static_cast<std::size_t>(columns.columns[slot])];
    }
    [[nodiscard]] std::span<const features::Atom> atoms(std::uint16_t) const noexcept { return {}; }
};

}  // namespace

FormScores::FormScores(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
                       const Candidates& candidates, std::size_t most)
    : words_(lexicon.size()), lanes_(table.lanes()), answers_(words_) {
    if (candidates.sets.labels() != table.labels()) throw std::invalid_argument("the candidates are another model's");
    const features::WordColumns columns(plan);
    const auto of_the_form = [&](std::uint16_t slot) {
        return plan.slots()[slot].index == 0 && columns.columns[slot] != features::WordColumns::none;
    };
    if (!table.sparse())
        while (templates_ < std::min(most, plan.size()) && std::ranges::all_of(plan[templates_], of_the_form))
            ++templates_;
    if (templates_ > 0) sums_ = AlignedBytes(words_ * lanes_ * sizeof(std::int16_t));
    const std::size_t payload = lexicon.attributes().size();
    learn::Scratch scratch(table);
    for (std::size_t word = 0; word < words_; ++word) {
        const std::uint32_t* row = lexicon.row(word);
        if (templates_ > 0) {
            scratch.start();
            FormContext context{columns, row};
            learn::accumulate(table, plan, 0, templates_, context, scratch);
            std::ranges::copy(scratch.sums, reinterpret_cast<std::int16_t*>(sums_.data()) + word * lanes_);
        }
        if (lexicon.payload_count() == 0 || row[payload] >= candidates.sets.size()) continue;
        const std::span<const Label> likely = candidates.sets[row[payload]];
        const auto depth = static_cast<std::uint32_t>(templates_);
        const learn::Decision decision = likely.size() == 1
                                             ? learn::Decision{likely[0], 0, learn::never}
                                             : learn::lead(learn::scores_of(table, scratch), likely, depth);
        answers_[word] = {candidates.sets.bits(row[payload]), decision.margin, decision.label};
    }
}

}  // namespace laconic::tag
