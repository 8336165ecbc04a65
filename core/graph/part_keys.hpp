#pragma once
// The keys of the features of parts (head, sibling, modifier): what each word gives to them as a head, as a sibling and
// as a modifier is computed once per sentence and group of templates.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/arc_model.hpp"
#include "graph/arc_reader.hpp"

namespace laconic::graph {

// Serves one thread. The model, whose templates read siblings, must outlive it.
class PartKeys {
public:
    PartKeys(const ArcModel& model, const features::WordRows& rows, const corpus::Columns& columns)
        : reader_(model.plan, model.lexicon.attributes(), model.pos), context_(reader_, rows, columns) {
        for (const ArcReader::Parts& parts : reader_.templates())
            plain_.push_back(parts.relations.empty() && parts.between.empty() && parts.reads(ArcReader::sibling));
        std::uint16_t first = 0;
        for (const std::uint32_t last : model.groups) {
            std::vector<std::uint16_t> templates;
            Group& group = groups_.emplace_back();
            group.first = first;
            for (; first < last; ++first) templates.push_back(first);
            group.size = templates.size();
            for (const ArcReader::Place place : {ArcReader::head, ArcReader::modifier, ArcReader::sibling})
                group.by_place[place].parts.emplace(reader_, templates, place);
        }
    }
    PartKeys(const PartKeys&) = delete;  // its parts refer to each other
    PartKeys& operator=(const PartKeys&) = delete;

    void enter(std::size_t sentence) {
        context_.enter(sentence);
        const auto nodes = static_cast<std::size_t>(context_.size()) + 2;
        for (Group& group : groups_)
            for (Halves& halves : group.by_place) {
                halves.ready.assign(nodes, 0);
                halves.keys.resize(nodes * group.size);
            }
    }
    [[nodiscard]] std::size_t templates() const noexcept { return reader_.templates().size(); }

    // Calls visit(template, key) for the features of a part, group by group or of one group; the sibling may be none.
    template <class Visit>
    void visit(Node head, Node sibling, Node modifier, Visit&& visit_key) {
        for (std::size_t group = 0; group < groups_.size(); ++group) visit(group, head, sibling, modifier, visit_key);
    }
    template <class Visit>
    void visit(std::size_t number, Node head, Node sibling, Node modifier, Visit&& visit_key) {
        Group& group = groups_[number];
        const std::uint64_t* of_head = halves(group, ArcReader::head, head);
        const std::uint64_t* of_modifier = halves(group, ArcReader::modifier, modifier);
        const std::uint64_t* of_sibling = halves(group, ArcReader::sibling, sibling);
        for (std::size_t i = 0; i < group.size; ++i) {
            const std::size_t t = group.first + i;
            if (plain_[t] == 0) {
                context_.join(t, of_head[i], of_modifier[i], of_sibling[i], head, modifier, sibling,
                              [&](std::uint64_t key) { visit_key(t, key); });
            } else if (of_head[i] != no_part && of_modifier[i] != no_part && of_sibling[i] != no_part) {
                visit_key(t, learn::finish(mix(mix(of_head[i], of_modifier[i]), of_sibling[i])));
            }
        }
    }

private:
    struct Halves {
        std::optional<WordParts> parts;
        std::vector<std::uint8_t> ready;  // by node, from `none` on
        std::vector<std::uint64_t> keys;  // by node and template
    };
    struct Group {
        std::size_t first = 0, size = 0;  // of its templates
        std::array<Halves, 3> by_place;
    };

    const std::uint64_t* halves(Group& group, ArcReader::Place place, Node node) {
        Halves& own = group.by_place[place];
        const auto at = static_cast<std::size_t>(node + 1);
        std::uint64_t* keys = own.keys.data() + at * group.size;
        if (own.ready[at] == 0) own.parts->read(context_.words(), node, keys);
        own.ready[at] = 1;
        return keys;
    }

    ArcReader reader_;
    ArcContext context_;
    std::vector<std::uint8_t> plain_;  // by template: is its key what the three words give, and nothing else?
    std::vector<Group> groups_;
};

}  // namespace laconic::graph
