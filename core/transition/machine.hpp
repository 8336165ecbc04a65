#pragma once
// A system and a state of it, step by step, from outside: to look at and to test. Parsers do not use it.

#include <stdexcept>
#include <string>

#include "transition/systems.hpp"

namespace laconic::transition {

class Machine {
    template <class Use>
    decltype(auto) with(Use&& use) const {
        return with_system(name_, single_root_, use);
    }

public:
    Machine(std::string_view system, std::size_t words, bool single_root)
        : name_(system_named(system)), single_root_(single_root) {
        state_.start(words);
    }

    [[nodiscard]] const State& state() const noexcept { return state_; }
    [[nodiscard]] bool done() const {
        return with([&](const auto& system) { return system.done(state_); });
    }
    [[nodiscard]] Moves valid() const {
        return done() ? 0 : with([&](const auto& system) { return system.valid(state_); });
    }
    [[nodiscard]] Arc arc(Move move) const {
        check(move);
        return with([&](const auto& system) { return system.arc(state_, move); });
    }
    // Throws std::invalid_argument where the move is not possible.
    void apply(Move move, Relation relation) {
        check(move);
        with([&](const auto& system) { system.apply(state_, move, relation); });
    }
    // Ends the sentence once no move is left.
    void finish() {
        if (!done()) throw std::invalid_argument("some moves are left");
        with([&](const auto& system) { system.finish(state_, 0, 0); });
    }
    [[nodiscard]] Costs costs(const Gold& gold) const {
        if (done()) throw std::invalid_argument("no move is left");
        return with([&](const auto& system) { return transition::costs(system, state_, gold); });
    }
    [[nodiscard]] bool single_root() const noexcept { return single_root_; }

private:
    void check(Move move) const {
        if (move >= max_moves || !has(valid(), move)) throw std::invalid_argument("this move is not possible now");
    }

    SystemName name_;
    bool single_root_;
    State state_;
};

}  // namespace laconic::transition
