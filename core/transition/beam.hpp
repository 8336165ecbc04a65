#pragma once
// Beam search: several ways through a sentence at once, of which the best survive each step. For every transition
// system.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learn/decide.hpp"
#include "transition/brain.hpp"

namespace laconic::transition {

// How a beam compares and what it keeps.
struct Breadth {
    std::size_t width = 1;  // ways kept after each step; 1 is greedy
    // A way is worth the sum of its moves' log-probabilities, so that one far behind the best can be left: by more than
    // this. Where training was of whole ways, a way is worth its plain scores, and none is left.
    double slack = 0;
    bool whole = false;
    // By depth, as for confidences; empty: 1.
    std::span<const double> temperatures{}, label_temperatures{};
    // A sentence longer than this is parsed greedily: a way costs a copy of the state.
    std::size_t longest = 1000;
};

// All ways make their n-th move at the same time; those that are done wait for the others. Memory is used again from
// sentence to sentence.
template <Brain B>
class Beam {
public:
    struct Way {
        State state;
        double worth = 0;
    };

    Beam(const Classes& classes, B& brain, Breadth breadth)
        : system_(classes.system()), classes_(classes), brain_(brain), breadth_(breadth) {}

    // Parses the sentence that `state` was started for: the ways that are left, the best first. Calls taken(decision,
    // labels, templates of labels) for every state asked about. Valid until the next call.
    template <class Taken>
    std::span<const Way> walk(const State& state, Taken&& taken) {
        start(state);
        while (!done()) advance(taken);
        for (Way& way : ways_now()) system_.finish(way.state, classes_.root_relation(), classes_.spare());
        return ways();
    }

    // The same step by step.
    void start(const State& state) {
        width_ = static_cast<std::size_t>(state.words()) > breadth_.longest ? 1 : breadth_.width;
        if (ways_.empty()) ways_.resize(1);
        count_ = 1;
        ways_[0].state = state;
        ways_[0].worth = 0;
    }
    [[nodiscard]] bool done() const {
        return std::ranges::all_of(ways(), [&](const Way& way) { return system_.done(way.state); });
    }
    template <class Taken>
    void advance(Taken&& taken) {
        steps_.clear();
        for (std::uint32_t i = 0; i < count_; ++i) extend(i, taken);
        if (!breadth_.whole) {
            const double least = steps_.front().worth - breadth_.slack;
            while (steps_.back().worth < least) steps_.pop_back();
        }
        go();
    }
    [[nodiscard]] std::span<const Way> ways() const noexcept { return std::span(ways_).first(count_); }

    // How each way came about in the last step.
    struct Origin {
        double worth;
        std::uint32_t way;  // before the step
        Label label;
        Relation relation;
        bool moves;  // false: the way was done
    };
    [[nodiscard]] std::span<const Origin> origins() const noexcept { return steps_; }

private:
    struct Better {
        bool operator()(const Origin& a, const Origin& b) const noexcept {
            if (a.worth != b.worth) return a.worth > b.worth;
            return a.way != b.way ? a.way < b.way : a.label < b.label;
        }
    };

    [[nodiscard]] std::span<Way> ways_now() noexcept { return std::span(ways_).first(count_); }

    // Whether something worth this much may still be kept.
    [[nodiscard]] bool hopeful(double worth) const noexcept {
        if (steps_.empty()) return true;
        if (!breadth_.whole && worth < steps_.front().worth - breadth_.slack) return false;
        return steps_.size() < width_ || worth > steps_.back().worth;
    }
    void add(const Origin& step) {
        if (!hopeful(step.worth)) return;
        if (steps_.size() == width_) steps_.pop_back();
        steps_.insert(std::ranges::upper_bound(steps_, step, Better{}), step);
    }

    [[nodiscard]] static double temperature(std::span<const double> all, std::uint32_t depth) noexcept {
        return all.empty() ? 1 : all[depth];
    }

    template <class Taken>
    void extend(std::uint32_t number, Taken&& taken) {
        const Way& way = ways_[number];
        if (system_.done(way.state)) return add({way.worth, number, 0, no_relation, false});
        const std::span<const Label> candidates =
            classes_.candidates(system_.valid(way.state), system_.rooted(way.state));
        brain_.look_at(way.state);
        const learn::Decision decision = brain_.move(candidates);
        std::uint32_t labelled = 0, label_templates = 0;
        // In the order of the candidates: what a move is worth by itself.
        worths_.assign(candidates.size(), 0.0);
        if (candidates.size() > 1) {
            double sum = 0;
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                worths_[i] = breadth_.whole ? brain_.move_score(candidates[i])
                                            : brain_.move_gap(candidates[i], decision) /
                                                  temperature(breadth_.temperatures, decision.depth);
                sum += std::exp(worths_[i]);
            }
            if (!breadth_.whole)
                for (double& worth : worths_) worth -= std::log(sum);
        }
        const auto consider = [&](std::size_t i) {
            double worth = way.worth + worths_[i];
            if (!hopeful(worth)) return;
            auto [move, relation] = classes_[candidates[i]];
            const Arc arc = system_.arc(way.state, move);
            if (arc.exists() && classes_.labels() == Labels::after) {
                const learn::Decision label = brain_.label(arc, classes_.relations(kind_of(arc)));
                ++labelled;
                label_templates += label.depth - (B::one_sum ? decision.depth : 0);
                relation = label.label;
                if (!breadth_.whole) worth += std::log(share(arc, label));
            }
            add({worth, number, candidates[i], relation, true});
        };
        // The best first: the others may then not be worth a label.
        const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(worths_) - worths_.begin());
        consider(best);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (i != best) consider(i);
        taken(decision, labelled, label_templates);
    }
    // The probability of the label of an arc.
    [[nodiscard]] double share(Arc arc, const learn::Decision& label) const {
        const std::span<const Relation> relations = classes_.relations(kind_of(arc));
        if (relations.size() == 1) return 1;
        double sum = 0;
        for (const Relation y : relations)
            sum += std::exp(brain_.label_gap(arc, y, label) / temperature(breadth_.label_temperatures, label.depth));
        return 1 / sum;
    }

    // Makes the steps that were kept. A state is copied for all but the last of the moves made from it.
    void go() {
        uses_.assign(count_, 0);
        for (const Origin& step : steps_) ++uses_[step.way];
        if (next_.size() < steps_.size()) next_.resize(steps_.size());
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const Origin& step = steps_[i];
            if (--uses_[step.way] == 0)
                std::swap(next_[i].state, ways_[step.way].state);
            else
                next_[i].state = ways_[step.way].state;
            next_[i].worth = step.worth;
            if (step.moves) system_.apply(next_[i].state, classes_[step.label].move, step.relation);
        }
        std::swap(ways_, next_);
        count_ = steps_.size();
    }

    const TransitionSystem& system_;
    const Classes& classes_;
    B& brain_;
    Breadth breadth_;
    std::vector<Way> ways_, next_;
    std::size_t count_ = 0, width_ = 1;
    std::vector<Origin> steps_;  // the best so far, in order
    std::vector<double> worths_;
    std::vector<std::uint32_t> uses_;
};

}  // namespace laconic::transition
