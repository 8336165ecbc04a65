#include "tag/tagger.hpp"

#include <algorithm>

namespace laconic::tag {

void collect(learn::Examples& examples, const features::Plan& plan, const features::Lexicon& lexicon,
             const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
             std::span<const Label> gold, std::span<const std::uint32_t> sentences) {
    const TokenReader reader(plan);
    const features::WordRows rows(lexicon, columns);
    TokenContext context(reader, rows, lexicon, columns);
    std::vector<std::uint32_t> single(atoms.size());
    for (std::size_t y = 0; y < single.size(); ++y) single[y] = examples.sets.add({static_cast<Label>(y)});
    for (const std::uint32_t sentence : sentences) {
        const std::size_t begin = columns.sentences[sentence];
        const std::size_t size = columns.sentences[sentence + 1] - begin;
        context.enter(begin, begin + size);
        for (std::size_t i = 0; i < size; ++i) {
            context.focus(i);
            const Label right = gold[begin + i];
            const std::uint32_t number = candidates.number(context.row());
            const bool covered = std::ranges::binary_search(candidates.sets[number], right);
            // A word with one candidate is never asked about: it teaches nothing.
            if (!covered || candidates.sets[number].size() > 1)
                examples.add(plan, context, single[right], covered ? number : 0);
            context.decided(atoms[right]);
        }
    }
}

Tagged tag(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
           const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
           std::span<const learn::Exit> exits) {
    const TokenReader reader(plan);
    const features::WordRows rows(lexicon, columns);
    TokenContext context(reader, rows, lexicon, columns);
    learn::Scratch scratch(table);
    Tagged result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::size_t begin = columns.sentences[sentence];
        const std::size_t size = columns.sentences[sentence + 1] - begin;
        context.enter(begin, begin + size);
        for (std::size_t i = 0; i < size; ++i) {
            context.focus(i);
            const std::span<const Label> likely = candidates.sets[candidates.number(context.row())];
            const learn::Decision decision = learn::decide(table, plan, context, likely, exits, scratch);
            context.decided(atoms[decision.label]);
            result.labels[begin + i] = decision.label;
            result.depths[begin + i] = decision.depth;
            result.work.templates += decision.depth;
        }
    }
    result.work.decisions = columns.words();
    result.work.rows = scratch.rows_read;
    return result;
}

Prefixes prefixes(const features::Plan& plan, const features::Lexicon& lexicon, const learn::Table& table,
                  const Candidates& candidates, std::span<const Atom> atoms, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    const TokenReader reader(plan);
    const features::WordRows rows(lexicon, columns);
    TokenContext context(reader, rows, lexicon, columns);
    learn::Scratch scratch(table);
    Prefixes result;
    for (const std::uint32_t sentence : sentences) {
        const std::size_t begin = columns.sentences[sentence];
        const std::size_t size = columns.sentences[sentence + 1] - begin;
        context.enter(begin, begin + size);
        for (std::size_t i = 0; i < size; ++i) {
            context.focus(i);
            const std::span<const Label> likely = candidates.sets[candidates.number(context.row())];
            std::ranges::fill(scratch.sums, std::int16_t{0});
            std::uint32_t done = 0;
            for (const std::uint32_t depth : depths) {
                learn::accumulate(table, plan, done, depth, context, scratch);
                done = depth;
                const auto scores = std::span<const std::int16_t>(scratch.sums).subspan(table.first_lane());
                const learn::Decision now = learn::lead(scores, likely, depth);
                result.leads.push_back(likely.size() == 1 ? learn::never : now.margin);
                result.labels.push_back(now.label);
            }
            const learn::Decision taken = learn::decide(table, plan, context, likely, exits, scratch);
            context.decided(atoms[taken.label]);
        }
    }
    return result;
}

}  // namespace laconic::tag
