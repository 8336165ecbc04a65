#pragma once
// What is known of decisions about the words of a document, one after another.

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "learn/decision.hpp"
#include "learn/labels.hpp"

namespace laconic::learn {

struct Labelled {
    std::vector<Label> labels;          // one per word
    std::vector<std::uint32_t> depths;  // templates computed; 0 where the decision about another word was taken over
    std::vector<float> confidences;     // empty unless wanted: then depths are those of the decision, taken over or not
    std::uint64_t rows = 0;             // cache lines of weights read
};

// For the calibration of margins: the lead and the label after each of some depths, a row per decision. The lead of a
// decision with one candidate is `never`.
struct Prefixes {
    std::vector<std::int32_t> leads;
    std::vector<Label> labels;
};

// For the calibration of confidence: each decision where it was taken. The scores of the candidates at the exit, less
// the best one, are gaps[begins[i], begins[i + 1]).
struct FinalScores {
    std::vector<Label> labels;
    std::vector<std::uint32_t> depths;
    std::vector<std::uint64_t> begins{0};
    std::vector<float> gaps;
};

// Both for a model that walks through sentences, along the labels that `exits` lead to; rows are in the order of the
// words, whatever the order of the walk. learn/walk.hpp says what such a model has and defines the members; the source
// file of a task instantiates them for each scorer.
template <class Model, class T>
struct WalkOutcomes {
    static Prefixes prefixes(const Model& model, const T& table, const corpus::Columns& columns,
                             std::span<const std::uint32_t> depths, std::span<const Exit> exits,
                             std::span<const std::uint32_t> sentences);
    static FinalScores final_scores(const Model& model, const T& table, const corpus::Columns& columns,
                                    std::span<const Exit> exits, std::span<const std::uint32_t> sentences);
};

template <class Model, class T>
    requires requires { typename Model::Walk; }
Prefixes prefixes(const Model& model, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    return WalkOutcomes<Model, T>::prefixes(model, table, columns, depths, exits, sentences);
}
template <class Model, class T>
    requires requires { typename Model::Walk; }
FinalScores final_scores(const Model& model, const T& table, const corpus::Columns& columns,
                         std::span<const Exit> exits, std::span<const std::uint32_t> sentences) {
    return WalkOutcomes<Model, T>::final_scores(model, table, columns, exits, sentences);
}

}  // namespace laconic::learn
