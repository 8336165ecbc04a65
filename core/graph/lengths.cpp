#include "graph/lengths.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.hpp"

namespace laconic::graph {

namespace {

using corpus::Field;

// Distinct values of a column over some sentences, in ascending order.
std::vector<Atom> distinct(const corpus::Columns& columns, Field field, std::span<const std::uint32_t> sentences) {
    std::vector<Atom> found;
    for (const std::uint32_t sentence : sentences)
        for (std::size_t word = columns.sentences[sentence]; word < columns.sentences[sentence + 1]; ++word)
            found.push_back(features::atom(columns.view(field, word)));
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Limits with one more row and column, for unknown tags.
std::vector<std::uint8_t> padded(std::size_t tags, const std::vector<std::uint8_t>& limits) {
    std::vector<std::uint8_t> all((tags + 1) * (tags + 1) * 2, Lengths::unlimited);
    for (std::size_t head = 0; head < tags; ++head)
        std::copy_n(limits.begin() + static_cast<std::ptrdiff_t>(head * tags * 2), tags * 2,
                    all.begin() + static_cast<std::ptrdiff_t>(head * (tags + 1) * 2));
    return all;
}

struct Seen {
    std::vector<std::uint32_t> pairs;  // [head][modifier][direction]
    std::vector<std::uint32_t> tags;
    std::vector<std::uint8_t> longest;
};

}  // namespace

std::uint16_t Lengths::number(const std::vector<Atom>& known, Atom tag) noexcept {
    const auto at = std::ranges::lower_bound(known, tag);
    if (at == known.end() || *at != tag) return static_cast<std::uint16_t>(known.size());
    return static_cast<std::uint16_t>(at - known.begin());
}

Lengths::Lengths(Arrays arrays) : arrays_(std::move(arrays)) {
    const auto fits = [](const std::vector<Atom>& tags, const std::vector<std::uint8_t>& limits) {
        return tags.size() <= most_tags && limits.size() == tags.size() * tags.size() * 2 &&
               std::ranges::adjacent_find(tags, std::greater_equal<>()) == tags.end();
    };
    if (!fits(arrays_.fine, arrays_.fine_limits) || !fits(arrays_.coarse, arrays_.coarse_limits) ||
        arrays_.roots.size() != arrays_.coarse.size())
        throw ModelError("the length dictionary in the model is damaged");
    fine_ = padded(arrays_.fine.size(), arrays_.fine_limits);
    coarse_ = padded(arrays_.coarse.size(), arrays_.coarse_limits);
    fine_stride_ = (arrays_.fine.size() + 1) * 2;
    coarse_stride_ = (arrays_.coarse.size() + 1) * 2;
}

Lengths Lengths::learn(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                       std::span<const std::uint32_t> sentences, std::uint32_t minimum) {
    Arrays arrays;
    arrays.fine = distinct(columns, Field::xpos, sentences);
    arrays.coarse = distinct(columns, Field::upos, sentences);
    for (std::vector<Atom>* tags : {&arrays.fine, &arrays.coarse})
        if (tags->size() > most_tags) tags->clear();
    std::vector<std::uint32_t> roots(arrays.coarse.size());
    const auto count = [&](Field field, const std::vector<Atom>& known) {
        const std::size_t size = known.size();
        Seen seen{std::vector<std::uint32_t>(size * size * 2), std::vector<std::uint32_t>(size),
                  std::vector<std::uint8_t>(size * size * 2)};
        if (size == 0) return seen;
        for (const std::uint32_t sentence : sentences) {
            const std::size_t begin = columns.sentences[sentence];
            for (std::size_t word = begin; word < columns.sentences[sentence + 1]; ++word) {
                const auto tag = [&](std::size_t at) { return number(known, features::atom(columns.view(field, at))); };
                const std::size_t own = tag(word);
                ++seen.tags[own];
                if (heads[word] == corpus::root) {
                    if (field == Field::upos) ++roots[own];
                    continue;
                }
                const std::size_t head = begin + static_cast<std::size_t>(heads[word]) - 1;
                const std::size_t distance = head > word ? head - word : word - head;
                const std::size_t at = (tag(head) * size + own) * 2 + (word > head ? 1 : 0);
                ++seen.pairs[at];
                seen.longest[at] =
                    std::max(seen.longest[at], static_cast<std::uint8_t>(std::min<std::size_t>(distance, unlimited)));
            }
        }
        return seen;
    };
    const Seen fine = count(Field::xpos, arrays.fine);
    arrays.fine_limits = fine.longest;
    for (std::size_t at = 0; at < fine.pairs.size(); ++at)
        if (fine.pairs[at] < minimum) arrays.fine_limits[at] = unlimited;
    const Seen coarse = count(Field::upos, arrays.coarse);
    arrays.coarse_limits = coarse.longest;
    const std::size_t size = arrays.coarse.size();
    for (std::size_t head = 0; head < size; ++head)
        for (std::size_t modifier = 0; modifier < size; ++modifier)
            if (coarse.tags[head] < minimum || coarse.tags[modifier] < minimum)
                for (const std::size_t direction : {0U, 1U})
                    arrays.coarse_limits[(head * size + modifier) * 2 + direction] = unlimited;
    for (std::size_t tag = 0; tag < size; ++tag)
        arrays.roots.push_back(roots[tag] > 0 || coarse.tags[tag] < minimum ? 1 : 0);
    return Lengths(std::move(arrays));
}

}  // namespace laconic::graph
