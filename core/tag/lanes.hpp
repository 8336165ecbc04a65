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
#include "tag/folded.hpp"
#include "tag/tagger.hpp"

namespace laconic::tag {

class Lanes {
public:
    Lanes(const Model& model, const learn::Table& table, const Folded& folded, std::span<const learn::Exit> exits,
          const TokenBatch& batch, const Chooser& choose, bool scores)
        : model_(model), table_(table), folded_(folded), exits_(exits), batch_(batch), choose_(choose) {
        // What is folded cannot be looked into: an exit before its end needs the single templates.
        start_ = exits.empty() || exits.front().depth < folded.templates()
                     ? 0
                     : static_cast<std::uint32_t>(folded.templates());
        bits_ = learn::has_bits(table) && model.candidates.needs.empty();
        // An answer has no scores, and none is known beyond the labels that have bits.
        answers_ = bits_ && !scores;
        if (answers_ && start_ > 0 && exits.size() > 1 && exits.front().depth == start_) sure_ = exits.front().margin;
    }

    // Calls skip(word, candidates) for every word with a choice; if that is false, done(word, decision, candidates,
    // scratch) once the word is decided, which it is at once if there is no choice. Without `scores` neither candidates
    // nor scratch mean anything to `done`. Returns the cache lines read.
    template <class Skip, class Done>
    std::uint64_t run(Skip&& skip, Done&& done) {
        const corpus::Columns& columns = batch_.columns();
        std::size_t next = 0;
        const auto enter = [&](Lane& lane) {
            if (next == columns.sentence_count()) return false;
            lane.begin = lane.word = columns.sentences[next];
            lane.end = columns.sentences[++next];
            lane.context.enter(lane.begin, lane.end);
            for (std::size_t word = lane.begin; word < std::min(lane.begin + ahead, lane.end); ++word) fetch(word);
            return true;
        };
        std::vector<Lane> lanes;
        lanes.reserve(count);
        for (std::size_t i = 0; i < std::min(count, columns.sentence_count()); ++i) {
            lanes.emplace_back(batch_, table_);
            enter(lanes.back());
        }
        std::uint64_t rows = 0;
        while (!lanes.empty()) {
            // First all that is to be computed, then all that depends on it: a wrong guess of the processor at the one
            // must not hold up the other.
            for (Lane& lane : lanes)
                if (lane.deciding) settle(lane);
            for (std::size_t i = 0; i < lanes.size();) {
                if (advance(lanes[i], skip, done) || enter(lanes[i])) {
                    ++i;
                    continue;
                }
                rows += lanes[i].scratch.rows_read;
                if (i + 1 < lanes.size()) lanes[i] = std::move(lanes.back());
                lanes.pop_back();
            }
        }
        return rows;
    }

private:
    static constexpr std::size_t count = 8;

    struct Lane {
        Lane(const TokenBatch& batch, const learn::Table& table) : context(batch), scratch(table) {}

        TokenContext context;
        learn::Scratch scratch;
        std::size_t begin = 0, word = 0, end = 0;
        Chooser::Labels likely{};
        std::vector<Label> room{};  // for candidates that had to be picked
        std::size_t exit = 0;
        learn::Decision decision{};
        bool deciding = false;
    };

    [[nodiscard]] std::uint32_t depth(const Lane& lane) const noexcept {
        return exits_.empty() ? 0 : exits_[lane.exit].depth;
    }

    // Adds the rows that a decision waits for, and sees who leads.
    void settle(Lane& lane) {
        learn::answer(table_, lane.scratch);
        lane.decision = bits_ ? learn::lead(table_, lane.scratch, lane.likely.bits, depth(lane))
                              : learn::lead(learn::scores_of(table_, lane.scratch), lane.likely.members, depth(lane));
    }

    // Works on a sentence until a decision has to be settled (true) or it is done (false).
    template <class Skip, class Done>
    bool advance(Lane& lane, Skip&& skip, Done&& done) {
        if (lane.deciding) {
            if (lane.exit + 1 < exits_.size() && lane.decision.margin < exits_[lane.exit].margin) {
                const std::uint32_t before = depth(lane);
                ++lane.exit;
                learn::ask(table_, model_.plan, before, depth(lane), lane.context, lane.scratch);
                return true;
            }
            lane.deciding = false;
            finish(lane, lane.decision, done);
        }
        while (lane.word < lane.end) {
            lane.context.focus(lane.word - lane.begin);
            if (lane.word + ahead < lane.end) fetch(lane.word + ahead);
            const std::uint32_t id = batch_.rows().ids()[lane.word];
            if (answers_ && id < folded_.words() && folded_.answer(id).bits != 0) {
                const Folded::Answer& answer = folded_.answer(id);
                if (answer.margin >= sure_) {
                    finish(lane, {answer.label, answer.margin == learn::never ? 0 : start_, answer.margin}, done);
                    continue;
                }
                lane.likely.bits = answer.bits;
                go_on(lane, id);
                return true;
            }
            lane.likely = choose_(lane.word, lane.room);
            if (lane.likely.members.size() == 1) {
                finish(lane, {lane.likely.members[0], 0, learn::never}, done);
            } else if (skip(lane.word, lane.likely.members)) {
                ++lane.word;
            } else {
                start(lane);
                return true;
            }
        }
        return false;
    }

    // The form of a known word was not enough, if it was asked for.
    void go_on(Lane& lane, std::uint32_t id) {
        lane.exit = sure_ == learn::never ? 0 : 1;
        lane.deciding = true;
        if (start_ > 0)
            lane.scratch.start(folded_[id].data());
        else
            lane.scratch.start();
        learn::ask(table_, model_.plan, start_, depth(lane), lane.context, lane.scratch);
    }

    void start(Lane& lane) {
        lane.exit = 0;
        lane.deciding = true;
        std::uint32_t done = 0;
        if (start_ > 0 && batch_.rows().known(lane.word)) {
            lane.scratch.start(folded_[batch_.rows().ids()[lane.word]].data());
            done = start_;
        } else {
            lane.scratch.start();
        }
        learn::ask(table_, model_.plan, done, depth(lane), lane.context, lane.scratch);
    }

    template <class Done>
    void finish(Lane& lane, const learn::Decision& decision, Done&& done) {
        lane.context.decided(model_.atoms[decision.label]);
        done(lane.word, decision, lane.likely.members, lane.scratch);
        ++lane.word;
    }

    // A word that will be looked at soon.
    static constexpr std::size_t ahead = 4;
    void fetch(std::size_t word) const noexcept {
        const std::uint32_t* row = batch_.rows()[word];
        prefetch(row);
        prefetch(row + cache_line / sizeof *row);
        if (answers_ && batch_.rows().known(word)) prefetch(&folded_.answer(batch_.rows().ids()[word]));
        if (start_ > 0 && batch_.rows().known(word)) prefetch(folded_[batch_.rows().ids()[word]].data());
    }

    const Model& model_;
    const learn::Table& table_;
    const Folded& folded_;
    std::span<const learn::Exit> exits_;
    const TokenBatch& batch_;
    const Chooser& choose_;
    std::uint32_t start_ = 0;           // templates that are folded
    bool bits_ = false;                 // are candidates compared as bits?
    bool answers_ = false;              // may what is known of a word by itself be taken?
    std::int32_t sure_ = learn::never;  // by which lead
};

}  // namespace laconic::tag
