#include "tag/entities.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/hash.hpp"
#include "corpus/conllu_reader.hpp"
#include "learn/probe.hpp"

namespace laconic::tag {

namespace {

bool starts_document(const corpus::Columns& columns, std::size_t sentence) {
    std::string_view ignored;
    return std::ranges::any_of(columns.comments[sentence], [&](corpus::Span line) {
        return corpus::comment_value(columns.view(line), "newdoc", ignored);
    });
}

// The labels of one word: the one that those to the right see, and the one that history keeps.
struct Choice {
    Label label;
    Label noted;
};

// Goes over the words of the sentences. decide(context, number of the candidates, word) gives the Choice.
template <class Decide>
void walk(const Recogniser& recogniser, const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
          History& history, Decide&& decide) {
    const TokenReader reader(recogniser.plan, {recogniser.gazetteers, true});
    const features::WordRows rows(recogniser.lexicon, columns);
    const TokenBatch batch(reader, rows, columns);
    TokenContext context(batch, history, recogniser.atoms);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        const std::uint32_t sentence = sentences[s];
        if ((s > 0 && sentence != sentences[s - 1] + 1) || starts_document(columns, sentence)) history.start();
        const std::size_t begin = columns.sentences[sentence];
        const std::size_t size = columns.sentences[sentence + 1] - begin;
        context.enter(begin, begin + size);
        Label before = outside;
        for (std::size_t i = 0; i < size; ++i) {
            context.focus(i);
            const bool may_start = recogniser.may_start(context.row());
            const Choice choice =
                decide(context, recogniser.transitions.after(before, i + 1 == size, may_start), begin + i);
            context.decided(recogniser.atoms[choice.label]);
            // What can only be outside says nothing by being outside.
            if (may_start || choice.noted != outside)
                history.note(hash_bytes(columns.view(corpus::Field::form, begin + i)), choice.noted);
            history.pass();
            before = choice.label;
        }
    }
}

std::vector<std::uint32_t> all_sentences(const corpus::Columns& columns) {
    std::vector<std::uint32_t> sentences(columns.sentence_count());
    std::iota(sentences.begin(), sentences.end(), 0U);
    return sentences;
}

}  // namespace

Transitions::Transitions(std::size_t types) : sets_(bilou_labels(types)), never_(sets_.add({outside})) {
    std::vector<Label> closed{outside}, closed_last{outside};
    for (std::size_t t = 0; t < types; ++t) {
        const auto first = static_cast<Label>(bilou_labels(t));  // B, then I, L and U
        const auto label = [first](unsigned offset) { return static_cast<Label>(first + offset); };
        closed.insert(closed.end(), {label(0), label(3)});
        closed_last.push_back(label(3));
        open_.push_back(sets_.add({label(1), label(2)}));
        open_.push_back(sets_.add({label(2)}));
    }
    closed_ = {sets_.add(std::move(closed)), sets_.add(std::move(closed_last))};
}

void collect(learn::Examples& examples, const Recogniser& recogniser, const corpus::Columns& columns,
             std::span<const Label> gold, std::span<const Label> noted, std::span<const std::uint32_t> sentences) {
    std::vector<std::uint32_t> single(recogniser.atoms.size());
    for (std::size_t y = 0; y < single.size(); ++y) single[y] = examples.sets.add({static_cast<Label>(y)});
    History history(recogniser.atoms.size());
    walk(recogniser, columns, sentences, history, [&](TokenContext& context, std::uint32_t set, std::size_t word) {
        if (examples.sets[set].size() > 1) examples.add(recogniser.plan, context, single[gold[word]], set);
        return Choice{gold[word], noted[word]};
    });
}

template <learn::Scorer T>
Labelled tag(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
             std::span<const learn::Exit> exits, History& history) {
    learn::ScratchOf<T> scratch(table);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    const learn::LabelSets& sets = recogniser.transitions.sets();
    walk(recogniser, columns, all_sentences(columns), history,
         [&](TokenContext& context, std::uint32_t set, std::size_t word) {
             const learn::Decision decision = learn::decide(table, recogniser.plan, context, sets[set], exits, scratch);
             result.labels[word] = decision.label;
             result.depths[word] = decision.depth;
             return Choice{decision.label, decision.label};
         });
    result.rows = scratch.rows_read;
    return result;
}

template <learn::Scorer T>
Prefixes prefixes(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    learn::ScratchOf<T> scratch(table);
    Prefixes result;
    const learn::LabelSets& sets = recogniser.transitions.sets();
    History history(recogniser.atoms.size());
    walk(recogniser, columns, sentences, history, [&](TokenContext& context, std::uint32_t set, std::size_t) {
        learn::probe(table, recogniser.plan, context, sets[set], depths, scratch, result);
        const learn::Decision taken = learn::decide(table, recogniser.plan, context, sets[set], exits, scratch);
        return Choice{taken.label, taken.label};
    });
    return result;
}

template <learn::Scorer T>
std::vector<learn::Trace> traces(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    learn::ScratchOf<T> scratch(table);
    std::vector<learn::Trace> result;
    const learn::LabelSets& sets = recogniser.transitions.sets();
    History history(recogniser.atoms.size());
    walk(recogniser, columns, sentences, history, [&](TokenContext& context, std::uint32_t set, std::size_t) {
        result.push_back(learn::trace(table, recogniser.plan, context, sets[set], exits, scratch));
        const Label label = result.back().decision.label;
        return Choice{label, label};
    });
    return result;
}

template Labelled tag(const Recogniser&, const learn::Table&, const corpus::Columns&, std::span<const learn::Exit>,
                      History&);
template Prefixes prefixes(const Recogniser&, const learn::Table&, const corpus::Columns&,
                           std::span<const std::uint32_t>, std::span<const learn::Exit>,
                           std::span<const std::uint32_t>);
template std::vector<learn::Trace> traces(const Recogniser&, const learn::Table&, const corpus::Columns&,
                                          std::span<const learn::Exit>, std::span<const std::uint32_t>);

}  // namespace laconic::tag
