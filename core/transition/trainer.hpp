#pragma once
// Training over sentences: walks through them, led by the oracle or astray by the parser's own predictions, and learns
// from every decision on the way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "transition/oracle.hpp"
#include "transition/parser.hpp"
#include "transition/pupil.hpp"

namespace laconic::transition {

// Whose prediction a walk follows where it leaves the gold path.
enum class Astray : std::uint8_t { full, early };

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
    void start(learn::Stage stage) { moves_.start(stage); }
    void start_labels(learn::Stage stage) { labels_.start(stage); }

    struct Epoch {
        double loss = 0;
        std::uint64_t decisions = 0;
    };
    // One pass over sentences in the given order. Where the oracle knows costs off the gold path, a decision is
    // followed with the probability `explore` whether it is right or not. Cost: decisions x templates x classes.
    Epoch epoch(std::span<const std::uint32_t> order, double explore, Astray astray, std::size_t snapshots,
                std::uint64_t seed);

    // The same for whole ways through sentences, by a beam of this width: the worst violation (the best way is worth
    // more than the oracle's) pulls both ways apart. Labels that come after moves learn one by one, along the best way.
    Epoch whole_epoch(std::span<const std::uint32_t> order, std::size_t width, std::size_t snapshots);

    // The decisions of the gold paths as examples, for whoever learns from arrays: searches for orders of templates.
    void collect(std::span<const std::uint32_t> sentences, learn::Examples& moves, learn::Examples& labels);

    [[nodiscard]] Pupil& moves() noexcept { return moves_; }
    [[nodiscard]] Pupil& labels() noexcept { return labels_; }
    [[nodiscard]] const Classes& classes() const noexcept { return model_.classes; }
    [[nodiscard]] std::size_t sentences() const noexcept { return columns_.sentence_count(); }

private:
    // What a walk does at a decision: given gold and candidate classes, the class it would follow by itself.
    template <class OnMove, class OnLabel, class Follow>
    void walk(std::size_t sentence, OnMove&& on_move, OnLabel&& on_label, Follow&& follow);
    // The classes of the best moves, in right_. Where classes name labels, an arc of the gold tree has one right label;
    // an arc whose word has lost its head already may have any.
    void gold_classes(Moves best, std::span<const Label> candidates, bool rooted) {
        right_.clear();
        for (const Label label : candidates) {
            const auto [move, relation] = model_.classes[label];
            if (!has(best, move)) continue;
            const Arc arc = model_.classes.system().arc(state_, move);
            const bool named = relation != no_relation && arc.exists() && gold_.has(arc) &&
                               std::ranges::any_of(model_.classes.of(move, rooted), [&](Label one) {
                                   return model_.classes[one].relation == gold_.relation(arc.dependent);
                               });
            if (!named || relation == gold_.relation(arc.dependent)) right_.push_back(label);
        }
    }
    struct Stride {  // one step of a way
        Label label;
        Relation relation;
        double worth;  // of the way until then
    };
    void follow_oracle(std::size_t size);
    template <class See, class Made>
    void go_again(std::size_t size, std::span<const Stride> way, See&& see, Made&& made);

    Model model_;
    const corpus::Columns& columns_;
    std::span<const std::int32_t> heads_;
    std::span<const Relation> relations_;
    Sight sight_;
    State state_;
    Gold gold_;
    Pupil moves_, labels_;
    float margin_;
    StateContext move_context_, label_context_;
    std::vector<Label> right_;
    std::vector<Stride> oracle_;
};

}  // namespace laconic::transition
