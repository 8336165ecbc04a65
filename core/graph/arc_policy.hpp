#pragma once
// The policy of he2013 over a parser's own features: a linear function of meta-features and of all features of an arc
// that were acquired so far, whose weights are rows of a table like those of the parser. And what it learns from: the
// questions that were asked in rounds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/arc_scorer.hpp"
#include "graph/policies.hpp"

namespace laconic::graph {

// The table has rows for the templates of the model that it is used with.
struct ArcPolicy {
    PolicyWeights weights;  // the temperature is one of real scores
    const learn::Table& table;
};

// What the policy's rows say of the features that the arc to a word has by now. Serves one thread.
class AcquiredFeatures {
public:
    // `first`: groups of the model before those of templates.
    AcquiredFeatures(const ArcModel& model, std::size_t first, const learn::Table& table,
                     const features::WordRows& rows, const corpus::Columns& columns)
        : scorer_(model, table, rows, columns), first_(first), scale_(table.scale()) {}

    void enter(std::size_t sentence) {
        scorer_.enter(sentence);
        sums_.assign(static_cast<std::size_t>(scorer_.context().size()), {});
    }
    // Cost: the groups that were added since the word was last asked about with this head.
    [[nodiscard]] double operator()(const Question& question) {
        Sum& known = sums_[static_cast<std::size_t>(question.word) - 1];
        if (known.head != question.head) known = {question.head, 0, 0};
        // Features of siblings are not among those that a policy weighs.
        for (const std::size_t depth = std::min(question.group - first_, scorer_.groups()); known.depth < depth;
             ++known.depth)
            scorer_.add(known.depth, question.word, {&known.head, 1}, {&known.sum, 1});
        return known.sum / scale_;
    }

private:
    struct Sum {
        Node head = corpus::none;
        std::size_t depth = 0;
        std::int32_t sum = 0;
    };

    ArcScorer scorer_;
    std::size_t first_;
    double scale_;
    std::vector<Sum> sums_;  // by word
};

// What a policy was asked, and what the right answer would have been.
struct Questions {
    std::vector<std::uint8_t> locked;        // is the head that was asked about the gold one?
    std::vector<std::uint32_t> groups;       // the next one
    std::vector<double> now, before, rival;  // scores; before the last group, and of the best rival
    // Features acquired: those of question i from begins[i] to begins[i + 1].
    std::vector<std::uint64_t> begins{0}, keys;
    std::vector<std::uint16_t> templates;
    std::vector<std::uint8_t> lanes;  // of each question
};

// Lets another policy answer, and writes down what it was asked.
template <Policy Answers>
struct RecordedPolicy {
    Answers& answers;
    const ArcModel& model;
    std::size_t first;  // groups before those of templates
    const ArcContext& context;
    std::span<const Node> gold;
    double scale;  // of scores
    Questions& questions;

    static constexpr bool reads_before = true;
    [[nodiscard]] Sum threshold(const Question& question) {
        const auto real = [&](Sum score) { return static_cast<double>(score) / scale; };
        questions.locked.push_back(gold[static_cast<std::size_t>(question.word) - 1] == question.head ? 1 : 0);
        questions.groups.push_back(static_cast<std::uint32_t>(question.group));
        questions.now.push_back(real(question.score));
        questions.before.push_back(real(question.before));
        questions.rival.push_back(real(question.score - question.lead));
        questions.lanes.push_back(static_cast<std::uint8_t>(lane_of(question.head, question.word)));
        const std::size_t groups = std::min(question.group - first, model.groups.size());
        const std::size_t depth = groups > 0 ? model.groups[groups - 1] : 0;
        for (std::size_t t = 0; t < depth; ++t)
            context.visit_keys(t, question.head, question.word, corpus::none, [&](std::uint64_t key) {
                questions.keys.push_back(key);
                questions.templates.push_back(static_cast<std::uint16_t>(t));
            });
        questions.begins.push_back(questions.keys.size());
        return answers.threshold(question);
    }
};

}  // namespace laconic::graph
