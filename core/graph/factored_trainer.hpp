#pragma once
// Training of the factored scorer by head selection: a softmax over the possible heads of each word, Adam in batches of
// sentences.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/factored.hpp"
#include "learn/network.hpp"

namespace laconic::graph {

class FactoredTrainer {
public:
    struct Treebank {
        const corpus::Columns& columns;
        std::vector<std::int32_t> heads;  // one per word
    };

    // Features of fewer words than `cutoff` are left out. Model and document must outlive this.
    FactoredTrainer(const FactoredModel& model, learn::NetworkSettings settings, Treebank treebank,
                    std::span<const std::uint32_t> sentences, std::uint32_t cutoff);

    // Word vectors to start from, for the templates of both roles with these seeds.
    void start_from(std::uint64_t seed, std::span<const Atom> atoms, std::span<const float> vectors);

    struct Result {
        double loss = 0;
        std::uint64_t words = 0, right = 0;
    };
    // One pass in the given order, so many sentences a step; the rate falls from `first` to `last` of itself. So many
    // snapshots are taken for the average.
    Result epoch(std::span<const std::uint32_t> order, std::size_t batch, double first, double last,
                 std::size_t snapshots);
    void use_average();
    [[nodiscard]] FactoredTable freeze(int floor) const;

private:
    struct Sentence;
    void learn_batch(std::span<const std::uint32_t> sentences, double share, Result& result);

    const FactoredModel& model_;
    learn::NetworkSettings settings_;
    Treebank treebank_;
    features::WordRows rows_;
    features::AtomColumns columns_;
    std::uint16_t fine_, coarse_;
    std::array<WordReader, 2> readers_;
    features::SentenceAtoms words_;
    std::array<WordContext, 2> contexts_;
    TagNumbers tags_;
    std::array<learn::FeatureIndex, 2> indices_;
    std::vector<learn::Network> networks_;  // of heads, of modifiers
    learn::Parameters pairs_, between_;
    std::size_t snapshots_ = 0;
    std::array<float, 2> largest_{};  // number of a vector seen in training
};

}  // namespace laconic::graph
