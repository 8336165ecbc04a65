#include "tag/tagger.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
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

    // One word, if every template looks at that word alone: decide(context, candidates, plan).
    template <class Decide>
    void single(std::size_t word, Decide&& decide) {
        context_.enter(word, word + 1);
        context_.focus(0);
        decide(context_, choose(word, fitting_).members, model_.plan);
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

namespace {

// Where each type of word was met first. Open addressing, at most half full.
class FirstWords {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    FirstWords() : slots_(1024), mask_(slots_.size() - 1) {}

    // The first word with the key; this one, if there was none.
    std::uint32_t add(std::uint64_t key, std::uint32_t word) {
        Slot* slot = find(key);
        if (slot->word != none) return slot->word;
        *slot = {key, word};
        if (2 * ++held_ > slots_.size()) grow();
        return word;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t word = none;
    };

    [[nodiscard]] Slot* find(std::uint64_t key) noexcept {
        std::size_t at = scramble(key) & mask_;
        while (slots_[at].word != none && slots_[at].key != key) at = (at + 1) & mask_;
        return &slots_[at];
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.word != none) *find(slot.key) = slot;
    }

    std::vector<Slot> slots_;
    std::size_t mask_, held_ = 0;
};

// Words that look alike to every template are decided once.
void tag_types(Model::Walk& walk, const learn::Table& table, std::span<const learn::Exit> exits,
               std::span<const double> temperatures, Labelled& result) {
    FirstWords first;
    learn::Scratch scratch(table);
    for (std::size_t word = 0; word < result.labels.size(); ++word) {
        const std::uint32_t same = first.add(walk.choose.type(word), static_cast<std::uint32_t>(word));
        if (same != word) {
            result.labels[word] = result.labels[same];
            if (temperatures.empty()) continue;
            result.confidences[word] = result.confidences[same];
            result.depths[word] = result.depths[same];  // by which the confidence is corrected
            continue;
        }
        walk.single(word, [&](TokenContext& context, std::span<const Label> likely, const features::Plan& plan) {
            const learn::Decision decision = learn::decide(table, plan, context, likely, exits, scratch);
            result.labels[word] = decision.label;
            result.depths[word] = decision.depth;
            if (!temperatures.empty())
                result.confidences[word] = learn::confidence(table, scratch, decision, likely, temperatures);
        });
    }
    result.rows = scratch.rows_read;
}

}  // namespace

Labelled tag(const Model& model, const learn::Table& table, const FormScores& form_scores,
             const corpus::Columns& columns, std::span<const learn::Exit> exits, std::span<const double> temperatures) {
    Model::Walk walk(model, columns);
    form_scores.prepare(walk.batch.rows().type_ids());
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    if (walk.alone()) {
        tag_types(walk, table, exits, temperatures, result);
        return result;
    }
    const auto done = [&](std::size_t word, const learn::Decision& decision, std::span<const Label> likely,
                          const learn::Scratch& scratch) {
        result.labels[word] = decision.label;
        result.depths[word] = decision.depth;
        if (!temperatures.empty())
            result.confidences[word] = learn::confidence(table, scratch, decision, likely, temperatures);
    };
    result.rows = InterleavedSentences(model, table, form_scores, exits, walk.batch, walk.choose, !temperatures.empty())
                      .run(done);
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
