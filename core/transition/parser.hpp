#pragma once
// Parsing with early stopping: heads and labels of a batch of sentences.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "learn/decide.hpp"
#include "learn/hashed.hpp"
#include "transition/action_model.hpp"
#include "transition/beam.hpp"
#include "transition/compiled_context.hpp"
#include "transition/lookahead.hpp"

namespace laconic::transition {

// How the slots of a parser's templates find what they read.
struct Readers {
    // Throws ModelError or ConfigError where templates and lexicon do not fit.
    Readers(const features::Plan& plan, const features::Plan& label_plan, const features::Lexicon& lexicon,
            std::vector<std::string> names, corpus::Field pos)
        : columns(lexicon.attributes(), std::move(names), pos), moves(plan, columns), labels(label_plan, columns) {}

    features::AtomColumns columns;
    Reader moves, labels;
};

// What a parser knows beside its weights. Plans and lexicon must outlive it.
struct Model {
    const features::Plan& plan;        // of moves
    const features::Plan& label_plan;  // of labels, if a second classifier decides them
    const features::Lexicon& lexicon;
    Readers readers;
    corpus::Field pos;  // what POS stands for
    ActionSet actions;
    std::vector<Atom> relations;  // the atom of each label
    RelationSets relation_sets;
    JointLabels joint_labels;
};

// What a parser reads of a batch: its words as atoms.
class BatchInputs {
public:
    BatchInputs(const Model& model, const corpus::Columns& columns)
        : rows(model.lexicon, columns), words(model.readers.columns, rows, columns) {}
    BatchInputs(const BatchInputs&) = delete;
    BatchInputs& operator=(const BatchInputs&) = delete;

    features::WordRows rows;
    features::SentenceAtoms words;
};

// The plans of a parser compiled for its tables, for all batches and threads. Model and tables must outlive it.
class CompiledPlans {
public:
    template <class T>
    CompiledPlans(const Model& model, const T& moves, const T& labels)
        : numbers(document_columns(model.readers.columns)),
          moves(model.plan, model.readers.moves, model.readers.columns, facts_of(moves), model.lexicon.size(),
                model.relations.size()),
          labels(model.label_plan, model.readers.labels, model.readers.columns, facts_of(labels), model.lexicon.size(),
                 model.relations.size()) {}

    features::ColumnNumbers numbers;
    PlanCompiler moves, labels;

private:
    template <class T>
    static PlanCompiler::TableFacts facts_of(const T& table) {
        PlanCompiler::TableFacts facts;
        facts.lanes = table.lanes();
        for (std::size_t j = 0; j < table.templates(); ++j) {
            facts.merged.push_back(static_cast<std::uint32_t>(table.merged(j)));
            facts.divided.push_back(table.divided(j));
        }
        facts.divided.push_back(true);
        return facts;
    }
};

// What parsing a batch cost.
struct ParseWork {
    std::uint64_t decisions = 0, templates = 0;              // of moves
    std::uint64_t label_decisions = 0, label_templates = 0;  // of labels
    std::uint64_t rows = 0;                                  // cache lines of weights
};

struct Parsed {
    std::vector<std::int32_t> heads;
    std::vector<Relation> relations;
    std::vector<float> head_confidences, label_confidences;  // empty unless temperatures were given
    ParseWork work;
};

// The weights of a parser and when to stop. One table of hidden rows decides moves and labels: `labels` is then the
// same table as `moves`.
template <learn::Scorer T>
struct Weights {
    const T& moves;
    const T& labels;
    std::span<const learn::Exit> exits, label_exits;
    CompiledPlans* compiled = nullptr;  // none: plans are interpreted, with the same outcome
};

// `temperatures` of either classifier: one per depth from 1 on, and before them the confidence in a decision without a
// choice; empty: no confidences. Those of a beam are of the moves of its tree, which are decided once more. Cost:
// linear in the words; the systems that may make more than two moves a word have a budget of them (swap.hpp,
// list_based.hpp, step_back.hpp). With a beam up to its width times as much.
template <learn::Scorer T>
Parsed parse(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
             const BeamOptions& search = {}, std::span<const double> temperatures = {},
             std::span<const double> label_temperatures = {});

// For a search: rows of moves and of labels by hash, all templates of every decision.
Parsed parse_hashed(const Model& model, const learn::HashedTable& moves, const learn::HashedTable& labels,
                    const corpus::Columns& columns);

// The same as parse, looking ahead. The exits should be at the last template: scores of different depths are not
// comparable. Cost: 2^(depth - 1) decisions and copies of the state per move, for sentences up to `longest`; greedy
// beyond.
template <learn::Scorer T>
Parsed parse_lookahead(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                       LookaheadOptions options);

// Up to `trees` different trees of each sentence that a beam finds, the best first. The exits should be at the last
// template, or scores should be probabilities: those of different depths are not comparable otherwise.
struct KBest {
    std::vector<std::uint32_t> counts;  // trees of each sentence
    std::vector<double> scores;         // tree after tree
    std::vector<std::int32_t> heads;    // tree after tree, word after word
    std::vector<Relation> relations;
    ParseWork work;
};
template <learn::Scorer T>
KBest best_trees(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, BeamOptions search,
                 std::size_t trees);

// For the calibration of margins: lead and label after each of the depths, of decisions with a choice along the path
// that the exits lead to.
struct ArcPrefixes {
    learn::Prefixes moves, labels;
};
template <learn::Scorer T>
ArcPrefixes prefixes(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                     std::span<const std::uint32_t> depths, std::span<const std::uint32_t> label_depths,
                     std::span<const std::uint32_t> sentences);

// For the calibration of confidence: each decision that made an arc, where it was taken.
struct ArcFinalScores {
    learn::FinalScores moves, labels;
    std::vector<std::uint32_t> move_words, label_words;  // the dependent of each, by its index in the document
    std::vector<std::int32_t> heads;                     // of all words of the document, -1 outside of the sentences
    std::vector<Relation> relations;
};
template <learn::Scorer T>
ArcFinalScores final_scores(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                            std::span<const std::uint32_t> sentences);

// For explanations: how each arc came about, in the order of the moves that made them; a beam may have made another
// than the best. Words are given by their index in the document, the root as `none`. There are labels only if they were
// decided after the moves. Cost: some times that of parsing.
struct ArcTraces {
    std::vector<std::uint32_t> words;  // the dependent
    std::vector<std::int32_t> heads;
    std::vector<learn::Trace> moves, labels;
};
template <learn::Scorer T>
ArcTraces traces(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                 const BeamOptions& search, std::span<const std::uint32_t> sentences);

}  // namespace laconic::transition
