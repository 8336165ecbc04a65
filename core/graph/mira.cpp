#include "graph/mira.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "graph/additive_updates.hpp"
#include "graph/candidate_features.hpp"
#include "learn/freeze.hpp"

namespace laconic::graph {

using learn::Feature;

namespace {

constexpr std::size_t shared = lanes;  // the label of the weight of a feature in all lanes
using Sums = std::array<float, lanes + 1>;

// The steps of decoded scores: trees that differ by less are equal.
constexpr float score_scale = 1 << 14;

learn::FeatureIndex counted(const ArcModel& model, std::uint32_t cutoff, const corpus::Columns& columns,
                            std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences) {
    learn::FeatureIndex index;
    CandidateFeatures features(model, columns);
    for (const std::uint32_t sentence : sentences)
        features.count(sentence, heads.subspan(columns.sentences[sentence], columns.size_of(sentence)), index);
    index.cut(cutoff);
    return index;
}

// Features in runs, as the learner takes them: to it an arc has one template.
class Runs {
public:
    void clear() {
        features_.clear();
        begins_.assign(1, 0);
        counts_.clear();
    }
    void add(Feature feature) { features_.push_back(feature); }
    void end() {
        counts_.push_back(static_cast<std::uint32_t>(features_.size() - begins_.back()));
        begins_.push_back(features_.size());
    }
    // Valid until something is added.
    [[nodiscard]] learn::FeatureRun operator[](std::size_t number) const {
        return {std::span(features_).subspan(begins_[number], counts_[number]), std::span(counts_).subspan(number, 1)};
    }

private:
    std::vector<Feature> features_;
    std::vector<std::size_t> begins_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace

// A sentence on its way through training: the features of its words, what its arcs score, and the features of the arcs
// of one word or of those that a step changes: those of all arcs would be quadratic in the words.
class Mira::Sentence : public CandidateFeatures {
public:
    using CandidateFeatures::CandidateFeatures;

    Edges edges;
    BestTree decoder;
    Runs of_heads, of_modifiers;
    Runs of_arcs;  // to the word that is looked at
    Runs of_step;
    std::vector<Sums> head_sums;
    struct Arc {
        Node head;
        float score;
    };
    std::vector<Arc> arcs;              // word after word, by head in ascending order
    std::vector<std::uint32_t> begins;  // of each word among the arcs
    std::vector<std::uint32_t> places;
    std::vector<Node> heads_of_tree;
    struct Changed {
        Node head, word;
        float amount;
    };
    std::vector<Changed> changed;  // arcs of a step, in the order of `of_step`
    std::vector<learn::ScoreGradient<float>> gradients;

