#pragma once
// Training by head selection: each word chooses among its possible heads by a softmax, with a loss behind every group
// of templates. A head that falls behind by more than a threshold is left out of the groups behind, as in parsing, so
// that most templates are learned on the few heads between which there is something to decide.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "graph/arc_model.hpp"
#include "graph/factored.hpp"
#include "learn/index.hpp"
#include "learn/table.hpp"

namespace laconic::graph {

struct HeadSelectionSettings {
    double rate = 0.1;
    double l2 = 0;
    double drop = 6;           // heads that trail by more (in real scores) are not looked at again
    double exit_weight = 1;    // of the loss at each group but the last, whose weight is 1
    double dropout = 0;        // share of the features of an arc that a step does not see
    std::uint32_t cutoff = 2;  // features of fewer arcs of gold trees are left out
    std::uint64_t seed = 1;
};

// Only features of arcs of gold trees exist. A feature has a weight of its own and one for each lane, each with the sum
// of its squared gradients (AdaGrad); both are folded into one row when frozen.
class HeadSelection {
public:
    // Scores of a factored scorer to go on from: sentence i of the document has those of table numbers[i], which best
    // did not see it.
    struct Start {
        const FactoredModel* model = nullptr;
        std::vector<const FactoredTable*> tables{};
        std::vector<std::uint8_t> numbers{};
    };
    // Counts the features of the gold arcs of these sentences; one head per word of the document. Models and tables
    // must outlive this.
    HeadSelection(const ArcModel& model, HeadSelectionSettings settings, const corpus::Columns& columns,
                  std::span<const std::int32_t> heads, std::span<const std::uint32_t> sentences, Start start);

    struct Result {
        double loss = 0;  // summed over groups
        std::uint64_t words = 0;
        std::uint64_t right = 0;  // words whose best head at the end was the gold one, as they were learned
    };
    // One pass over these sentences in the given order; the rate falls from `first` to `last` of itself.
    Result epoch(const corpus::Columns& columns, std::span<const std::int32_t> heads,
                 std::span<const std::uint32_t> sentences, double first, double last);
    // Adds the weights of now to the running average.
    void snapshot();

    [[nodiscard]] std::size_t features() const noexcept { return index_.size(); }
    [[nodiscard]] learn::Table freeze(int floor) const;

    // What freezing reads (learn/freeze.hpp): the row of a feature, averaged where there were snapshots.
    [[nodiscard]] std::size_t labels() const noexcept { return lanes; }
    void final_row(learn::Feature feature, std::uint16_t template_index, std::span<double> row) const noexcept;

private:
    class Reading;
    struct Cell {
        float weight = 0, squares = 0;
    };
    static constexpr std::size_t cells = 16;  // the shared weight, the lanes, and one for alignment

    [[nodiscard]] Cell* row(learn::Feature feature) noexcept { return weights_.data() + std::size_t{feature} * cells; }
    void learn_word(Reading& reading, Node modifier, Node gold, double rate, Result& result);

    const ArcModel& model_;
    HeadSelectionSettings settings_;
    learn::FeatureIndex index_;
    std::vector<Cell> weights_;
    std::vector<float> totals_;  // lanes + 1 per feature
    std::size_t snapshots_ = 0;
    Random random_;
    Start start_;
};

}  // namespace laconic::graph
