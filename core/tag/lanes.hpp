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
          const TokenBatch& batch, const Chooser& choose)
        : model_(model), table_(table), folded_(folded), exits_(exits), batch_(batch), choose_(choose) {
        // What is folded cannot be looked into: an exit before its end needs the single templates.
        start_ = exits.empty() || exits.front().depth < folded.templates()
                     ? 0
                     : static_cast<std::uint32_t>(folded.templates());
        bits_ = learn::has_bits(table) && model.candidates.needs.empty();
    }

    // Calls skip(word, candidates) for every word with a choice; if that is false, done(word, decision, candidates,
    // scratch) once the word is decided, which it is at once if there is no choice. Returns the cache lines read.
    template <class Skip, class Done>
    std::uint64_t run(Skip&& skip, Done&& done) {
        const corpus::Columns& columns = batch_.columns();
        std::size_t next = 0;
        const auto enter = [&](Lane& lane) {
            if (next == columns.sentence_count()) return false;
            lane.begin = lane.word = columns.sentences[next];
            lane.end = columns.sentences[++next];
            lane.context.enter(lane.begin, lane.end);
            return true;
        };
        std::vector<Lane> lanes;
        lanes.reserve(count);
        for (std::size_t i = 0; i < std::min(count, columns.sentence_count()); ++i) {
            lanes.emplace_back(batch_, table_);
            enter(lanes.back());
        }
        std::uint64_t rows = 0;
        while (!lanes.empty())
            for (std::size_t i = 0; i < lanes.size();) {
                if (advance(lanes[i], skip, done) || enter(lanes[i])) {
                    ++i;
                    continue;
                }
                rows += lanes[i].scratch.rows_read;
                if (i + 1 < lanes.size()) lanes[i] = std::move(lanes.back());
                lanes.pop_back();
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
        bool deciding = false;
    };

    // Works on a sentence until rows are on their way (true) or it is done (false).
    template <class Skip, class Done>
    bool advance(Lane& lane, Skip&& skip, Done&& done) {
        for (;;) {
            if (lane.deciding) {
                learn::answer(table_, lane.scratch);
                const std::uint32_t depth = exits_.empty() ? 0 : exits_[lane.exit].depth;
                const learn::Decision decision =
                    bits_ ? learn::lead(table_, lane.scratch, lane.likely.bits, depth)
                          : learn::lead(learn::scores_of(table_, lane.scratch), lane.likely.members, depth);
                if (lane.exit + 1 < exits_.size() && decision.margin < exits_[lane.exit].margin) {
                    ++lane.exit;
                    learn::ask(table_, model_.plan, depth, exits_[lane.exit].depth, lane.context, lane.scratch);
                    return true;
                }
                lane.deciding = false;
                finish(lane, decision, done);
            } else if (lane.word == lane.end) {
                return false;
            } else {
                lane.context.focus(lane.word - lane.begin);
                if (lane.word + ahead < lane.end) fetch(lane.word + ahead);
                lane.likely = choose_(lane.word, lane.room);
                if (lane.likely.members.size() == 1) {
                    finish(lane, {lane.likely.members[0], 0, learn::never}, done);
                } else if (skip(lane.word, lane.likely.members)) {
                    ++lane.word;
                } else if (start(lane)) {
                    return true;
                }
            }
        }
    }

    // Begins a decision; are there rows to wait for?
    bool start(Lane& lane) {
        lane.exit = 0;
        lane.deciding = true;
        std::uint32_t depth = 0;
        if (start_ > 0 && batch_.rows().known(lane.word)) {
            std::ranges::copy(folded_[batch_.rows().ids()[lane.word]], lane.scratch.sums.begin());
            ++lane.scratch.rows_read;
            depth = start_;
        } else {
            std::ranges::fill(lane.scratch.sums, std::int16_t{0});
        }
        if (exits_.empty() || depth == exits_.front().depth) return false;
        learn::ask(table_, model_.plan, depth, exits_.front().depth, lane.context, lane.scratch);
        return true;
    }

    template <class Done>
    void finish(Lane& lane, const learn::Decision& decision, Done&& done) {
        lane.context.decided(model_.atoms[decision.label]);
        done(lane.word, decision, lane.likely.members, lane.scratch);
        ++lane.word;
    }

    // A word that will be looked at soon.
    static constexpr std::size_t ahead = 2;
    void fetch(std::size_t word) const noexcept {
        prefetch(batch_.rows()[word]);
        if (start_ > 0 && batch_.rows().known(word)) prefetch(folded_[batch_.rows().ids()[word]].data());
    }

    const Model& model_;
    const learn::Table& table_;
    const Folded& folded_;
    std::span<const learn::Exit> exits_;
    const TokenBatch& batch_;
    const Chooser& choose_;
    std::uint32_t start_ = 0;  // templates that are folded
    bool bits_ = false;        // are candidates compared as bits?
};

}  // namespace laconic::tag
