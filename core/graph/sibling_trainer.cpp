#include "graph/sibling_trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "graph/additive_updates.hpp"
#include "graph/best_tree.hpp"
#include "graph/rounds.hpp"
#include "learn/freeze.hpp"

namespace laconic::graph {

using learn::Feature;

namespace {

constexpr std::size_t shared = part_lanes;  // the label of the weight of a feature in both directions

// The steps of decoded scores: trees that differ by less are equal.
constexpr float score_scale = 1 << 12;

Score steps(float score) {
    return static_cast<Score>(std::lround(std::clamp(score * score_scale, -1e8F, 1e8F)));
}

// Calls visit(head, sibling, modifier) for the parts of a tree.
template <class Visit>
void each_part(std::span<const Node> heads, Visit&& visit) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto word = static_cast<Node>(i + 1);
        visit(heads[i], neighbours(heads, heads[i], word).inner, word);
    }
}

}  // namespace

// The present weights as a scorer of rounds: arcs have their scores already.
class SiblingTrainer::Scorer {
public:
    Scorer(const SiblingTrainer& trainer, const corpus::Columns& columns)
        : trainer_(trainer), rows_(trainer.model_.lexicon, columns), keys_(trainer.model_, rows_, columns) {}

    void enter(std::size_t sentence) { keys_.enter(sentence); }
    // The features of a part; valid until the next call.
    [[nodiscard]] std::span<const Feature> features(Node head, Node sibling, Node modifier) {
        found_.clear();
        probes_.clear();
        keys_.visit(head, sibling, modifier, [&](std::size_t, std::uint64_t key) {
            trainer_.index_.prefetch(key);
            probes_.push_back(key);
        });
        for (const std::uint64_t key : probes_)
            if (const Feature feature = trainer_.index_.find(key); feature != learn::no_feature)
                found_.push_back(feature);
        return found_;
    }
    [[nodiscard]] float score(Node head, Node sibling, Node modifier) {
        const std::span<const Feature> own = features(head, sibling, modifier);
        const auto count = static_cast<std::uint32_t>(own.size());
        std::array<float, part_lanes + 1> sums;
        trainer_.learner_->prefetch({own, {&count, 1}});
        trainer_.learner_->score({own, {&count, 1}}, 1, sums);
        return sums[part_lane(head, modifier)] + sums[shared];
    }

    [[nodiscard]] static std::size_t groups() noexcept { return 1; }
    [[nodiscard]] static std::size_t sibling_groups() noexcept { return 1; }
    static Cost add(std::size_t, std::span<const Node>, Edges&) { return {}; }
    Cost add_siblings(std::size_t, std::span<const Node> words, const OpenParts& parts) {
        for (const Node word : words)
            parts.each(word, [&](Node head, Node sibling, Node modifier, Score& sum) {
                sum = steps(score(head, sibling, modifier));
            });
        return {};
    }
    static void use(Parser, Edges&) {}

    // Scratch of the passes over sentences.
    Edges edges;
    BestTree best;
    Rounds rounds;
    std::vector<Node> heads;
    std::vector<std::vector<Feature>> runs;
    std::vector<std::uint32_t> counts;
    std::vector<learn::ScoreGradient<float>> gradients;

private:
    const SiblingTrainer& trainer_;
    features::WordRows rows_;
    PartKeys keys_;
    std::vector<std::uint64_t> probes_;
    std::vector<Feature> found_;
};

SiblingTrainer::SiblingTrainer(const ArcModel& parts, SiblingSettings settings,
                               std::span<const GraphModel* const> models, std::span<const std::uint8_t> numbers,
                               const corpus::Columns& columns, std::span<const std::int32_t> heads,
                               std::span<const std::uint32_t> sentences)
    : model_(parts), settings_(settings), columns_(columns) {
    std::vector<std::unique_ptr<ModelScorer>> scorers;
    for (const GraphModel* model : models) scorers.push_back(std::make_unique<ModelScorer>(*model, columns));
    for (const std::uint32_t number : sentences)
        keep(*scorers[numbers[number]], models[numbers[number]]->scale(), number,
             heads.subspan(columns.sentences[number], columns.size_of(number)));
    const features::WordRows rows(model_.lexicon, columns);
    PartKeys keys(model_, rows, columns);
    count(keys);
    learner_.emplace(additive_updates(), index_.size(), part_lanes + 1, 1);
}

void SiblingTrainer::keep(ModelScorer& scorer, double scale, std::uint32_t number, std::span<const std::int32_t> gold) {
    Sentence& sentence = sentences_.emplace_back(Sentence{number, {gold.begin(), gold.end()}, {0}, {}});
    const std::size_t words = gold.size();
    if (words > longest_with_siblings) return sentence.gold.clear();
    Edges edges;
    scorer.enter(number, edges, false);
    std::vector<Node> all(words);
    for (std::size_t i = 0; i < words; ++i) {
        all[i] = static_cast<Node>(i + 1);
        set_bit(edges.alive(all[i]), edges.column(gold[i], all[i]));
    }
    for (std::size_t group = 0; group < scorer.groups(); ++group) (void)scorer.add(group, all, edges);
    for (std::size_t i = 0; i < words; ++i) {
        const auto far = edges.score(edges.best_head(all[i]), all[i]) - settings_.drop * scale;
        std::as_const(edges).each_alive(all[i], [&](Node head, Score score) {
            if (head == gold[i] || score > far) sentence.arcs.push_back({head, static_cast<float>(score / scale)});
        });
        sentence.begins.push_back(static_cast<std::uint32_t>(sentence.arcs.size()));
    }
    sentence.arcs.shrink_to_fit();
}

