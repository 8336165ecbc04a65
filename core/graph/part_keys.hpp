#pragma once
// The keys of the features of parts (head, sibling, modifier): what each word gives to them as a head, as a sibling and
// as a modifier is computed once per sentence.

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
        std::vector<std::uint16_t> all;
        for (const ArcReader::Parts& parts : reader_.templates()) {
            all.push_back(static_cast<std::uint16_t>(plain_.size()));
            plain_.push_back(parts.relations.empty() && parts.between.empty() && parts.reads(ArcReader::sibling));
        }
        for (const ArcReader::Place place : {ArcReader::head, ArcReader::modifier, ArcReader::sibling})
            by_place_[place].parts.emplace(reader_, all, place);
    }
    PartKeys(const PartKeys&) = delete;  // its parts refer to each other
    PartKeys& operator=(const PartKeys&) = delete;

    void enter(std::size_t sentence) {
        context_.enter(sentence);
        const auto nodes = static_cast<std::size_t>(context_.size()) + 2;
        for (Halves& halves : by_place_) {
            halves.ready.assign(nodes, 0);
            halves.keys.resize(nodes * templates());
        }
    }
    [[nodiscard]] std::size_t templates() const noexcept { return reader_.templates().size(); }

    // Calls visit(template, key) for the features of templates [first, last) of a part; the sibling may be none.
    template <class Visit>
    void visit(std::size_t first, std::size_t last, Node head, Node sibling, Node modifier, Visit&& visit) {
        const std::uint64_t* of_head = halves(ArcReader::head, head);
        const std::uint64_t* of_modifier = halves(ArcReader::modifier, modifier);
        const std::uint64_t* of_sibling = halves(ArcReader::sibling, sibling);
        for (std::size_t t = first; t < last; ++t) {
            if (plain_[t] == 0) {
                context_.join(t, of_head[t], of_modifier[t], of_sibling[t], head, modifier, sibling,
                              [&](std::uint64_t key) { visit(t, key); });
            } else if (of_head[t] != no_part && of_modifier[t] != no_part && of_sibling[t] != no_part) {
                visit(t, learn::finish(mix(mix(of_head[t], of_modifier[t]), of_sibling[t])));
            }
        }
    }

private:
    struct Halves {
        std::optional<WordParts> parts;
        std::vector<std::uint8_t> ready;  // by node, from `none` on
        std::vector<std::uint64_t> keys;  // by node and template
    };

    const std::uint64_t* halves(ArcReader::Place place, Node node) {
        Halves& own = by_place_[place];
        const auto at = static_cast<std::size_t>(node + 1);
        std::uint64_t* keys = own.keys.data() + at * templates();
        if (own.ready[at] == 0) own.parts->read(context_.words(), node, keys);
        own.ready[at] = 1;
        return keys;
    }

    ArcReader reader_;
    ArcContext context_;
    std::vector<std::uint8_t> plain_;  // by template: is its key what the three words give, and nothing else?
    std::array<Halves, 3> by_place_;
};

}  // namespace laconic::graph
