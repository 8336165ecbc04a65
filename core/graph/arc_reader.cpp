#include "graph/arc_reader.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "features/codes.hpp"
#include "features/tree_steps.hpp"

namespace laconic::graph {

namespace {

using features::Attribute;

ArcReader::Relation relation_of(Attribute attribute, features::Node node) {
    const bool of_sibling = node == features::Node::sib;
    if (of_sibling || node == features::Node::mod) {
        if (attribute == Attribute::distance)
            return of_sibling ? ArcReader::Relation::sibling_distance : ArcReader::Relation::distance;
        if (attribute == Attribute::direction)
            return of_sibling ? ArcReader::Relation::sibling_direction : ArcReader::Relation::direction;
        if (attribute == Attribute::gap && of_sibling) return ArcReader::Relation::gap;
    }
    throw ConfigError("the templates of a graph parser read something that a possible arc does not have");
}

}  // namespace

ArcReader::ArcReader(const features::Plan& plan, std::span<const features::WordAttribute> words, corpus::Field pos)
    : columns_(words, plan.arguments(), pos),
      fine_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::xpos)})),
      coarse_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::upos)})) {
    for (std::size_t t = 0; t < plan.size(); ++t) {
        Parts parts;
        parts.seed = plan.seed(t);
        for (const std::uint16_t number : plan[t]) {
            const features::Slot& slot = plan.slots()[number];
            const auto node = static_cast<features::Node>(slot.node);
            parts.reads_sibling = parts.reads_sibling || node == features::Node::sib;
            if (slot.steps > 0) throw ConfigError("the templates of a graph parser have no paths");
            const std::uint16_t column = columns_.add(plan, slot);
            if (column == features::AtomColumns::none) {
                parts.relations.push_back(relation_of(static_cast<Attribute>(slot.attribute), node));
            } else if (node == features::Node::between) {
                parts.between.push_back(column);
            } else {
                const Place place = node == features::Node::head  ? head
                                    : node == features::Node::mod ? modifier
                                    : node == features::Node::sib
                                        ? sibling
                                        : throw ConfigError("the templates of a graph parser read an unknown node");
                parts.terms[place].push_back({slot.index, column});
            }
        }
        templates_.push_back(std::move(parts));
    }
}

WordParts::WordParts(const ArcReader& reader, std::span<const std::uint16_t> templates, ArcReader::Place place) {
    for (const std::uint16_t t : templates) {
        const ArcReader::Parts& parts = reader.templates()[t];
        templates_.push_back({parts.seed_of(place), parts.terms[place].size()});
        terms_.insert(terms_.end(), parts.terms[place].begin(), parts.terms[place].end());
    }
    for (const ArcReader::Term& term : terms_) {
        lowest_ = std::min(lowest_, Node{term.index});
        highest_ = std::max(highest_, Node{term.index});
    }
    for (ArcReader::Term& term : terms_) term.index = static_cast<std::int16_t>(term.index - lowest_);
    near_.resize(static_cast<std::size_t>(highest_ - lowest_) + 1);
}

Atom ArcContext::value(ArcReader::Relation relation, Node head, Node modifier, Node sibling) noexcept {
    // The root stands before the first word, so it is on no side but the left.
    const auto distance = [](Node one, Node other) {
        if (one == corpus::none || other == corpus::none) return features::nothing;
        const auto words = static_cast<std::size_t>(one < other ? other - one : one - other);
        return features::number_atom(static_cast<std::uint32_t>(distance_step(words)) + 1);
    };
    const auto direction = [](Node one, Node origin) {
        return one == corpus::none ? features::nothing : features::number_atom(one < origin ? 0 : 1);
    };
    switch (relation) {
        case ArcReader::Relation::distance:
            return distance(modifier, head);
        case ArcReader::Relation::direction:
            return direction(modifier, head);
        case ArcReader::Relation::sibling_distance:
            return distance(sibling, head);
        case ArcReader::Relation::sibling_direction:
            return direction(sibling, head);
        default:
            return distance(sibling, modifier);
    }
}

}  // namespace laconic::graph
