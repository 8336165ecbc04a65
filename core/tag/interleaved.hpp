#pragma once
// Several sentences side by side. A decision waits for rows from memory, and the next word for the decision: while one
// sentence waits, others go on. Sentences know nothing of each other, so the answers are those of one after another.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "learn/decide.hpp"
#include "tag/candidates.hpp"
#include "tag/context.hpp"
#include "tag/form_scores.hpp"
#include "tag/tagger.hpp"

namespace laconic::tag {

class InterleavedSentences {
public:
    InterleavedSentences(const Model& model, const learn::Table& table, const FormScores& form_scores,
                         std::span<const learn::Exit> exits, const TokenBatch& batch, const Chooser& choose,
                         bool scores)
        : model_(model), table_(table), form_scores_(form_scores), exits_(exits), batch_(batch), choose_(choose) {
        // Sums of forms cannot be taken apart: an exit before their end needs the single templates.
        start_ = exits.empty() || exits.front().depth < form_scores.templates()
                     ? 0
                     : static_cast<std::uint32_t>(form_scores.templates());
        bits_ = learn::has_bits(table) && model.candidates.evidence.empty();
        // An answer has no scores, and none is known beyond the labels that have bits.
        answers_ = bits_ && !scores;
        if (answers_ && start_ > 0 && exits.size() > 1 && exits.front().depth == start_) sure_ = exits.front().margin;
    }

    // Calls done(word, decision, candidates, scratch) once a word is decided, which it is at once if there is no
    // choice. Without `scores` neither candidates nor scratch mean anything to `done`. Returns the cache lines read.
    template <class Done>
    std::uint64_t run(Done&& done) {
        const corpus::Columns& columns = batch_.columns();
        std::size_t next = 0;
        const auto enter = [&](ActiveSentence& sentence) {
            if (next == columns.sentence_count()) return false;
            sentence.begin = sentence.word = columns.sentences[next];
            sentence.end = columns.sentences[++next];
            sentence.context.enter(sentence.begin, sentence.end);
            for (std::size_t word = sentence.begin; word < std::min(sentence.begin + ahead, sentence.end); ++word)
                fetch(word);
            return true;
        };
        std::vector<ActiveSentence> active;
        active.reserve(count);
        for (std::size_t i = 0; i < std::min(count, columns.sentence_count()); ++i) {
            active.emplace_back(batch_, table_);
            enter(active.back());
        }
        std::uint64_t rows = 0;
        while (!active.empty()) {
            // First all that is to be computed, then all that depends on it: a wrong guess of the processor at the one
            // must not hold up the other.
            for (ActiveSentence& sentence : active)
                if (sentence.deciding) compute_lead(sentence);
            for (std::size_t i = 0; i < active.size();) {
                if (advance(active[i], done) || enter(active[i])) {
                    ++i;
                    continue;
                }
                rows += active[i].scratch.rows_read;
                if (i + 1 < active.size()) active[i] = std::move(active.back());
                active.pop_back();
            }
        }
        return rows;
    }

private:
    static constexpr std::size_t count = 8;

    struct ActiveSentence {
        ActiveSentence(const TokenBatch& batch, const learn::Table& table) : context(batch), scratch(table) {}

        TokenContext context;
        learn::Scratch scratch;
        std::size_t begin = 0, word = 0, end = 0;
        Chooser::Fitting likely{};
        std::vector<Label> fitting{};  // candidates, where some did not fit the word
        std::size_t exit = 0;
        learn::Decision decision{};
        bool deciding = false;
    };

    [[nodiscard]] std::uint32_t depth(const ActiveSentence& sentence) const noexcept {
        return exits_.empty() ? 0 : exits_[sentence.exit].depth;
    }

    // Adds the rows that a decision waits for, and finds the best label and its lead.
    void compute_lead(ActiveSentence& sentence) {
        learn::add_prefetched(table_, sentence.scratch);
        sentence.decision =
            bits_ ? learn::lead(table_, sentence.scratch, sentence.likely.bits, depth(sentence))
                  : learn::lead(learn::scores_of(table_, sentence.scratch), sentence.likely.members, depth(sentence));
    }

