#include "tag/tagger.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "learn/decision_atoms.hpp"
#include "learn/walk.hpp"
#include "tag/interleaved.hpp"

namespace laconic::tag {

// Everything that reading a batch needs, and the walk over its words from left to right.
class Model::Walk {
public:
    Walk(const Model& model, const corpus::Columns& columns)
        : model_(model),
          columns_(columns),
          reader_(model.plan),
          rows_(model.lexicon, columns),
          batch(reader_, rows_, columns),
          choose(model.candidates, rows_, columns),
          context_(batch) {}

    // See learn/walk.hpp.
    template <class Decide>
    void sentence(std::size_t number, Decide&& decide) {
        visit(number, [&](TokenContext& context, std::size_t word) {
            return decide(context, choose(word, fitting_).members, word);
        });
    }
    // The same without a choice of candidates: decide(context, word).
    template <class Decide>
    void visit(std::size_t number, Decide&& decide) {
        const std::size_t begin = columns_.sentences[number];
        const std::size_t size = columns_.size_of(number);
        context_.enter(begin, begin + size);
        for (std::size_t i = 0; i < size; ++i) {
            context_.focus(i);
            if (const Label label = decide(context_, begin + i); label != no_label)
                context_.decided(model_.atoms[label]);
        }
    }

    // Does every template look at the word in focus alone, at what is given of it, and at nothing else? Then words of
    // one type share a decision.
    [[nodiscard]] bool alone() const {
        const std::vector<corpus::Field>& given = model_.candidates.given;
        return !given.empty() && reader_.reads_only(given);
    }

private:
    const Model& model_;
    const corpus::Columns& columns_;
    TokenReader reader_;
    features::WordRows rows_;

public:
    TokenBatch batch;
    Chooser choose;

private:
    TokenContext context_;
    std::vector<Label> fitting_;  // candidates that fit the word in focus
};

template <class Store>
void collect(Store& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint32_t> sentences) {
    Model::Walk walk(model, columns);
    const std::vector<std::uint32_t> single = examples.sets.add_singletons();
    for (const std::uint32_t sentence : sentences)
        walk.visit(sentence, [&](TokenContext& context, std::size_t word) {
            const Label right = gold[word];
            const std::uint32_t number = walk.choose.find(word).set;
            const std::span<const Label> likely = model.candidates.sets[number];
            const bool covered = std::ranges::binary_search(likely, right);
            // A word with one candidate needs no decision: it teaches nothing.
            if (!covered || likely.size() > 1) examples.add(model.plan, context, single[right], covered ? number : 0);
            return right;
        });
}
template void collect(learn::Examples&, const Model&, const corpus::Columns&, std::span<const Label>,
                      std::span<const std::uint32_t>);
template void collect(learn::DecisionAtoms&, const Model&, const corpus::Columns&, std::span<const Label>,
                      std::span<const std::uint32_t>);

void collect_types(learn::Examples& examples, const Model& model, const corpus::Columns& columns,
                   std::span<const Label> gold, std::span<const std::uint32_t> sentences) {
    Model::Walk walk(model, columns);
    const std::vector<std::uint32_t> single = examples.sets.add_singletons();
    std::unordered_map<std::uint64_t, std::vector<Label>> seen;
    for (const std::uint32_t sentence : sentences)
        walk.visit(sentence, [&](TokenContext& context, std::size_t word) {
            const Label right = gold[word];
            if (right == no_label) return no_label;
            std::vector<Label>& labels = seen[walk.choose.type(word)];
            if (std::ranges::find(labels, right) != labels.end()) return no_label;
            labels.push_back(right);
            std::vector<Label> likely = walk.choose.unseen(word);
            const bool covered = std::ranges::binary_search(likely, right);
            if (!covered || likely.size() > 1)
                examples.add(model.plan, context, single[right], covered ? examples.sets.add(std::move(likely)) : 0);
            return no_label;
        });
}

Labelled tag(const Model& model, const learn::Table& table, const FormScores& form_scores,
             const corpus::Columns& columns, std::span<const learn::Exit> exits, std::span<const double> temperatures) {
    Model::Walk walk(model, columns);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    // Words that look alike are decided once.
    const bool alone = walk.alone();
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
std::vector<learn::Trace> traces(const Model& model, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    Model::Walk walk(model, columns);
    return learn::trace_words(walk, model.plan, table, exits, sentences);
}

template std::vector<learn::Trace> traces(const Model&, const learn::Table&, const corpus::Columns&,
                                          std::span<const learn::Exit>, std::span<const std::uint32_t>);

}  // namespace laconic::tag

template struct laconic::learn::WalkOutcomes<laconic::tag::Model, laconic::learn::Table>;
