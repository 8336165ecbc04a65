#include "transition/parser.hpp"

#include <cmath>
#include <utility>

namespace laconic::transition {

namespace {

using learn::Decision;
using learn::HiddenTable;
using learn::Table;

Question<Table> ask_moves(const Model& model, const Weights<Table>& weights, const Sight& sight, const State& state) {
    return {weights.moves, model.plan, weights.exits, StateContext(sight.moves, sight.words, state, model.relations)};
}
Question<Table> ask_labels(const Model& model, const Weights<Table>& weights, const Sight& sight, const State& state) {
    return {weights.labels, model.label_plan, weights.label_exits,
            StateContext(sight.labels, sight.words, state, model.relations)};
}

// Calls use(brain) with what decides for a parser with these weights.
template <class Use>
void with_brain(const Model& model, const Weights<Table>& weights, const Sight& sight, const State& state, Use&& use) {
    PairBrain<Question<Table>> brain{ask_moves(model, weights, sight, state), ask_labels(model, weights, sight, state)};
    use(brain);
}
template <class Use>
void with_brain(const Model& model, const Weights<HiddenTable>& weights, const Sight& sight, const State& state,
                Use&& use) {
    const Questions questions(model.classes, model.relations.size());
    HiddenBrain brain(weights.moves, model.plan, questions, weights.exits, weights.label_exits,
                      StateContext(sight.moves, sight.words, state, model.relations));
    use(brain);
}

// The same with what every one of the depths says.
struct Depths {
    std::span<const std::uint32_t> moves, labels;
};
template <class Walk>
Prefixes probed(const Model& model, const Weights<Table>& weights, const Sight& sight, const State& state,
                const Depths& depths, Walk&& walk) {
    PairBrain<ProbingQuestion<Table>> brain{{ask_moves(model, weights, sight, state), depths.moves},
                                            {ask_labels(model, weights, sight, state), depths.labels}};
    walk(brain);
    return {std::move(brain.moves.leads), std::move(brain.labels.leads), std::move(brain.moves.labels),
            std::move(brain.labels.labels)};
}
template <class Walk>
Prefixes probed(const Model& model, const Weights<HiddenTable>& weights, const Sight& sight, const State& state,
                const Depths& depths, Walk&& walk) {
    const Questions questions(model.classes, model.relations.size());
    HiddenBrain brain(weights.moves, model.plan, questions, weights.exits, weights.label_exits,
                      StateContext(sight.moves, sight.words, state, model.relations), depths.moves, depths.labels);
    walk(brain);
    return {std::move(brain.leads), std::move(brain.label_leads), std::move(brain.labels),
            std::move(brain.label_labels)};
}

// The share of the best candidate, at the temperature of the depth where the decision ended.
template <class Candidate, class Gap>
float confidence(const Decision& decision, std::span<const Candidate> candidates, std::span<const double> temperatures,
                 Gap&& gap) {
    if (candidates.size() == 1) return static_cast<float>(temperatures[0]);
    double sum = 0;
    for (const Candidate y : candidates) sum += std::exp(gap(y) / temperatures[decision.depth]);
    return static_cast<float>(1 / sum);
}

template <class Candidate, class Gap>
void record(Endings& endings, const Decision& decision, std::span<const Candidate> candidates, std::size_t word,
            Gap&& gap) {
    for (const Candidate y : candidates)
        endings.gaps.push_back(candidates.size() == 1 ? 0.0F : static_cast<float>(gap(y)));
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

template <class T>
Parsed parse(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
             std::span<const double> temperatures, std::span<const double> label_temperatures) {
    Sight sight(model, columns);
    State state;
    Parsed result;
    result.heads.resize(columns.words());
    result.relations.resize(columns.words());
    if (!temperatures.empty()) {
        // A word that no move attached is as sure as a decision without a choice.
        result.head_confidences.resize(columns.words(), static_cast<float>(temperatures[0]));
        result.label_confidences.resize(columns.words(), 1.0F);
    }
    with_brain(model, weights, sight, state, [&]<class B>(B& brain) {
        each_sentence(columns, sight, state, all_sentences(columns), [&](std::size_t begin) {
            walk(model.classes, state, brain, [&](const Step& step) {
                ++result.work.decisions;
                result.work.templates += step.move.depth;
                if (!step.relations.empty()) {
                    ++result.work.label_decisions;
                    result.work.label_templates += step.label.depth - (B::one_sum ? step.move.depth : 0);
                }
                if (temperatures.empty() || !step.arc.exists()) return;
                const std::size_t word = begin + static_cast<std::size_t>(step.arc.dependent) - 1;
                result.head_confidences[word] = confidence(step.move, step.classes, temperatures,
                                                           [&](Label y) { return brain.move_gap(y, step.move); });
                if (!step.relations.empty())
                    result.label_confidences[word] =
                        confidence(step.label, step.relations, label_temperatures,
                                   [&](Relation y) { return brain.label_gap(step.arc, y, step.label); });
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
        result.work.rows = brain.rows();
    });
    return result;
}

template <class T>
Parsed parse_ahead(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, Ahead ahead) {
    Sight sight(model, columns);
    State state;
    Parsed result;
    result.heads.resize(columns.words());
    result.relations.resize(columns.words());
    with_brain(model, weights, sight, state, [&](auto& brain) {
        Lookahead search(model.classes, brain, ahead);
        each_sentence(columns, sight, state, all_sentences(columns), [&](std::size_t begin) {
            search.walk(state, [&](const Decision& decision) {
                ++result.work.decisions;
                result.work.templates += decision.depth;
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
        result.work.rows = brain.rows();
    });
    return result;
}

template <class T>
Forest parse_wide(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, Breadth breadth,
                  std::size_t trees) {
    Sight sight(model, columns);
    State state;
    Forest result;
    with_brain(model, weights, sight, state, [&]<class B>(B& brain) {
        Beam beam(model.classes, brain, breadth);
        each_sentence(columns, sight, state, all_sentences(columns), [&](std::size_t) {
            const auto ways =
                beam.walk(state, [&](const Decision& move, std::uint32_t labels, std::uint32_t templates) {
                    ++result.work.decisions;
                    result.work.templates += move.depth;
                    result.work.label_decisions += labels;
                    result.work.label_templates += templates;
                });
            std::size_t kept = 0;
            for (std::size_t i = 0; i < ways.size() && kept < trees; ++i) {
                const State& found = ways[i].state;
                const auto same = [&](const auto& other) {
                    return std::ranges::equal(other.state.heads(), found.heads()) &&
                           std::ranges::equal(other.state.relations(), found.relations());
                };
                if (std::ranges::any_of(ways.first(i), same)) continue;  // other moves, same tree
                ++kept;
                result.worths.push_back(ways[i].worth);
                result.heads.insert(result.heads.end(), found.heads().begin(), found.heads().end());
                result.relations.insert(result.relations.end(), found.relations().begin(), found.relations().end());
            }
            result.counts.push_back(static_cast<std::uint32_t>(kept));
        });
        result.work.rows = brain.rows();
    });
    return result;
}

template <class T>
Prefixes prefixes(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const std::uint32_t> label_depths,
                  std::span<const std::uint32_t> sentences) {
    Sight sight(model, columns);
    State state;
    return probed(model, weights, sight, state, {depths, label_depths}, [&](auto& brain) {
        each_sentence(columns, sight, state, sentences,
                      [&](std::size_t) { walk(model.classes, state, brain, [](const Step&) {}); });
    });
}

template <class T>
ArcEndings endings(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                   std::span<const std::uint32_t> sentences) {
    Sight sight(model, columns);
    State state;
    ArcEndings result;
    result.heads.resize(columns.words(), none);
    result.relations.resize(columns.words(), no_relation);
    with_brain(model, weights, sight, state, [&](auto& brain) {
        each_sentence(columns, sight, state, sentences, [&](std::size_t begin) {
            walk(model.classes, state, brain, [&](const Step& step) {
                if (!step.arc.exists()) return;
                const std::size_t word = begin + static_cast<std::size_t>(step.arc.dependent) - 1;
                record(result.moves, step.move, step.classes, word,
                       [&](Label y) { return brain.move_gap(y, step.move); });
                if (!step.relations.empty())
                    record(result.labels, step.label, step.relations, word,
                           [&](Relation y) { return brain.label_gap(step.arc, y, step.label); });
            });
            std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
            std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
        });
    });
    return result;
}

template <class T>
ArcTraces traces(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                 std::span<const std::uint32_t> sentences) {
    Sight sight(model, columns);
    State state;
    ArcTraces result;
    with_brain(model, weights, sight, state, [&](auto& brain) {
        each_sentence(columns, sight, state, sentences, [&](std::size_t begin) {
            const auto place = [&](Node node) { return static_cast<std::int32_t>(begin) + node - 1; };
            walk(model.classes, state, brain, [&](const Step& step) {
                if (!step.arc.exists()) return;
                result.words.push_back(static_cast<std::uint32_t>(place(step.arc.dependent)));
                result.heads.push_back(step.arc.head == root ? none : place(step.arc.head));
                result.moves.push_back(brain.trace_move(step.classes));
                if (!step.relations.empty()) result.labels.push_back(brain.trace_label(step.arc, step.relations));
            });
        });
    });
    return result;
}

template Parsed parse(const Model&, const Weights<Table>&, const corpus::Columns&, std::span<const double>,
                      std::span<const double>);
template Parsed parse(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, std::span<const double>,
                      std::span<const double>);
template Parsed parse_ahead(const Model&, const Weights<Table>&, const corpus::Columns&, Ahead);
template Parsed parse_ahead(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, Ahead);
template Forest parse_wide(const Model&, const Weights<Table>&, const corpus::Columns&, Breadth, std::size_t);
template Forest parse_wide(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, Breadth, std::size_t);
template Prefixes prefixes(const Model&, const Weights<Table>&, const corpus::Columns&, std::span<const std::uint32_t>,
                           std::span<const std::uint32_t>, std::span<const std::uint32_t>);
template Prefixes prefixes(const Model&, const Weights<HiddenTable>&, const corpus::Columns&,
                           std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                           std::span<const std::uint32_t>);
template ArcEndings endings(const Model&, const Weights<Table>&, const corpus::Columns&,
                            std::span<const std::uint32_t>);
template ArcEndings endings(const Model&, const Weights<HiddenTable>&, const corpus::Columns&,
                            std::span<const std::uint32_t>);
template ArcTraces traces(const Model&, const Weights<Table>&, const corpus::Columns&, std::span<const std::uint32_t>);
template ArcTraces traces(const Model&, const Weights<HiddenTable>&, const corpus::Columns&,
                          std::span<const std::uint32_t>);

}  // namespace laconic::transition
