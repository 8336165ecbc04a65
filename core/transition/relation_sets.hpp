#pragma once
// Which relations an arc may get: those that training showed on arcs of its kind or, where it counted them so, on arcs
// of its direction between words with these tags.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/frozen_map.hpp"
#include "corpus/columns.hpp"
#include "features/plan.hpp"
#include "transition/action_set.hpp"

namespace laconic::transition {

// An arc that is about to be made, and the relations that it may get, by the number of their set.
struct RelationChoice {
    Arc arc;
    std::uint32_t set = 0;
    std::span<const Relation> relations;
};

class RelationSets {
public:
    // The first sets are those of the kinds of arcs; `keys` (learn::pair_key) have numbers in `further`, each ascending
    // and below `relations`. Throws ModelError where they are not.
    RelationSets(const ActionSet& actions, std::size_t relations, std::vector<std::vector<Relation>> further,
                 const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t> numbers);

    [[nodiscard]] bool by_tags() const noexcept { return !map_.keys().empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return sets_.size(); }
    [[nodiscard]] const std::vector<Relation>& operator[](std::size_t set) const noexcept { return sets_[set]; }
    [[nodiscard]] RelationChoice of(Arc arc) const noexcept {
        const auto set = static_cast<std::uint32_t>(kind_of(arc));
        return {arc, set, sets_[set]};
    }
    // A pair that training did not show has the set of its kind.
    [[nodiscard]] RelationChoice of(Arc arc, std::uint64_t key) const noexcept {
        const std::uint32_t found = map_.find(key);
        if (found == FrozenMap::absent) return of(arc);
        const auto set = static_cast<std::uint32_t>(arc_kinds + found);
        return {arc, set, sets_[set]};
    }

private:
    std::vector<std::vector<Relation>> sets_;
    FrozenMap map_;
};

// The choices of a batch.
class BatchRelations {
public:
    // `pos` is the column of tags. Nothing is copied: both must outlive this.
    BatchRelations(const RelationSets& sets, const corpus::Columns& columns, corpus::Field pos);

    void enter(std::size_t sentence) noexcept;
    [[nodiscard]] RelationChoice operator()(Arc arc) const noexcept;

private:
    const RelationSets& sets_;
    const corpus::Columns& columns_;
    std::vector<features::Atom> tags_;  // of all words; none where they do not matter
    std::size_t begin_ = 0;
};

// The key of each word's arc: what training counts. Heads are within their sentences.
[[nodiscard]] std::vector<std::uint64_t> arc_keys(const corpus::Columns& columns, corpus::Field pos,
                                                  std::span<const std::int32_t> heads);

}  // namespace laconic::transition
