#pragma once
// What a decision would be after each of some depths: for the calibration of margins.

#include <cstdint>
#include <span>

#include "learn/outcomes.hpp"
#include "learn/scorer.hpp"

namespace laconic::learn {

// Calls visit(depth) with the sums after each of `depths`, which ascend.
template <Scorer T, Context C, class Visit>
void each_depth(const T& table, const Plan& plan, C& context, std::span<const std::uint32_t> depths,
                ScratchOf<T>& scratch, Visit&& visit) {
    clear(table, scratch);
    std::uint32_t done = 0;
    for (const std::uint32_t depth : depths) {
        accumulate(table, plan, done, depth, context, scratch);
        done = depth;
        visit(depth);
    }
}

// Calls visit(decision) for each of `depths`. A decision with one candidate has the lead `never` and reads nothing.
template <Scorer T, Context C, class Visit>
void probe(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
           std::span<const std::uint32_t> depths, ScratchOf<T>& scratch, Visit&& visit) {
    if (candidates.size() == 1) {
        for (const std::uint32_t depth : depths) visit(Decision{candidates[0], depth, never});
        return;
    }
    each_depth(table, plan, context, depths, scratch,
               [&](std::uint32_t depth) { visit(lead(table, scratch, candidates, depth)); });
}

// The same behind the rows of `prefixes`.
template <Scorer T, Context C>
void probe(const T& table, const Plan& plan, C& context, std::span<const Label> candidates,
           std::span<const std::uint32_t> depths, ScratchOf<T>& scratch, Prefixes& prefixes) {
    probe(table, plan, context, candidates, depths, scratch, [&](const Decision& now) {
        prefixes.leads.push_back(now.margin);
        prefixes.labels.push_back(now.label);
    });
}

}  // namespace laconic::learn
