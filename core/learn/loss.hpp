#pragma once
// The losses of one decision: what its scores cost, and the gradient of that in the scores.

#include <algorithm>
#include <cmath>
#include <span>

#include "learn/labels.hpp"
#include "learn/settings.hpp"

namespace laconic::learn {

template <class Real>
class DecisionLoss {
public:
    DecisionLoss(Loss kind, double margin) noexcept : kind_(kind), margin_(static_cast<Real>(margin)) {}

    // Adds the loss of these scores to `loss` and calls add(label, slope) for each part of its gradient. True if the
    // decision is satisfied: the true label leads by the margin, in log-odds for the logistic loss (whose gradient
    // never vanishes). Truncated training ends there.
    template <class Add>
    bool operator()(std::span<const Real> scores, std::span<const Label> gold, std::span<const Label> candidates,
                    double& loss, Add&& add) const {
        const auto is_gold = [gold](Label y) { return std::ranges::find(gold, y) != gold.end(); };
        Label best_gold = gold.front();
        for (const Label y : gold)
            if (scores[y] > scores[best_gold]) best_gold = y;
        switch (kind_) {
            case Loss::hinge:
                return hinge(scores, best_gold, candidates, is_gold, loss, add);
            case Loss::snow:
                return snow(scores, candidates, is_gold, loss, add);
            default:
                return logistic(scores, gold, best_gold, candidates, is_gold, loss, add);
        }
    }

private:
    template <class IsGold, class Add>
    bool hinge(std::span<const Real> scores, Label best_gold, std::span<const Label> candidates, IsGold&& is_gold,
               double& loss, Add&& add) const {
        bool rival = false;
        Label worst = 0;
        for (const Label y : candidates)
            if (!is_gold(y) && (!rival || scores[y] > scores[worst])) worst = y, rival = true;
        // At a margin of zero a tie is still a mistake, as for a perceptron.
        const Real violation = rival ? scores[worst] - scores[best_gold] + margin_ : Real{-1};
        if (!rival || violation < Real{0} || (violation == Real{0} && margin_ > Real{0})) return true;
        loss += static_cast<double>(violation);
        add(worst, Real{1});
        add(best_gold, Real{-1});
        return false;
    }
    template <class IsGold, class Add>
    bool snow(std::span<const Real> scores, std::span<const Label> candidates, IsGold&& is_gold, double& loss,
              Add&& add) const {
        bool satisfied = true;
        for (const Label y : candidates) {
            const Real sign = is_gold(y) ? Real{-1} : Real{1};
            const Real violation = margin_ + sign * scores[y];
            if (violation <= Real{0}) continue;
            loss += static_cast<double>(violation);
            add(y, sign);
            satisfied = false;
        }
        return satisfied;
    }
    template <class IsGold, class Add>
    bool logistic(std::span<const Real> scores, std::span<const Label> gold, Label best_gold,
                  std::span<const Label> candidates, IsGold&& is_gold, double& loss, Add&& add) const {
        Real highest = scores[best_gold];
        for (const Label y : candidates) highest = std::max(highest, scores[y]);
        Real all = 0, right = 0;
        for (const Label y : candidates) all += std::exp(scores[y] - highest);
        for (const Label y : gold) right += std::exp(scores[y] - highest);
        loss += static_cast<double>(std::log(all) - std::log(right));
        for (const Label y : candidates) {
            const Real mass = std::exp(scores[y] - highest);
            add(y, mass / all - (is_gold(y) ? mass / right : Real{0}));
        }
        // Where rounding leaves nothing to the other labels, the log-odds are infinite: above any margin.
        return !(right < all) || std::log(right) - std::log(all - right) >= margin_;
    }

    Loss kind_;
    Real margin_;
};

}  // namespace laconic::learn
