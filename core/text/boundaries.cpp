#include "text/boundaries.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "learn/probe.hpp"

namespace laconic::text {

using learn::Label;

namespace {

constexpr std::array<Label, 12> all_members{0, 1, 2, 0, 1, 0, 2, 1, 2, 0, 1, 2};
constexpr std::array<std::pair<std::uint8_t, std::uint8_t>, 8> members{
    {{9, 3}, {0, 1}, {1, 1}, {3, 2}, {2, 1}, {5, 2}, {7, 2}, {9, 3}}};

std::uint8_t mask_at(const BoundaryTables& tables, const Characters& characters, std::size_t at,
                     const CharContext& context) noexcept {
    return tables.masks[boundary_kind(characters.code(at), context.gap(), characters.code(context.behind()))];
}

constexpr std::uint8_t bit(unsigned label) noexcept {
    return static_cast<std::uint8_t>(1U << label);
}

// Pairs of letters or digits between which no token ends.
class InsidePairs {
public:
    explicit InsidePairs(const BoundaryTables& tables) noexcept {
        for (Code before = 0; before < code_count; ++before)
            for (Code behind = 0; behind < code_count && is_word(before); ++behind)
                if (behind != space_code && tables.masks[boundary_kind(before, Gap::none, behind)] == bit(inside))
                    pairs_[before] |= std::uint64_t{1} << behind;
    }
    [[nodiscard]] bool operator()(Code before, Code behind) const noexcept {
        return (pairs_[before] >> behind & 1U) != 0;
    }

private:
    std::array<std::uint64_t, code_count> pairs_{};
};

// Calls visit(at, label, mask, context) for each decision of the chosen sentences that training needs.
template <class Visit>
void for_each_decision(const features::Plan& plan, const BoundaryTables& tables, const Characters& characters,
                       const Gold& gold, std::span<const std::uint8_t> chosen, Visit&& visit) {
    const CharReader reader(plan);
    CharContext context(reader, characters, tables.casing, tables.gaps);
    context.start(0);
    for (std::size_t at = 0; at < characters.size(); ++at) {
        if (characters.white(at)) continue;
        context.focus(at);
        const std::uint8_t label = gold.labels[at];
        if (label == no_label) {
            context.decided(sentence_end);
            continue;
        }
        // Whether the text ends at its end is no decision.
        if (chosen[gold.sentences[at]] != 0 && context.behind() < characters.size()) {
            std::uint8_t mask = mask_at(tables, characters, at, context);
            if ((mask & bit(label)) == 0) mask = bit(inside) | bit(token_end) | bit(sentence_end);
            if (labels_of(mask).size() > 1) visit(label, mask, context);
        }
        context.decided(label);
    }
}

}  // namespace

BoundaryTables::BoundaryTables(std::vector<std::uint8_t> given, const std::array<std::uint8_t, gap_count>& kinds,
                               CasingStatistics known)
    : masks(std::move(given)), casing(std::move(known)) {
    if (masks.size() != boundary_kinds) throw ModelError("the table of boundary kinds has another size");
    for (const std::uint8_t mask : masks)
        if (mask == 0 || mask > 7) throw ModelError("a boundary kind without labels");
    for (std::size_t g = 0; g < gap_count; ++g) {
        if (kinds[g] >= gap_count || (g == 0) != (kinds[g] == 0)) throw ModelError("no such kind of white space");
        gaps[g] = static_cast<Gap>(kinds[g]);
    }
}

std::span<const Label> labels_of(std::uint8_t mask) noexcept {
    const auto [begin, size] = members[mask & 7U];
    return std::span(all_members).subspan(begin, size);
}

Gold gold_labels(const Characters& characters, const corpus::Columns& columns) {
    Gold gold;
    gold.labels.assign(characters.size(), no_label);
    gold.sentences.assign(characters.size(), 0);
    std::size_t at = 0;
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) {
        const std::size_t begin = columns.sentences[s], end = columns.sentences[s + 1];
        bool found = true;
        for (std::size_t w = begin; w < end; ++w) found = found && columns.starts[w] >= 0;
        if (!found) continue;
        std::size_t last = characters.size();
        const auto multiwords = columns.multiwords[s];
        auto multiword = multiwords.begin();
        for (std::size_t w = begin; w < end; ++w) {
            while (at < characters.size() && characters.offset(at) < columns.starts[w]) ++at;
            // A multiword token is one token: from the start of its first word to the end of its last.
            if (multiword != multiwords.end() && begin + multiword->first - 1 == w)
                w = std::min<std::size_t>(begin + multiword++->second, end) - 1;
            for (; at < characters.size() && characters.offset(at) < columns.ends[w]; ++at) {
                gold.labels[at] = inside;
                gold.sentences[at] = static_cast<std::uint32_t>(s);
                if (!characters.white(at)) last = at;
            }
            if (last < characters.size()) gold.labels[last] = token_end;
        }
        if (last < characters.size()) gold.labels[last] = sentence_end;
    }
    return gold;
}

