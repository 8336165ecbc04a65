#include "transition/classes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace laconic::transition {

namespace {

std::vector<Relation> merged(const std::vector<Relation>& a, const std::vector<Relation>& b) {
    std::vector<Relation> both;
    std::ranges::set_union(a, b, std::back_inserter(both));
    return both;
}

}  // namespace

Classes::Classes(SystemName system, Labels labels, std::array<std::vector<Relation>, arc_kinds> relations,
                 Relation root_relation, Relation spare)
    : system_(system), labels_(labels), relations_(std::move(relations)), root_relation_(root_relation), spare_(spare) {
    auto& [left, right, from_root] = relations_;
    // Where words change places, a left arc may end up pointing to the right.
    if (system == SystemName::swap) left = right = merged(left, right);
    std::vector<std::string_view> names;
    bool roots = false;
    with_system(system, false, [&](const auto& one) {
        using S = std::decay_t<decltype(one)>;
        names.assign(S::names.begin(), S::names.end());
        roots = S::makes_roots;
    });
    for (Move move = 0; move < names.size(); ++move) {
        const bool to_left = names[move].starts_with("left");
        const bool to_right = names[move].starts_with("right");
        if (labels != Labels::joint || (!to_left && !to_right)) {
            meanings_.push_back({move, no_relation});
            continue;
        }
        for (const Relation relation : to_left ? left : roots ? merged(right, from_root) : right)
            meanings_.push_back({move, relation});
    }
    candidates_.resize(std::size_t{2} << names.size());
    for (std::size_t number = 0; number < candidates_.size(); ++number) {
        for (std::size_t label = 0; label < meanings_.size(); ++label) {
            const auto [move, relation] = meanings_[label];
            if (!has(static_cast<Moves>(number / 2), move)) continue;
            const auto& possible = names[move].starts_with("left") ? left : number % 2 != 0 ? from_root : right;
            if (relation == no_relation || std::ranges::binary_search(possible, relation))
                candidates_[number].push_back(static_cast<Label>(label));
        }
    }
}

}  // namespace laconic::transition
