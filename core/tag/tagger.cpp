#include "tag/tagger.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "learn/probability.hpp"
#include "learn/probe.hpp"
#include "tag/interleaved.hpp"

namespace laconic::tag {

namespace {

// Everything that reading a batch needs, and the walk over its words.
class Walk {
public:
    Walk(const Model& model, const corpus::Columns& columns)
        : reader_(model.plan),
          rows_(model.lexicon, columns),
          batch(reader_, rows_, columns),
          context(batch),
          choose(model.candidates, rows_, columns),
          columns_(columns) {}

    // Calls visit(word) for the words of a sentence, each in focus.
    template <class Visit>
    void sentence(std::size_t number, Visit&& visit) {
        const std::size_t begin = columns_.sentences[number];
        const std::size_t size = columns_.sentences[number + 1] - begin;
        context.enter(begin, begin + size);
        for (std::size_t i = 0; i < size; ++i) {
            context.focus(i);
            visit(begin + i);
        }
    }

    // Does every template look at the word in focus alone, at what is given of it, and at nothing else? Then words of
    // one type share a decision.
    [[nodiscard]] bool alone(const Candidates& candidates) const {
        return !candidates.given.empty() && reader_.reads_only(candidates.given);
    }

private:
    TokenReader reader_;
    features::WordRows rows_;

public:
    TokenBatch batch;
    TokenContext context;
    Chooser choose;
    std::vector<Label> room;  // for candidates

private:
    const corpus::Columns& columns_;
};

std::vector<std::uint32_t> singles(learn::Examples& examples, std::size_t labels) {
    std::vector<std::uint32_t> numbers(labels);
    for (std::size_t y = 0; y < labels; ++y) numbers[y] = examples.sets.add({static_cast<Label>(y)});
    return numbers;
}

}  // namespace

void collect(learn::Examples& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    const std::vector<std::uint32_t> single = singles(examples, model.atoms.size());
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](std::size_t word) {
            const Label right = gold[word];
            const std::uint32_t number = walk.choose.find(word).set;
            const std::span<const Label> likely = model.candidates.sets[number];
            const bool covered = std::ranges::binary_search(likely, right);
            // A word with one candidate is never asked about: it teaches nothing.
            if (!covered || likely.size() > 1)
                examples.add(model.plan, walk.context, single[right], covered ? number : 0);
            walk.context.decided(model.atoms[right]);
        });
}

void collect_types(learn::Examples& examples, const Model& model, const corpus::Columns& columns,
                   std::span<const Label> gold, std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    const std::vector<std::uint32_t> single = singles(examples, model.atoms.size());
    std::unordered_map<std::uint64_t, std::vector<Label>> seen;
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](std::size_t word) {
            const Label right = gold[word];
            if (right == no_label) return;
            std::vector<Label>& labels = seen[walk.choose.type(word)];
            if (std::ranges::find(labels, right) != labels.end()) return;
            labels.push_back(right);
            const std::uint32_t number = walk.choose.find(word, false).set;
            const bool covered = std::ranges::binary_search(model.candidates.sets[number], right);
            examples.add(model.plan, walk.context, single[right], covered ? number : 0);
        });
}

Labelled tag(const Model& model, const learn::Table& table, const FormScores& form_scores,
             const corpus::Columns& columns, std::span<const learn::Exit> exits, std::span<const double> temperatures) {
    Walk walk(model, columns);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    // Words that look alike are decided once.
    const bool alone = walk.alone(model.candidates);
    std::unordered_map<std::uint64_t, std::size_t> first;
    std::vector<std::pair<std::size_t, std::size_t>> alike;
    const auto skip = [&](std::size_t word, std::span<const Label>) {
        if (!alone) return false;
        const auto [at, is_new] = first.try_emplace(walk.choose.type(word), word);
        if (!is_new) alike.emplace_back(word, at->second);
        return !is_new;
    };
    const auto done = [&](std::size_t word, const learn::Decision& decision, std::span<const Label> likely,
                          const learn::Scratch& scratch) {
        result.labels[word] = decision.label;
        result.depths[word] = decision.depth;
        if (!temperatures.empty())
            result.confidences[word] = learn::confidence(table, scratch, decision, likely, temperatures);
    };
    result.rows = InterleavedSentences(model, table, form_scores, exits, walk.batch, walk.choose, !temperatures.empty())
                      .run(skip, done);
    for (const auto& [word, same] : alike) {
        result.labels[word] = result.labels[same];
        if (temperatures.empty()) continue;
        result.confidences[word] = result.confidences[same];
        result.depths[word] = result.depths[same];  // by which the confidence is corrected
    }
    return result;
}

template <learn::Scorer T>
Prefixes prefixes(const Model& model, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    Prefixes result;
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](std::size_t word) {
            const std::span<const Label> likely = walk.choose(word, walk.room).members;
            learn::probe(table, model.plan, walk.context, likely, depths, scratch, result);
            const learn::Decision taken = learn::decide(table, model.plan, walk.context, likely, exits, scratch);
            walk.context.decided(model.atoms[taken.label]);
        });
    return result;
}

template <learn::Scorer T>
FinalScores final_scores(const Model& model, const T& table, const corpus::Columns& columns,
                         std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    FinalScores result;
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](std::size_t word) {
            const std::span<const Label> likely = walk.choose(word, walk.room).members;
            const learn::Decision taken = learn::decide(table, model.plan, walk.context, likely, exits, scratch);
            walk.context.decided(model.atoms[taken.label]);
            learn::record(result, table, scratch, taken, likely);
        });
    return result;
}

template <learn::Scorer T>
std::vector<learn::Trace> traces(const Model& model, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    std::vector<learn::Trace> result;
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](std::size_t word) {
            result.push_back(
                learn::trace(table, model.plan, walk.context, walk.choose(word, walk.room).members, exits, scratch));
            walk.context.decided(model.atoms[result.back().decision.label]);
        });
    return result;
}

template Prefixes prefixes(const Model&, const learn::Table&, const corpus::Columns&, std::span<const std::uint32_t>,
                           std::span<const learn::Exit>, std::span<const std::uint32_t>);
template FinalScores final_scores(const Model&, const learn::Table&, const corpus::Columns&,
                                  std::span<const learn::Exit>, std::span<const std::uint32_t>);
template std::vector<learn::Trace> traces(const Model&, const learn::Table&, const corpus::Columns&,
                                          std::span<const learn::Exit>, std::span<const std::uint32_t>);

}  // namespace laconic::tag