std::vector<std::uint32_t> count_boundaries(const Characters& characters, const Gold& gold,
                                            std::span<const std::uint8_t> chosen) {
    std::vector<std::uint32_t> counts(boundary_kinds * label_count, 0);
    for (std::size_t at = 0; at < characters.size(); ++at) {
        if (characters.white(at) || gold.labels[at] == no_label || chosen[gold.sentences[at]] == 0) continue;
        std::size_t behind = at + 1;
        Gap gap = Gap::none;
        if (behind < characters.size() && characters.white(behind)) gap = characters.gap(behind++);
        if (behind < characters.size())
            ++counts[boundary_kind(characters.code(at), gap, characters.code(behind)) * label_count + gold.labels[at]];
    }
    return counts;
}

CasingStatistics casing_statistics(const Characters& characters, const Gold& gold, std::span<const std::uint8_t> chosen,
                                   std::uint32_t minimum) {
    struct Seen {
        Atom key;
        bool upper;
    };
    std::vector<Seen> seen;
    bool initial = true;
    for (std::size_t at = 0; at < characters.size();) {
        if (!is_word(characters.code(at))) {
            initial = initial || gold.labels[at] == sentence_end;
            ++at;
            continue;
        }
        std::size_t end = at;
        bool ends = false;
        for (; end < characters.size() && is_word(characters.code(end)); ++end)
            ends = ends || gold.labels[end] == sentence_end;
        if (!initial && end - at <= longest_word && gold.labels[at] != no_label && chosen[gold.sentences[at]] != 0)
            seen.push_back(
                {word_at(characters, at, end).lower, characters.code(at) == static_cast<Code>(unicode::Class::upper)});
        initial = ends;
        at = end;
    }
    std::ranges::sort(seen, {}, &Seen::key);
    std::vector<Atom> keys;
    std::vector<std::uint8_t> values;
    for (std::size_t i = 0; i < seen.size();) {
        std::size_t j = i, upper = 0;
        for (; j < seen.size() && seen[j].key == seen[i].key; ++j) upper += seen[j].upper ? 1 : 0;
        const std::size_t count = j - i;
        if (count >= minimum) {
            keys.push_back(seen[i].key);
            values.push_back(10 * upper <= count       ? CasingStatistics::lower
                             : 10 * upper >= 9 * count ? CasingStatistics::upper
                                                       : CasingStatistics::both);
        }
        i = j;
    }
    return {std::move(keys), std::move(values)};
}

void collect(learn::Examples& examples, const features::Plan& plan, const BoundaryTables& tables,
             const Characters& characters, const Gold& gold, std::span<const std::uint8_t> chosen) {
    std::array<std::uint32_t, 8> sets{};
    for (std::uint8_t mask = 1; mask < 8; ++mask) {
        const auto labels = labels_of(mask);
        sets[mask] = examples.sets.add({labels.begin(), labels.end()});
    }
    for_each_decision(plan, tables, characters, gold, chosen,
                      [&](std::uint8_t label, std::uint8_t mask, CharContext& context) {
                          examples.add(plan, context, sets[bit(label)], sets[mask]);
                      });
}