void SiblingTrainer::count(PartKeys& keys) {
    for (const Sentence& sentence : sentences_) {
        keys.enter(sentence.number);
        each_part(sentence.gold, [&](Node head, Node sibling, Node modifier) {
            keys.visit(head, sibling, modifier,
                       [&](std::size_t t, std::uint64_t key) { index_.count(key, static_cast<std::uint16_t>(t)); });
        });
    }
    index_.cut(settings_.cutoff);
}

SiblingTrainer::Result SiblingTrainer::epoch(std::span<const std::uint32_t> order) {
    Scorer scorer(*this, columns_);
    Result result;
    for (const std::uint32_t number : order) learn_sentence(sentences_[number], scorer, result);
    return result;
}

void SiblingTrainer::learn_sentence(const Sentence& sentence, Scorer& scorer, Result& result) {
    const std::size_t words = sentence.gold.size();
    if (sentence.arcs.size() == words) return;  // every word has one head: nothing to learn
    scorer.enter(sentence.number);
    Edges& edges = scorer.edges;
    edges.start(words);
    for (std::size_t i = 0; i < words; ++i) {
        const auto word = static_cast<Node>(i + 1);
        std::ranges::fill(edges.alive(word), 0);
        for (std::size_t a = sentence.begins[i]; a < sentence.begins[i + 1]; ++a) {
            const auto& [head, score] = sentence.arcs[a];
            const float cost = head == sentence.gold[i] ? 0.0F : static_cast<float>(settings_.cost);
            set_bit(edges.alive(word), edges.column(head, word));
            edges.scores(word)[edges.column(head, word)] = steps(score + cost);
        }
    }
    std::vector<Node>& heads = scorer.heads;
    heads.resize(words);
    if (!scorer.best.decode(edges, settings_.rules, heads)) return;  // the gold tree keeps to other rules
    NeverLock policy;
    SilentRounds silent;
    (void)scorer.rounds.run_siblings(edges, scorer, policy, {.rules = settings_.rules}, heads, silent);

    float loss = 0;
    scorer.runs.clear();
    scorer.gradients.clear();
    const auto score_of = [&](std::size_t i, Node head) {
        const auto own =
            std::span(sentence.arcs).subspan(sentence.begins[i], sentence.begins[i + 1] - sentence.begins[i]);
        return std::ranges::find(own, head, &Arc::head)->score;
    };
    for (std::size_t i = 0; i < words; ++i) {
        if (heads[i] == sentence.gold[i]) {
            ++result.right;
            continue;
        }
        loss += 1 + score_of(i, heads[i]) - score_of(i, sentence.gold[i]);
    }
    struct Changed {
        Node head, modifier;
        float amount;
    };
    std::vector<Changed> changed;
    for (const float amount : {-1.0F, 1.0F}) {
        const std::span<const Node> own =
            amount < 0 ? std::span<const Node>(sentence.gold) : std::span<const Node>(heads);
        const std::span<const Node> other =
            amount < 0 ? std::span<const Node>(heads) : std::span<const Node>(sentence.gold);
        each_part(own, [&](Node head, Node sibling, Node modifier) {
            const Node there = other[static_cast<std::size_t>(modifier) - 1];
            if (there == head && neighbours(other, head, modifier).inner == sibling) return;  // both trees have it
            loss += amount * scorer.score(head, sibling, modifier);
            const std::span<const Feature> features = scorer.features(head, sibling, modifier);
            scorer.runs.emplace_back(features.begin(), features.end());
            changed.push_back({head, modifier, amount});
        });
    }
    scorer.counts.clear();
    for (const auto& run : scorer.runs) scorer.counts.push_back(static_cast<std::uint32_t>(run.size()));
    for (std::size_t i = 0; i < changed.size(); ++i)
        for (const std::size_t label : {part_lane(changed[i].head, changed[i].modifier), shared})
            scorer.gradients.push_back(
                {{scorer.runs[i], {&scorer.counts[i], 1}}, static_cast<learn::Label>(label), changed[i].amount});
    result.words += words;
    result.loss += std::max(0.0F, loss);
    if (loss <= 0) scorer.gradients.clear();
    learner_->update_least(scorer.gradients, loss, static_cast<float>(settings_.step));
}

void SiblingTrainer::final_row(Feature feature, std::uint16_t, std::span<double> row) const {
    std::array<double, part_lanes + 1> all;
    learner_->final_row(feature, 0, all);
    for (std::size_t lane = 0; lane < part_lanes; ++lane) row[lane] = all[lane] + all[shared];
}

learn::Table SiblingTrainer::freeze(int floor) const {
    return learn::freeze(*this, index_, model_.plan.size(), floor);
}

}  // namespace laconic::graph