    // Works on a sentence until a decision waits for its rows (true) or it is done (false).
    template <class Done>
    bool advance(ActiveSentence& sentence, Done&& done) {
        if (sentence.deciding) {
            if (sentence.exit + 1 < exits_.size() && sentence.decision.margin < exits_[sentence.exit].margin) {
                const std::uint32_t before = depth(sentence);
                ++sentence.exit;
                learn::prefetch_rows(table_, model_.plan, before, depth(sentence), sentence.context, sentence.scratch);
                return true;
            }
            sentence.deciding = false;
            finish(sentence, sentence.decision, done);
        }
        while (sentence.word < sentence.end) {
            sentence.context.focus(sentence.word - sentence.begin);
            if (sentence.word + ahead < sentence.end) fetch(sentence.word + ahead);
            const std::uint32_t id = batch_.rows().ids()[sentence.word];
            if (answers_ && id < form_scores_.words() && form_scores_.answer(id).bits != 0) {
                const FormScores::Answer& answer = form_scores_.answer(id);
                if (answer.margin >= sure_) {
                    finish(sentence, {answer.label, answer.margin == learn::never ? 0 : start_, answer.margin}, done);
                    continue;
                }
                sentence.likely.bits = answer.bits;
                go_on(sentence, id);
                return true;
            }
            sentence.likely = choose_(sentence.word, sentence.fitting);
            if (sentence.likely.members.size() == 1) {
                finish(sentence, {sentence.likely.members[0], 0, learn::never}, done);
            } else {
                start(sentence);
                return true;
            }
        }
        return false;
    }

    // Goes on with a known word where its form was not enough, or was no exit.
    void go_on(ActiveSentence& sentence, std::uint32_t id) {
        sentence.exit = sure_ == learn::never ? 0 : 1;
        sentence.deciding = true;
        if (start_ > 0)
            sentence.scratch.start(form_scores_[id].data());
        else
            sentence.scratch.start();
        learn::prefetch_rows(table_, model_.plan, start_, depth(sentence), sentence.context, sentence.scratch);
    }

    void start(ActiveSentence& sentence) {
        sentence.exit = 0;
        sentence.deciding = true;
        std::uint32_t done = 0;
        if (start_ > 0 && batch_.rows().known(sentence.word)) {
            sentence.scratch.start(form_scores_[batch_.rows().ids()[sentence.word]].data());
            done = start_;
        } else {
            sentence.scratch.start();
        }
        learn::prefetch_rows(table_, model_.plan, done, depth(sentence), sentence.context, sentence.scratch);
    }

    template <class Done>
    void finish(ActiveSentence& sentence, const learn::Decision& decision, Done&& done) {
        sentence.context.decided(model_.atoms[decision.label]);
        done(sentence.word, decision, sentence.likely.members, sentence.scratch);
        ++sentence.word;
    }

    // Prefetches what a word that is decided soon needs.
    static constexpr std::size_t ahead = 4;
    void fetch(std::size_t word) const noexcept {
        const std::uint32_t* row = batch_.rows()[word];
        prefetch(row);
        prefetch(row + cache_line / sizeof *row);
        if (answers_ && batch_.rows().known(word)) prefetch(&form_scores_.answer(batch_.rows().ids()[word]));
        if (start_ > 0 && batch_.rows().known(word)) prefetch(form_scores_[batch_.rows().ids()[word]].data());
    }

    const Model& model_;
    const learn::Table& table_;
    const FormScores& form_scores_;
    std::span<const learn::Exit> exits_;
    const TokenBatch& batch_;
    const Chooser& choose_;
    std::uint32_t start_ = 0;           // templates that the sums of forms replace
    bool bits_ = false;                 // are candidates compared as bits?
    bool answers_ = false;              // may what is known of a word by itself be taken?
    std::int32_t sure_ = learn::never;  // by which lead
};

}  // namespace laconic::tag
