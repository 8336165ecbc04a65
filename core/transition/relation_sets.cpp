#include "transition/relation_sets.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "features/sentence_atoms.hpp"
#include "learn/pair_key.hpp"

namespace laconic::transition {

namespace {

std::vector<features::Atom> tags_of(const corpus::Columns& columns, corpus::Field pos) {
    const features::AtomColumn column{features::AtomColumn::field, static_cast<std::uint32_t>(pos)};
    std::vector<features::Atom> tags(columns.words());
    for (std::size_t i = 0; i < tags.size(); ++i) tags[i] = features::document_atom(column, columns, i);
    return tags;
}

std::uint64_t key_of(std::span<const features::Atom> tags, Arc arc) noexcept {
    const auto tag = [&](Node node) { return tags[static_cast<std::size_t>(node) - 1]; };
    return learn::pair_key(arc.head == root ? features::nothing : tag(arc.head), tag(arc.dependent),
                           arc.dependent > arc.head);
}

}  // namespace

RelationSets::RelationSets(const ActionSet& actions, std::size_t relations, std::vector<std::vector<Relation>> further,
                           const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t> numbers)
    : map_(keys, std::move(numbers), "the table of label candidates") {
    for (const std::vector<Relation>& set : further)
        if (set.empty() || set.back() >= relations ||
            std::ranges::adjacent_find(set, std::greater_equal<>()) != set.end())
            throw ModelError("the table of label candidates is damaged: sets of labels");
    for (const std::uint32_t number : map_.numbers())
        if (number >= further.size())
            throw ModelError("the table of label candidates names a set of labels that does not exist");
    for (std::size_t kind = 0; kind < arc_kinds; ++kind) {
        const std::span<const Relation> all = actions.relations(static_cast<ArcKind>(kind));
        sets_.emplace_back(all.begin(), all.end());
    }
    std::ranges::move(further, std::back_inserter(sets_));
}

BatchRelations::BatchRelations(const RelationSets& sets, const corpus::Columns& columns, corpus::Field pos)
    : sets_(sets), columns_(columns) {
    if (sets.by_tags()) tags_ = tags_of(columns, pos);
}

void BatchRelations::enter(std::size_t sentence) noexcept {
    begin_ = columns_.sentences[sentence];
}

RelationChoice BatchRelations::operator()(Arc arc) const noexcept {
    return tags_.empty() ? sets_.of(arc) : sets_.of(arc, key_of(std::span(tags_).subspan(begin_), arc));
}

std::vector<std::uint64_t> arc_keys(const corpus::Columns& columns, corpus::Field pos,
                                    std::span<const std::int32_t> heads) {
    const std::vector<features::Atom> tags = tags_of(columns, pos);
    std::vector<std::uint64_t> keys(columns.words());
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence)
        for (std::size_t i = columns.sentences[sentence]; i < columns.sentences[sentence + 1]; ++i)
            keys[i] = key_of(std::span(tags).subspan(columns.sentences[sentence]),
                             {heads[i], static_cast<Node>(i - columns.sentences[sentence] + 1)});
    return keys;
}

}  // namespace laconic::transition