    // The place of an arc among those of its word.
    [[nodiscard]] std::uint32_t place(Node head, std::size_t word) const {
        const auto own = std::span(arcs).subspan(begins[word], begins[word + 1] - begins[word]);
        return static_cast<std::uint32_t>(std::ranges::lower_bound(own, head, {}, &Arc::head) - own.begin());
    }
    // The features of two words of some arcs to the word that was entered, a run each behind those that are there.
    void read(std::span<const std::uint32_t> places_of_arcs, const learn::FeatureIndex& index, Runs& runs) {
        std::size_t open = 0;
        of_two_words(0, templates(), places_of_arcs, index, [&](std::uint32_t arc, Feature f) {
            for (; places_of_arcs[open] != arc; ++open) runs.end();
            runs.add(f);
        });
        for (; open < places_of_arcs.size(); ++open) runs.end();
    }
};

Mira::Mira(const ArcModel& model, MiraSettings settings, const corpus::Columns& columns,
           std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences)
    : model_(model),
      settings_(settings),
      index_(counted(model, settings.cutoff, columns, heads, sentences)),
      learner_(additive_updates(), index_.size(), lanes + 1, 1) {}

Mira::Result Mira::epoch(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                         std::span<const std::uint32_t> sentences) {
    Sentence sentence(model_, columns);
    Result result;
    for (const std::uint32_t number : sentences) {
        sentence.enter(number, index_);
        learn_sentence(sentence, heads.subspan(columns.sentences[number], columns.size_of(number)), result);
    }
    return result;
}

void Mira::learn_sentence(Sentence& sentence, std::span<const std::int32_t> gold, Result& result) {
    const std::size_t words = gold.size();
    if (words == 0) return;
    const auto sums_of = [&](const learn::FeatureRun& run) {
        Sums sums;
        learner_.prefetch(run);
        learner_.score(run, 1, sums);
        return sums;
    };
    sentence.of_heads.clear();
    sentence.head_sums.clear();
    for (std::size_t node = 0; node <= words; ++node) {
        sentence.of_place(ArcReader::head, static_cast<Node>(node), [&](Feature f) { sentence.of_heads.add(f); });
        sentence.of_heads.end();
        sentence.head_sums.push_back(sums_of(sentence.of_heads[node]));
    }
    sentence.of_modifiers.clear();
    sentence.arcs.clear();
    sentence.begins.assign(1, 0);
    sentence.edges.start(words);
    for (std::size_t i = 0; i < words; ++i) {
        const auto word = static_cast<Node>(i + 1);
        sentence.enter_word(word, gold[i]);
        sentence.of_place(ArcReader::modifier, word, [&](Feature f) { sentence.of_modifiers.add(f); });
        sentence.of_modifiers.end();
        const Sums own = sums_of(sentence.of_modifiers[i]);
        const std::span<const Node> heads = sentence.heads();
        sentence.places.resize(heads.size());
        std::iota(sentence.places.begin(), sentence.places.end(), 0U);
        sentence.of_arcs.clear();
        sentence.read(sentence.places, index_, sentence.of_arcs);
        learner_.prefetch(sentence.of_arcs[0]);
        const Bits alive = sentence.edges.alive(word);
        std::ranges::fill(alive, 0);
        for (std::size_t a = 0; a < heads.size(); ++a) {
            if (a + 1 < heads.size()) learner_.prefetch(sentence.of_arcs[a + 1]);
            Sums sums;
            learner_.score(sentence.of_arcs[a], 1, sums);
            const std::size_t lane = lane_of(heads[a], word);
            const Sums& of_head = sentence.head_sums[static_cast<std::size_t>(heads[a])];
            const float score = sums[lane] + sums[shared] + own[lane] + own[shared] + of_head[lane] + of_head[shared];
            sentence.arcs.push_back({heads[a], score});
            if (!sentence.edges.has_column(heads[a], word)) continue;
            const std::size_t column = sentence.edges.column(heads[a], word);
            set_bit(alive, column);
            const float shown = score + (heads[a] == gold[i] ? 0.0F : static_cast<float>(settings_.cost));
            sentence.edges.scores(word)[column] =
                static_cast<Score>(std::lround(std::clamp(shown * score_scale, -1e8F, 1e8F)));
        }
        sentence.begins.push_back(static_cast<std::uint32_t>(sentence.arcs.size()));
    }

    sentence.gradients.clear();
    sentence.changed.clear();
    sentence.of_step.clear();
    sentence.heads_of_tree.resize(words);
    float loss = 0;
    if (sentence.decoder.decode(sentence.edges, settings_.rules, sentence.heads_of_tree)) {
        for (std::size_t i = 0; i < words; ++i) {
            const Node found = sentence.heads_of_tree[i];
            if (found == gold[i]) {
                ++result.right;
                continue;
            }
            const auto word = static_cast<Node>(i + 1);
            loss += 1;
            (void)sentence.enter_word(word, gold[i]);
            for (const auto& [head, amount] : {std::pair(Node{gold[i]}, -1.0F), std::pair(found, 1.0F)}) {
                const std::uint32_t place = sentence.place(head, i);
                loss += amount * sentence.arcs[sentence.begins[i] + place].score;
                sentence.read({&place, 1}, index_, sentence.of_step);
                sentence.changed.push_back({head, word, amount});
            }
        }
    }
    // Runs stay where they are only once all have been read.
    for (std::size_t a = 0; a < sentence.changed.size(); ++a) {
        const auto& [head, word, amount] = sentence.changed[a];
        for (const learn::FeatureRun& run :
             {sentence.of_heads[static_cast<std::size_t>(head)],
              sentence.of_modifiers[static_cast<std::size_t>(word) - 1], sentence.of_step[a]})
            for (const std::size_t label : {lane_of(head, word), shared})
                sentence.gradients.push_back({run, static_cast<learn::Label>(label), amount});
    }
    result.words += words;
    result.loss += std::max(0.0F, loss);
    if (loss <= 0) sentence.gradients.clear();
    learner_.update_least(sentence.gradients, loss);
}

void Mira::final_row(Feature feature, std::uint16_t, std::span<double> row) const {
    std::array<double, lanes + 1> all;
    learner_.final_row(feature, 0, all);
    for (std::size_t lane = 0; lane < lanes; ++lane) row[lane] = all[lane] + all[shared];
}

learn::Table Mira::freeze(int floor) const {
    return learn::freeze(*this, index_, model_.plan.size(), floor);
}

}  // namespace laconic::graph
