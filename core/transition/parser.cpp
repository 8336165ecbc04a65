#include "transition/parser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace laconic::transition {

namespace {

using learn::Decision;
using learn::HiddenTable;
using learn::Table;

// Depths to probe, for calibration.
struct Depths {
    std::span<const std::uint32_t> moves, labels;
};

// Calls use(model) with what chooses actions for a parser with these weights. move_context() and label_context() make
// what its classifiers read a state with.
template <learn::Scorer T, class MoveContext, class LabelContext, class Use>
void with_action_model(const Model& model, const Weights<T>& weights, const BatchRelations& relations,
                       const Depths& depths, MoveContext&& move_context, LabelContext&& label_context, Use&& use) {
    using Classifier = TableClassifier<T, decltype(move_context())>;
    SeparateModel<T, decltype(move_context())> actions{
        Classifier(weights.moves, model.plan, weights.exits, move_context(), depths.moves),
        Classifier(weights.labels, model.label_plan, weights.label_exits, label_context(), depths.labels), relations};
    use(actions);
}
template <class MoveContext, class LabelContext, class Use>
void with_action_model(const Model& model, const Weights<HiddenTable>& weights, const BatchRelations& relations,
                       const Depths& depths, MoveContext&& move_context, LabelContext&&, Use&& use) {
    SharedModel<HiddenTable, decltype(move_context())> actions(weights.moves, model.plan, model.joint_labels, relations,
                                                               weights.exits, weights.label_exits, move_context(),
                                                               depths.moves, depths.labels);
    use(actions);
}

// Calls use(actions, state, each_sentence): what chooses the actions of this batch, the state that it reads, and a
// function each_sentence(sentences, visit) that enters one sentence after another and calls visit(begin) with the index
// of its first word and the state at its start.
template <learn::Scorer T, class Use>
void with_batch(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, const Depths& depths,
                Use&& use) {
    BatchInputs inputs(model, columns);
    BatchRelations relations(model.relation_sets, columns, model.pos);
    State state;
    const auto interpreter = [&](const Reader& reader) {
        return StateContext(reader, inputs.words, state, model.relations);
    };
    // `words` is what a sentence is entered in.
    const auto run = [&](auto& words, auto&& move_context, auto&& label_context) {
        const auto each_sentence = [&](const auto& sentences, auto&& visit) {
            for (const std::size_t sentence : sentences) {
                words.enter(sentence);
                relations.enter(sentence);
                state.start(columns.size_of(sentence));
                visit(std::size_t{columns.sentences[sentence]});
            }
        };
        with_action_model(model, weights, relations, depths, move_context, label_context,
                          [&](auto& actions) { use(actions, state, each_sentence); });
    };
    if constexpr (learn::NumbersRows<T>) {
        if (weights.compiled != nullptr) {
            features::NumberedWords numbers(weights.compiled->numbers, inputs.rows, columns);
            const auto context = [&](const T& table, const features::Plan& plan, const Reader& reader,
                                     PlanCompiler& compiler) {
                return CompiledContext<T>(table, plan, compiler.compiled(numbers.capacities()), reader, numbers,
                                          inputs.rows, columns, inputs.words, state, interpreter(reader));
            };
            CompiledPlans& plans = *weights.compiled;
            return run(
                numbers, [&] { return context(weights.moves, model.plan, model.readers.moves, plans.moves); },
                [&] { return context(weights.labels, model.label_plan, model.readers.labels, plans.labels); });
        }
    }
    run(
        inputs.words, [&] { return interpreter(model.readers.moves); },
        [&] { return interpreter(model.readers.labels); });
}

// The dependent of a step's arc by its index in the document, in a sentence that begins at this word.
std::uint32_t word_of(const Step& step, std::size_t begin) noexcept {
    return static_cast<std::uint32_t>(begin + static_cast<std::size_t>(step.arc.dependent) - 1);
}

// Memory for the tree of every word.
template <class Result>
void resize_trees(Result& result, const corpus::Columns& columns) {
    result.heads.resize(columns.words(), none);
    result.relations.resize(columns.words(), no_relation);
}

// The finished tree of the sentence that begins at this word.
template <class Result>
void store_tree(Result& result, const State& state, std::size_t begin) {
    std::ranges::copy(state.heads(), result.heads.begin() + static_cast<std::ptrdiff_t>(begin));
    std::ranges::copy(state.relations(), result.relations.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace

template <learn::Scorer T>
Parsed parse(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, const BeamOptions& search,
             std::span<const double> temperatures, std::span<const double> label_temperatures) {
    Parsed result;
    resize_trees(result, columns);
    if (!temperatures.empty()) {
        // A word that no move attached is as sure as a decision without a choice.
        result.head_confidences.resize(columns.words(), static_cast<float>(temperatures[0]));
        result.label_confidences.resize(columns.words(), 1.0F);
    }
    with_batch(model, weights, columns, {}, [&]<ActionModel A>(A& actions, State& state, const auto& each_sentence) {
        const auto count = [&](const Decision& move, std::uint32_t labels, std::uint32_t templates) {
            ++result.work.decisions;
            result.work.templates += move.depth;
            result.work.label_decisions += labels;
            result.work.label_templates += templates;
        };
        const auto rate_move = [&](const Step& step, std::size_t begin) {
            if (temperatures.empty() || !step.arc.exists()) return;
            result.head_confidences[word_of(step, begin)] = learn::confidence(
                step.move, step.actions, temperatures, [&](Label y) { return actions.move_gap(y, step.move); });
        };
        const auto rate_label = [&](const Step& step, std::size_t begin) {
            if (temperatures.empty() || step.choice.relations.empty()) return;
            result.label_confidences[word_of(step, begin)] =
                learn::confidence(step.label, step.choice.relations, label_temperatures,
                                  [&](Relation y) { return actions.label_gap(step.arc, y, step.label); });
        };
        std::uint64_t rows_again = 0;  // for confidences of what a beam found: no part of finding it
        Beam beam(model.actions, actions, search);
        each_sentence(columns.all_sentences(), [&](std::size_t begin) {
            if (search.width == 1) {
                walk(
                    model.actions, state, actions, [&](const Step& step) { rate_move(step, begin); },
                    [&](const Step& step) {
                        const bool labelled = !step.choice.relations.empty();
                        count(step.move, labelled ? 1 : 0,
                              labelled ? step.label.depth - (A::one_sum ? step.move.depth : 0) : 0);
                        rate_label(step, begin);
                    });
                return store_tree(result, state, begin);
            }
            const auto& best = beam.walk(state, count).front();
            store_tree(result, best.state, begin);
            if (temperatures.empty()) return;
            const std::uint64_t before = actions.rows();
            actions.look_at(state);
            walk(
                model.actions, state, actions, [&](const Step& step) { rate_move(step, begin); },
                [&](const Step& step) { rate_label(step, begin); }, beam.path(best));
            rows_again += actions.rows() - before;
        });
        result.work.rows = actions.rows() - rows_again;
    });
    return result;
}

Parsed parse_hashed(const Model& model, const learn::HashedTable& moves, const learn::HashedTable& labels,
                    const corpus::Columns& columns) {
    const learn::Exit last{static_cast<std::uint32_t>(model.plan.size()), learn::never};
    const learn::Exit label_last{static_cast<std::uint32_t>(model.label_plan.size()), learn::never};
    return parse(model, Weights<learn::HashedTable>{moves, labels, {&last, 1}, {&label_last, 1}}, columns);
}

template <learn::Scorer T>
Parsed parse_lookahead(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                       LookaheadOptions options) {
    Parsed result;
    resize_trees(result, columns);
    with_batch(model, weights, columns, {}, [&](auto& actions, State& state, const auto& each_sentence) {
        Lookahead search(model.actions, actions, options);
        each_sentence(columns.all_sentences(), [&](std::size_t begin) {
            search.walk(state, [&](const Decision& decision) {
                ++result.work.decisions;
                result.work.templates += decision.depth;
            });
            store_tree(result, state, begin);
        });
        result.work.rows = actions.rows();
    });
    return result;
}

template <learn::Scorer T>
KBest best_trees(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, BeamOptions search,
                 std::size_t trees) {
    KBest result;
    search.exact_scores = true;
    with_batch(model, weights, columns, {}, [&]<ActionModel A>(A& actions, State& state, const auto& each_sentence) {
        Beam beam(model.actions, actions, search);
        each_sentence(columns.all_sentences(), [&](std::size_t) {
            const auto hypotheses =
                beam.walk(state, [&](const Decision& move, std::uint32_t labels, std::uint32_t templates) {
                    ++result.work.decisions;
                    result.work.templates += move.depth;
                    result.work.label_decisions += labels;
                    result.work.label_templates += templates;
                });
            std::size_t kept = 0;
            for (std::size_t i = 0; i < hypotheses.size() && kept < trees; ++i) {
                const State& found = hypotheses[i].state;
                const auto same = [&](const auto& other) {
                    return std::ranges::equal(other.state.heads(), found.heads()) &&
                           std::ranges::equal(other.state.relations(), found.relations());
                };
                if (std::ranges::any_of(hypotheses.first(i), same)) continue;  // other moves, same tree
                ++kept;
                result.scores.push_back(hypotheses[i].score);
                result.heads.insert(result.heads.end(), found.heads().begin(), found.heads().end());
                result.relations.insert(result.relations.end(), found.relations().begin(), found.relations().end());
            }
            result.counts.push_back(static_cast<std::uint32_t>(kept));
        });
        result.work.rows = actions.rows();
    });
    return result;
}

template <learn::Scorer T>
ArcPrefixes prefixes(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                     std::span<const std::uint32_t> depths, std::span<const std::uint32_t> label_depths,
                     std::span<const std::uint32_t> sentences) {
    ArcPrefixes result;
    with_batch(model, weights, columns, {depths, label_depths},
               [&](auto& actions, State& state, const auto& each_sentence) {
                   each_sentence(sentences, [&](std::size_t) {
                       walk(model.actions, state, actions, [](const Step&) {}, [](const Step&) {});
                   });
                   result = {std::move(actions.move_prefixes()), std::move(actions.label_prefixes())};
               });
    return result;
}

template <learn::Scorer T>
ArcFinalScores final_scores(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                            std::span<const std::uint32_t> sentences) {
    ArcFinalScores result;
    resize_trees(result, columns);
    with_batch(model, weights, columns, {}, [&](auto& actions, State& state, const auto& each_sentence) {
        each_sentence(sentences, [&](std::size_t begin) {
            walk(
                model.actions, state, actions,
                [&](const Step& step) {
                    if (!step.arc.exists()) return;
                    learn::record(result.moves, step.move, step.actions,
                                  [&](Label y) { return actions.move_gap(y, step.move); });
                    result.move_words.push_back(word_of(step, begin));
                },
                [&](const Step& step) {
                    if (step.choice.relations.empty()) return;
                    learn::record(result.labels, step.label, step.choice.relations,
                                  [&](Relation y) { return actions.label_gap(step.arc, y, step.label); });
                    result.label_words.push_back(word_of(step, begin));
                });
            store_tree(result, state, begin);
        });
    });
    return result;
}

template <learn::Scorer T>
ArcTraces traces(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                 const BeamOptions& search, std::span<const std::uint32_t> sentences) {
    ArcTraces result;
    // A trace adds template after template, and a compiled plan does not divide those that were merged.
    const Weights<T> interpreted{weights.moves, weights.labels, weights.exits, weights.label_exits};
    with_batch(model, interpreted, columns, {}, [&](auto& actions, State& state, const auto& each_sentence) {
        Beam beam(model.actions, actions, search);
        each_sentence(sentences, [&](std::size_t begin) {
            const auto index_of = [&](Node node) { return static_cast<std::int32_t>(begin) + node - 1; };
            std::span<const Chosen> path;
            if (search.width > 1) path = beam.path(beam.walk(state, [](auto&&...) {}).front());
            actions.look_at(state);
            const auto explain = [&](const Step& step) {
                if (!step.arc.exists()) return;
                result.words.push_back(static_cast<std::uint32_t>(index_of(step.arc.dependent)));
                result.heads.push_back(step.arc.head == root ? none : index_of(step.arc.head));
                result.moves.push_back(actions.trace_move(step.actions));
                result.moves.back().decision.label = step.move.label;
                if (step.choice.relations.empty()) return;
                result.labels.push_back(actions.trace_label(step.choice));
                result.labels.back().decision.label = step.label.label;
            };
            walk(model.actions, state, actions, [](const Step&) {}, explain, path);
        });
    });
    return result;
}

template Parsed parse(const Model&, const Weights<Table>&, const corpus::Columns&, const BeamOptions&,
                      std::span<const double>, std::span<const double>);
template Parsed parse(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, const BeamOptions&,
                      std::span<const double>, std::span<const double>);
template Parsed parse_lookahead(const Model&, const Weights<Table>&, const corpus::Columns&, LookaheadOptions);
template Parsed parse_lookahead(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, LookaheadOptions);
template KBest best_trees(const Model&, const Weights<Table>&, const corpus::Columns&, BeamOptions, std::size_t);
template KBest best_trees(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, BeamOptions, std::size_t);
template ArcPrefixes prefixes(const Model&, const Weights<Table>&, const corpus::Columns&,
                              std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                              std::span<const std::uint32_t>);
template ArcPrefixes prefixes(const Model&, const Weights<HiddenTable>&, const corpus::Columns&,
                              std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                              std::span<const std::uint32_t>);
template ArcFinalScores final_scores(const Model&, const Weights<Table>&, const corpus::Columns&,
                                     std::span<const std::uint32_t>);
template ArcFinalScores final_scores(const Model&, const Weights<HiddenTable>&, const corpus::Columns&,
                                     std::span<const std::uint32_t>);
template ArcTraces traces(const Model&, const Weights<Table>&, const corpus::Columns&, const BeamOptions&,
                          std::span<const std::uint32_t>);
template ArcTraces traces(const Model&, const Weights<HiddenTable>&, const corpus::Columns&, const BeamOptions&,
                          std::span<const std::uint32_t>);

}  // namespace laconic::transition
