#include "transition/action_set.hpp"

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

ActionSet::ActionSet(std::shared_ptr<const TransitionSystem> system, Labels labels,
                     std::array<std::vector<Relation>, arc_kinds> relations, Relation root_relation, Relation spare)
    : system_(std::move(system)),
      labels_(labels),
      relations_(std::move(relations)),
      root_relation_(root_relation),
      spare_(spare) {
    auto& [left, right, from_root] = relations_;
    const SystemFacts& facts = system_->facts();
    if (facts.reorders) left = right = merged(left, right);
    for (Move move = 0; move < facts.moves.size(); ++move) {
        const MoveArc arc = facts.moves[move].arc;
        if (labels != Labels::joint || arc == MoveArc::none) {
            meanings_.push_back({move, no_relation});
            continue;
        }
        for (const Relation relation : arc == MoveArc::left ? left
                                       : facts.makes_roots  ? merged(right, from_root)
                                                            : right)
            meanings_.push_back({move, relation});
    }
    candidates_.resize(std::size_t{2} << facts.moves.size());
    for (std::size_t number = 0; number < candidates_.size(); ++number) {
        for (std::size_t label = 0; label < meanings_.size(); ++label) {
            const auto [move, relation] = meanings_[label];
            if (!has(static_cast<Moves>(number / 2), move)) continue;
            const bool to_left = facts.moves[move].arc == MoveArc::left;
            const auto& possible = to_left ? left : number % 2 != 0 ? from_root : right;
            if (relation == no_relation || std::ranges::binary_search(possible, relation))
                candidates_[number].push_back(static_cast<Label>(label));
        }
    }
}

}  // namespace laconic::transition
