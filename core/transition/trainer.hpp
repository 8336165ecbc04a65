#pragma once
// Training over sentences: walks through them, led by the oracle or by the parser's own predictions, and learns from
// every decision on the path.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "learn/online_classifier.hpp"
#include "transition/oracle.hpp"
#include "transition/parser.hpp"

namespace laconic::transition {

// Which prediction a walk follows where it leaves the gold path: that after all templates, or that of the first depth
// at which the best label leads by the margin, as in parsing with early stopping.
enum class Exploration : std::uint8_t { full, early };

class Trainer {
public:
    // `heads` and `relations` have one entry per word of the document; every sentence must have a tree. Nothing is
    // copied: all must outlive this.
    Trainer(const Model& model, const corpus::Columns& columns, std::span<const std::int32_t> heads,
            std::span<const Relation> relations, learn::Settings settings, learn::Settings label_settings);

    // Counts features along the gold paths, then starts learning anew with those counted often enough. With `keep` the
    // counts stay for explore().
    void begin(std::span<const std::uint32_t> sentences, std::uint32_t cutoff, std::uint32_t label_cutoff, bool keep);
    // Adds what the parser as it is now would see where it leaves the gold paths of the same sentences, in the same
    // order; then starts learning anew.
    void explore(std::span<const std::uint32_t> sentences, std::uint32_t cutoff, std::uint32_t label_cutoff);

    struct Epoch {
        double loss = 0;
        std::uint64_t decisions = 0;
    };
    // One pass over sentences in the given order. Where the oracle knows costs off the gold path, a decision is
    // followed with the probability `explore` whether it is right or not. Cost: decisions x templates x actions.
    Epoch epoch(std::span<const std::uint32_t> order, double explore, Exploration exploration, std::size_t snapshots,
                std::uint64_t seed);

    // The same with a loss of the whole sentence (max-violation: Huang, Fayong & Guo 2012): where the best hypothesis
    // of a beam of this width outscores the oracle's path by most, the scores of both are moved apart, in one step for
    // the sentence. Labels that come after moves learn one by one, along the best hypothesis.
    Epoch max_violation_epoch(std::span<const std::uint32_t> order, std::size_t width, std::size_t snapshots);

    // The decisions of the gold paths as examples (learn::Examples) or as atoms (learn::DecisionAtoms), for whoever
    // learns from arrays: searches for templates and their order. With the probability `random_moves` the path takes
    // any possible move in place of the oracle's, where the oracle knows costs off the gold path: decisions as they are
    // after mistakes. The moves that are drawn depend on the seed and the trees alone. With `one_gold` the move that
    // the path takes is the only right one, as for a static oracle: a model that took another that is as good would
    // come to states that such a path never shows.
    template <class Store>
    void collect(std::span<const std::uint32_t> sentences, Store& moves, Store& labels, bool one_gold = false,
                 double random_moves = 0, std::uint64_t seed = 0);

    [[nodiscard]] learn::OnlineClassifier& moves() noexcept { return moves_; }
    [[nodiscard]] learn::OnlineClassifier& labels() noexcept { return labels_; }

private:
    // Follows the oracle or, where follow() says so, the parser's own decisions: on_move(gold, candidates) and
    // on_label(gold, candidates) see every decision with a choice and return what the parser itself would take;
    // on_label has no gold label where the arc is wrong.
    template <class OnMove, class OnLabel, class Follow>
    void walk(std::size_t sentence, OnMove&& on_move, OnLabel&& on_label, Follow&& follow);
    // Reads the words and the gold tree of a sentence. Returns the number of its words.
    std::size_t enter(std::size_t sentence);
    // The actions that are possible in the state. Where there are several, right_ holds those of the best moves. Where
    // actions name labels, an arc of the gold tree has one right label; an arc whose word has lost its head already may
    // have any.
    std::span<const Label> find_actions();
    // Takes `snapshots` snapshots for averaging in an epoch of `sentences`, evenly; called after each sentence.
    void snapshot_after(std::size_t done, std::size_t sentences, std::size_t snapshots);
    struct PathStep {
        Label label;
        Relation relation;
        double score;  // of the path up to here
    };
    void follow_oracle(std::size_t size);
    template <class OnChoice, class OnArc>
    void replay(std::size_t size, std::span<const PathStep> path, OnChoice&& on_choice, OnArc&& on_arc);

    const Model& model_;
    const corpus::Columns& columns_;
    std::span<const std::int32_t> heads_;
    std::span<const Relation> relations_;
    BatchInputs inputs_;
    State state_;
    Gold gold_;
    learn::OnlineClassifier moves_, labels_;
    learn::GradientSum gradients_;
    float margin_;
    StateContext move_context_, label_context_;
    std::vector<Label> right_;
    std::vector<PathStep> oracle_;
};

}  // namespace laconic::transition
