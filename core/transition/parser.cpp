#include "transition/parser.hpp"

#include <cmath>
#include <utility>

namespace laconic::transition {

namespace {

using learn::Decision;
using learn::Table;

Question<Table> ask_moves(const Model& model, const Weights& weights, const Sight& sight, const State& state) {
    return {weights.moves, model.plan, weights.exits, StateContext(sight.moves, sight.words, state, model.relations)};
}
Question<Table> ask_labels(const Model& model, const Weights& weights, const Sight& sight, const State& state) {
    return {weights.labels, model.label_plan, weights.label_exits,
            StateContext(sight.labels, sight.words, state, model.relations)};
}

// The share of the best candidate, at the temperature of the depth where the decision ended.
float confidence(const Question<Table>& question, const Decision& decision, std::span<const Label> candidates,
                 std::span<const double> temperatures) {
    if (candidates.size() == 1) return static_cast<float>(temperatures[0]);
    const double unit = question.table.scale() * temperatures[decision.depth];
    const std::int32_t best = learn::score_of(question.table, question.scratch, decision.label);
    double sum = 0;
    for (const Label y : candidates)
        sum += std::exp((learn::score_of(question.table, question.scratch, y) - best) / unit);
    return static_cast<float>(1 / sum);
}

void record(Endings& endings, const Question<Table>& question, const Decision& decision,
            std::span<const Label> candidates, std::size_t word) {
    if (candidates.size() == 1) {
        endings.gaps.push_back(0);
    } else {
        const std::int32_t best = learn::score_of(question.table, question.scratch, decision.label);
        for (const Label y : candidates)
            endings.gaps.push_back(static_cast<float>((learn::score_of(question.table, question.scratch, y) - best) /
                                                      question.table.scale()));
    }
    endings.depths.push_back(decision.depth);
    endings.begins.push_back(endings.gaps.size());
    endings.words.push_back(static_cast<std::uint32_t>(word));
}

// Calls visit(sentence, begin) for each sentence, with its words at hand and the state at its start.
template <class Sentences, class Visit>
void each_sentence(const corpus::Columns& columns, Sight& sight, State& state, const Sentences& sentences,
                   Visit&& visit) {
    for (const std::size_t sentence : sentences) {
        sight.words.enter(sentence);
        state.start(sight.words.size());
        visit(std::size_t{columns.sentences[sentence]});
    }
}

std::vector<std::uint32_t> all_sentences(const corpus::Columns& columns) {
    std::vector<std::uint32_t> numbers(columns.sentence_count());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

}  // namespace

Parsed parse(const Model& model, const Weights& weights, const corpus::Columns& columns,
             std::span<const double> temperatures, std::span<const double> label_temperatures) {
    Sight sight(model, columns);
    State state;
    PairBrain<Question<Table>> brain{ask_moves(model, weights, sight, state), ask_labels(model, weights, sight, state)};
    Parsed result;
    result.heads.resize(columns.words());
    result.relations.resize(columns.words());
    if (!temperatures.empty()) {
        // A word that no move attached is as sure as a decision without a choice.
        result.head_confidences.resize(columns.words(), static_cast<float>(temperatures[0]));
        result.label_confidences.resize(columns.words(), 1.0F);
    }
    with_system(model.classes.system(), model.single_root, [&](const auto& system) {
        each_sentence(columns, sight, state, all_sentences(columns), [&](std::size_t begin) {
            walk(system, model.classes, state, brain, [&](const Step& step) {
                ++result.work.decisions;
                result.work.templates += step.move.depth;
                if (!step.relations.empty()) {
                    ++result.work.label_decisions;
                    result.work.label_templates += step.label.depth;
                }
                if (temperatures.empty() || !step.arc.exists()) return;
                const std::size_t word = begin + static_cast<std::size_t>(step.arc.dependent) - 1;
                result.head_confidences[word] = confidence(brain.moves, step.move, step.classes, temperatures);
                if (!step.relations.empty())
                    result.label_confidences[word] =
                        confidence(brain.labels, step.label, step.relations, label_temperatures);
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
    });
    result.work.rows = brain.moves.scratch.rows_read + brain.labels.scratch.rows_read;
    return result;
}

Parsed parse_ahead(const Model& model, const Weights& weights, const corpus::Columns& columns, Ahead ahead) {
    Sight sight(model, columns);
    State state;
    PairBrain<Question<Table>> brain{ask_moves(model, weights, sight, state), ask_labels(model, weights, sight, state)};
    Parsed result;
    result.heads.resize(columns.words());
    result.relations.resize(columns.words());
    with_system(model.classes.system(), model.single_root, [&](const auto& system) {
        Lookahead search(system, model.classes, brain, ahead);
        each_sentence(columns, sight, state, all_sentences(columns), [&](std::size_t begin) {
            search.walk(state, [&](const Decision& decision) {
                ++result.work.decisions;
                result.work.templates += decision.depth;
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
    });
    result.work.rows = brain.moves.scratch.rows_read + brain.labels.scratch.rows_read;
    return result;
}

Prefixes prefixes(const Model& model, const Weights& weights, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const std::uint32_t> label_depths,
                  std::span<const std::uint32_t> sentences) {
    Sight sight(model, columns);
    State state;
    PairBrain<ProbingQuestion<Table>> brain{{ask_moves(model, weights, sight, state), depths},
                                            {ask_labels(model, weights, sight, state), label_depths}};
    with_system(model.classes.system(), model.single_root, [&](const auto& system) {
        each_sentence(columns, sight, state, sentences,
                      [&](std::size_t) { walk(system, model.classes, state, brain, [](const Step&) {}); });
    });
    return {std::move(brain.moves.leads), std::move(brain.labels.leads), std::move(brain.moves.labels),
            std::move(brain.labels.labels)};
}

ArcEndings endings(const Model& model, const Weights& weights, const corpus::Columns& columns,
                   std::span<const std::uint32_t> sentences) {
    Sight sight(model, columns);
    State state;
    PairBrain<Question<Table>> brain{ask_moves(model, weights, sight, state), ask_labels(model, weights, sight, state)};
    ArcEndings result;
    result.heads.resize(columns.words(), none);
    result.relations.resize(columns.words(), no_relation);
    with_system(model.classes.system(), model.single_root, [&](const auto& system) {
        each_sentence(columns, sight, state, sentences, [&](std::size_t begin) {
            walk(system, model.classes, state, brain, [&](const Step& step) {
                if (!step.arc.exists()) return;
                const std::size_t word = begin + static_cast<std::size_t>(step.arc.dependent) - 1;
                record(result.moves, brain.moves, step.move, step.classes, word);
                if (!step.relations.empty()) record(result.labels, brain.labels, step.label, step.relations, word);
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
    });
    return result;
}

}  // namespace laconic::transition
