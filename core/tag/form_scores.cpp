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
    : plan_(plan),
      lexicon_(lexicon),
      table_(table),
      candidates_(candidates),
      columns_(plan),
      words_(lexicon.size()),
      lanes_(table.lanes()),
      answers_(words_),
      prepared_(words_) {
    if (candidates.sets.labels() != table.labels()) throw std::invalid_argument("the candidates are another model's");
    const auto of_the_form = [&](std::uint16_t slot) {
        return plan.slots()[slot].index == 0 && columns_.columns[slot] != features::WordColumns::none;
    };
    if (!table.sparse())
        while (templates_ < std::min(most, plan.size()) && std::ranges::all_of(plan[templates_], of_the_form))
            ++templates_;
    if (templates_ > 0) sums_ = AlignedBytes(words_ * lanes_ * sizeof(std::int16_t));
}

void FormScores::prepare(std::span<const std::uint32_t> words) const {
    learn::Scratch scratch(table_);
    for (const std::uint32_t word : words)
        if (word < words_) prepared_.ensure(word, [&] { sum(word, scratch); });
}

void FormScores::sum(std::size_t word, learn::Scratch& scratch) const {
    const std::uint32_t* row = lexicon_.row(word);
    if (templates_ > 0) {
        scratch.start();
        FormContext context{columns_, row};
        learn::accumulate(table_, plan_, 0, templates_, context, scratch);
        std::ranges::copy(scratch.sums, reinterpret_cast<std::int16_t*>(sums_.data()) + word * lanes_);
    }
    const std::uint32_t set =
        lexicon_.payload_count() == 0 ? features::Lexicon::no_payload : row[columns_.attributes.size()];
    if (set >= candidates_.sets.size()) return;
    const std::span<const Label> likely = candidates_.sets[set];
    const auto depth = static_cast<std::uint32_t>(templates_);
    const learn::Decision decision = likely.size() == 1 ? learn::Decision{likely[0], 0, learn::never}
                                                        : learn::lead(learn::scores_of(table_, scratch), likely, depth);
    answers_[word] = {candidates_.sets.bits(set), decision.margin, decision.label};
}

}  // namespace laconic::tag
