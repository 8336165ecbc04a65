#pragma once
// Linear rows beside low-rank factors ("+ sparse features" of shen2016): what they add to the scores of labels.

#include <cstddef>
#include <cstdint>
#include <span>

#include "label/context.hpp"
#include "label/tensor.hpp"
#include "learn/linear.hpp"

namespace laconic::label {

// Scores by linear rows, for arcs of the sentence that was entered.
class SparseScores {
public:
    SparseScores(const TensorModel::Parts::Sparse& given, corpus::Field pos, const corpus::Columns& columns)
        : plan_(*given.plan),
          table_(*given.table),
          reader_(plan_, given.lexicon->attributes(), pos),
          words_(*given.lexicon, columns),
          context_(reader_, words_, columns),
          scratch_(table_) {}

    void enter(std::size_t sentence) { context_.enter(sentence); }
    void add(Node modifier, std::span<const Label> labels, float* scores) {
        context_.focus(modifier);
        scratch_.start();
        learn::accumulate(table_, plan_, 0, plan_.size(), context_, scratch_);
        templates += plan_.size();
        const std::span<const std::int16_t> sums = learn::scores_of(table_, scratch_);
        const auto step = static_cast<float>(1 / table_.scale());
        for (std::size_t i = 0; i < labels.size(); ++i) scores[i] += step * static_cast<float>(sums[labels[i]]);
    }

    std::uint64_t templates = 0;
    [[nodiscard]] std::uint64_t rows() const noexcept { return scratch_.rows_read; }

private:
    const features::Plan& plan_;
    const learn::Table& table_;
    EdgeReader reader_;
    features::WordRows words_;
    EdgeContext context_;
    learn::Scratch scratch_;
};

}  // namespace laconic::label
