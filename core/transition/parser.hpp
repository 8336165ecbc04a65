#pragma once
// Greedy parsing with early stopping: heads and labels of a batch of sentences.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "learn/decide.hpp"
#include "transition/beam.hpp"
#include "transition/brain.hpp"
#include "transition/lookahead.hpp"

namespace laconic::transition {

// What a parser knows beside its weights. Nothing is copied: all must outlive this.
struct Model {
    const features::Plan& plan;        // of moves
    const features::Plan& label_plan;  // of labels, if a second classifier decides them
    const features::Lexicon& lexicon;
    const std::vector<std::string>& names;  // what the arguments of the lexicon's attributes stand for
    corpus::Field pos;                      // what POS stands for
    const Classes& classes;
    std::span<const Atom> relations;  // the atom of each label
};

// A batch ready to be read: one for all threads of a batch, or one for each.
class Sight {
public:
    Sight(const Model& model, const corpus::Columns& columns)
        : layout(model.lexicon.attributes(), model.names, model.pos),
          moves(model.plan, layout),
          labels(model.label_plan, layout),
          rows(model.lexicon, columns),
          words(layout, rows, columns) {}
    Sight(const Sight&) = delete;
    Sight& operator=(const Sight&) = delete;

    features::AtomColumns layout;
    Reader moves, labels;
    features::WordRows rows;
    features::SentenceAtoms words;
};

// What parsing a batch cost.
struct Work {
    std::uint64_t decisions = 0, templates = 0;              // of moves
    std::uint64_t label_decisions = 0, label_templates = 0;  // of labels
    std::uint64_t rows = 0;                                  // cache lines of weights
};

struct Parsed {
    std::vector<std::int32_t> heads;
    std::vector<Relation> relations;
    std::vector<float> head_confidences, label_confidences;  // if asked for
    Work work;
};

// The weights of a parser and when to stop. Hidden rows answer both questions: `labels` is then the table of moves.
template <class T>
struct Weights {
    const T& moves;
    const T& labels;
    std::span<const learn::Exit> exits, label_exits;
};

// `temperatures` of either classifier: one per depth from 1 on, and before them the confidence in a decision without a
// choice; empty: no confidences. Cost: linear in the words for the arc systems, at most 20 moves a word for the others.
template <class T>
Parsed parse(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
             std::span<const double> temperatures = {}, std::span<const double> label_temperatures = {});

// The same, looking ahead. The exits should be at the last template: scores of different depths are not comparable.
// Cost: 2^(depth - 1) decisions and copies of the state per move, for sentences up to `longest`; greedy beyond.
template <class T>
Parsed parse_ahead(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, Ahead ahead);

// The same by a beam, with up to `trees` different trees of each sentence, the best first. The exits should be at the
// last template, or temperatures should be known: scores of different depths are comparable as probabilities only.
struct Forest {
    std::vector<std::uint32_t> counts;  // trees of each sentence
    std::vector<double> worths;         // tree after tree
    std::vector<std::int32_t> heads;    // tree after tree, word after word
    std::vector<Relation> relations;
    Work work;
};
template <class T>
Forest parse_wide(const Model& model, const Weights<T>& weights, const corpus::Columns& columns, Breadth breadth,
                  std::size_t trees);

// For calibration: leads and classes after each of the depths, of decisions with a choice along the way of the exits.
struct Prefixes {
    std::vector<std::int32_t> leads, label_leads;
    std::vector<Label> classes, labels;
};
template <class T>
Prefixes prefixes(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const std::uint32_t> label_depths,
                  std::span<const std::uint32_t> sentences);

// For the calibration of confidence: how each decision that made an arc ended. The scores of the candidates less the
// best one are gaps[begins[i], begins[i + 1]).
struct Endings {
    std::vector<std::uint32_t> depths;
    std::vector<std::uint64_t> begins{0};
    std::vector<float> gaps;
    std::vector<std::uint32_t> words;  // the dependent, by its place in the document
};
struct ArcEndings {
    Endings moves, labels;
    std::vector<std::int32_t> heads;  // of all words of the document, -1 outside of the sentences
    std::vector<Relation> relations;
};
template <class T>
ArcEndings endings(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                   std::span<const std::uint32_t> sentences);

// For people who ask why: how each arc came about, in the order of the moves that made them. Words are told by their
// place in the document, the root as `none`. There are labels only if a second question was asked for them. Cost: some
// times that of parsing.
struct ArcTraces {
    std::vector<std::uint32_t> words;  // the dependent
    std::vector<std::int32_t> heads;
    std::vector<learn::Trace> moves, labels;
};
template <class T>
ArcTraces traces(const Model& model, const Weights<T>& weights, const corpus::Columns& columns,
                 std::span<const std::uint32_t> sentences);

}  // namespace laconic::transition