template <learn::Scorer T>
learn::Prefixes prefixes(const features::Plan& plan, const BoundaryTables& tables, const T& table,
                         const Characters& characters, const Gold& gold, std::span<const std::uint8_t> chosen,
                         std::span<const std::uint32_t> depths) {
    auto scratch = scratch_for(table);
    learn::Prefixes result;
    for_each_decision(plan, tables, characters, gold, chosen,
                      [&](std::uint8_t, std::uint8_t mask, CharContext& context) {
                          learn::probe(table, plan, context, labels_of(mask), depths, scratch, result);
                      });
    return result;
}

template <learn::Scorer T>
Segmented segment(const features::Plan& plan, const BoundaryTables& tables, const T& table,
                  const Characters& characters, std::size_t begin, std::span<const Known> known,
                  std::span<const learn::Exit> exits, const Options& options) {
    constexpr std::uint8_t ends = bit(token_end) | bit(sentence_end);
    const CharReader reader(plan);
    std::array<Gap, gap_count> gaps = tables.gaps;
    if (options.line_ends == LineEnds::keep) gaps[static_cast<std::size_t>(Gap::line)] = Gap::space;
    CharContext context(reader, characters, tables.casing, gaps);
    auto scratch = scratch_for(table);
    const std::size_t size = characters.size();
    Segmented result;
    result.labels.assign(size, inside);
    result.end = begin;
    context.start(begin);
    const InsidePairs pairs(tables);
    // Does a token go on behind this character whatever stands around, and is it none that anything is kept of?
    const auto passes = [&](std::size_t at) {
        return at + 1 < size && pairs(characters.code(at), characters.code(at + 1)) &&
               (known.empty() || known[at] <= Known::inside);
    };
    for (std::size_t at = begin; at < size; ++at) {
        if (characters.white(at)) continue;
        if (passes(at)) {
            const std::size_t first = at++;
            while (passes(at)) ++at;
            context.pass(first, at);
        }
        context.focus(at);
        std::uint8_t mask = 0;
        if (context.behind() >= size) {
            mask = bit(sentence_end);
        } else {
            const Gap gap = at + 1 < context.behind() ? characters.gap(at + 1) : Gap::none;
            mask = mask_at(tables, characters, at, context);
            if (!known.empty() && known[at] != Known::nothing) {
                if (known[at] == Known::inside)
                    mask = bit(inside);
                else if (known[at] == Known::token)
                    mask = bit(token_end);
                else if (known[at] == Known::sentence)
                    mask = bit(sentence_end);
                else
                    mask = (mask & ends) != 0 ? mask & ends : ends;
            }
            if ((options.lines || options.line_ends == LineEnds::hard) && gap >= Gap::line)
                mask = bit(sentence_end);
            else if (options.lines)
                mask = (mask & ~bit(sentence_end)) != 0 ? mask & static_cast<std::uint8_t>(~bit(sentence_end))
                                                        : bit(token_end);
            else if (context.tokens() + 1 >= options.longest)
                mask = (mask & ends) != 0 ? bit(sentence_end) : mask;
        }
        std::uint8_t label = 0;
        if (const auto candidates = labels_of(mask); candidates.size() == 1) {
            label = static_cast<std::uint8_t>(candidates[0]);
        } else {
            const learn::Decision decision = learn::decide(table, plan, context, candidates, exits, scratch);
            label = static_cast<std::uint8_t>(decision.label);
            ++result.work.decisions;
            result.work.templates += decision.depth;
        }
        result.labels[at] = label;
        context.decided(label);
        if (label == sentence_end && (options.last || context.behind() + farthest_look < size))
            result.end = context.behind();
    }
    if (options.last) result.end = size;
    result.work.rows = scratch.rows_read;
    return result;
}

template learn::Prefixes prefixes(const features::Plan&, const BoundaryTables&, const learn::Table&, const Characters&,
                                  const Gold&, std::span<const std::uint8_t>, std::span<const std::uint32_t>);
template Segmented segment(const features::Plan&, const BoundaryTables&, const learn::Table&, const Characters&,
                           std::size_t, std::span<const Known>, std::span<const learn::Exit>, const Options&);

}  // namespace laconic::text
