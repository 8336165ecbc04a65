#pragma once
// Tasks that decide about the words of a sentence one after another: labelling, calibration and explanations, written
// once for all of them.
//
// A walk has a function sentence(number, decide), which calls decide(context, candidates, word) for each word of the
// sentence in an order of its own; `word` is an index into the batch, and the label that decide returns is what later
// decisions see. A model for WalkOutcomes has its templates as `plan` and a nested class Walk, made from the model and
// the columns of a batch.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decide.hpp"
#include "learn/outcomes.hpp"
#include "learn/probability.hpp"
#include "learn/probe.hpp"
#include "learn/trace.hpp"

namespace laconic::learn {

// Labels every word. `temperatures`: see confidence(); empty: no confidences are computed.
template <Scorer T, class Walk>
Labelled label_words(Walk& walk, const Plan& plan, const T& table, const corpus::Columns& columns,
                     std::span<const Exit> exits, std::span<const double> temperatures) {
    auto scratch = scratch_for(table);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    for (const std::uint32_t sentence : columns.all_sentences())
        walk.sentence(sentence, [&](auto& context, std::span<const Label> candidates, std::size_t word) {
            const Decision taken = decide(table, plan, context, candidates, exits, scratch);
            result.labels[word] = taken.label;
            result.depths[word] = taken.depth;
            if (!temperatures.empty())
                result.confidences[word] = confidence(table, scratch, taken, candidates, temperatures);
            return taken.label;
        });
    result.rows = scratch.rows_read;
    return result;
}

// How each word of the sentences is decided, in the order of the walk.
template <Scorer T, class Walk, class Sentences>
std::vector<Trace> trace_words(Walk& walk, const Plan& plan, const T& table, std::span<const Exit> exits,
                               const Sentences& sentences) {
    auto scratch = scratch_for(table);
    std::vector<Trace> result;
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](auto& context, std::span<const Label> candidates, std::size_t) {
            result.push_back(trace(table, plan, context, candidates, exits, scratch));
            return result.back().decision.label;
        });
    return result;
}

template <class Model, class T>
Prefixes WalkOutcomes<Model, T>::prefixes(const Model& model, const T& table, const corpus::Columns& columns,
                                          std::span<const std::uint32_t> depths, std::span<const Exit> exits,
                                          std::span<const std::uint32_t> sentences) {
    typename Model::Walk walk(model, columns);
    auto scratch = scratch_for(table);
    Prefixes result;
    for (const std::uint32_t sentence : sentences) {
        const std::size_t before = result.leads.size();
        const std::size_t begin = columns.sentences[sentence];
        result.leads.resize(before + columns.size_of(sentence) * depths.size());
        result.labels.resize(result.leads.size());
        walk.sentence(sentence, [&](auto& context, std::span<const Label> candidates, std::size_t word) {
            std::size_t at = before + (word - begin) * depths.size();
            probe(table, model.plan, context, candidates, depths, scratch, [&](const Decision& now) {
                result.leads[at] = now.margin;
                result.labels[at++] = now.label;
            });
            return decide(table, model.plan, context, candidates, exits, scratch).label;
        });
    }
    return result;
}

template <class Model, class T>
FinalScores WalkOutcomes<Model, T>::final_scores(const Model& model, const T& table, const corpus::Columns& columns,
                                                 std::span<const Exit> exits,
                                                 std::span<const std::uint32_t> sentences) {
    typename Model::Walk walk(model, columns);
    auto scratch = scratch_for(table);
    FinalScores result;
    FinalScores walked;               // the decisions of a sentence in the order of the walk
    std::vector<std::size_t> number;  // of the decision about each word of the sentence, in `walked`
    for (const std::uint32_t sentence : sentences) {
        walked = {};
        number.resize(columns.size_of(sentence));
        walk.sentence(sentence, [&](auto& context, std::span<const Label> candidates, std::size_t word) {
            const Decision taken = decide(table, model.plan, context, candidates, exits, scratch);
            number[word - columns.sentences[sentence]] = walked.labels.size();
            record(walked, table, scratch, taken, candidates);
            return taken.label;
        });
        for (const std::size_t i : number) {
            result.labels.push_back(walked.labels[i]);
            result.depths.push_back(walked.depths[i]);
            result.gaps.insert(result.gaps.end(), walked.gaps.begin() + static_cast<std::ptrdiff_t>(walked.begins[i]),
                               walked.gaps.begin() + static_cast<std::ptrdiff_t>(walked.begins[i + 1]));
            result.begins.push_back(result.gaps.size());
        }
    }
    return result;
}

}  // namespace laconic::learn
