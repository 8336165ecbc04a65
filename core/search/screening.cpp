#include "search/screening.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace laconic::search {

namespace {

constexpr float sure = 0.002F;  // less doubt than this about a label teaches nothing

}  // namespace

Screening::Screening(const DecisionAtoms& decisions, std::span<const std::uint32_t> chosen,
                     std::span<const float> scores)
    : all_(decisions.size()), size_(chosen.size()), begins_{0} {
    const std::size_t labels = decisions.sets.labels();
    Softmax softmax(labels);
    std::vector<Label> open;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::span<const Label> candidates = decisions.candidates(chosen[i]);
        softmax(scores.subspan(i * labels, labels), decisions.gold(chosen[i]), candidates);
        open.clear();
        for (const Label y : candidates)
            if (std::abs(softmax.residual(y)) > sure) open.push_back(y);
        if (open.empty()) continue;
        if (open.size() > most) {
            std::ranges::stable_sort(
                open, [&](Label a, Label b) { return std::abs(softmax.residual(a)) > std::abs(softmax.residual(b)); });
            open.resize(most);
        }
        for (const Label y : open) {
            const float share = softmax.share(y);
            entries_.push_back({static_cast<std::uint32_t>(y) * 0x9e3779b1U, softmax.residual(y), share * (1 - share)});
        }
        decisions_.push_back(chosen[i]);
        halves_.push_back(static_cast<std::uint8_t>(half(i)));
        begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
    }
}

double Screening::gain(const Plan& plan, const AtomColumns& columns, double ridge) const {
    if (size_ == 0) return 0;
    struct Sum {
        float gradient = 0, curvature = 0;
    };
    using Both = std::array<Sum, 2>;  // fitted on either half
    const auto least = static_cast<float>(ridge);
    std::vector<Both> sums(std::bit_ceil(2 * entries_.size() + 2));
    const std::size_t mask = sums.size() - 1;
    std::vector<std::uint64_t> keys(decisions_.size());
    std::vector<std::array<float, 2>> residuals(entries_.size());
    std::ranges::transform(entries_, residuals.begin(),
                           [](const Entry& one) { return std::array{one.residual, one.residual}; });
    ColumnContext context(columns);
    std::array<double, 2> totals{};
    for (std::size_t j = 0; j < plan.size(); ++j) {
        std::ranges::fill(sums, Both{});
        for (std::size_t i = 0; i < decisions_.size(); ++i) {
            context.look_at(decisions_[i]);
            keys[i] = 0;
            visit_keys(plan, j, context, [&](std::uint64_t key) { keys[i] = key | 1; });
            if (keys[i] == 0) continue;
            const std::size_t own = halves_[i];
            for (std::uint32_t e = begins_[i]; e < begins_[i + 1]; ++e) {
                Sum& sum = sums[(keys[i] + entries_[e].salt) & mask][own];
                sum.gradient += residuals[e][own];
                sum.curvature += entries_[e].curvature;
            }
        }
        for (std::size_t i = 0; i < decisions_.size(); ++i) {
            if (keys[i] == 0) continue;
            const std::size_t other = 1U - halves_[i];
            for (std::uint32_t e = begins_[i]; e < begins_[i + 1]; ++e) {
                const Both& found = sums[(keys[i] + entries_[e].salt) & mask];
                for (std::size_t fitted = 0; fitted < 2; ++fitted) {
                    const float step = found[fitted].gradient / (found[fitted].curvature + least);
                    const float fall = entries_[e].curvature * step;
                    float& residual = residuals[e][fitted];
                    if (fitted == other) totals[fitted] += static_cast<double>(step * (residual - fall / 2));
                    residual -= fall;
                }
            }
        }
    }
    return (totals[0] + totals[1]) / static_cast<double>(size_);
}

}  // namespace laconic::search
