#pragma once
// A transition system and a state of it, one step at a time: for tests and demonstrations. Parsers do not use it.

#include <memory>
#include <stdexcept>

#include "transition/systems.hpp"

namespace laconic::transition {

class Stepper {
public:
    Stepper(std::string_view system, std::size_t words, const SystemOptions& options)
        : system_(make_system(system, options)) {
        state_.start(words);
    }

    [[nodiscard]] const TransitionSystem& system() const noexcept { return *system_; }
    [[nodiscard]] const State& state() const noexcept { return state_; }
    [[nodiscard]] bool done() const noexcept { return system_->done(state_); }
    [[nodiscard]] Moves valid() const noexcept { return done() ? 0 : system_->valid(state_); }
    [[nodiscard]] Arc arc(Move move) const {
        check(move);
        return system_->arc(state_, move);
    }
    // Throws std::invalid_argument where the move is not possible.
    void apply(Move move, Relation relation) {
        check(move);
        system_->apply(state_, move, relation);
    }
    // Ends the sentence once no move is left.
    void finish() {
        if (!done()) throw std::invalid_argument("some moves are left");
        system_->finish(state_, 0, 0);
    }
    [[nodiscard]] Costs costs(const Gold& gold) const {
        if (done()) throw std::invalid_argument("no move is left");
        return system_->costs(state_, gold);
    }

private:
    void check(Move move) const {
        if (move >= max_moves || !has(valid(), move)) throw std::invalid_argument("this move is not possible now");
    }

    std::shared_ptr<const TransitionSystem> system_;
    State state_;
};

}  // namespace laconic::transition
