// From training weights of factors to frozen ones.

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "label/tensor_trainer.hpp"
#include "learn/freeze.hpp"

namespace laconic::label {

TensorTrainer::Frozen TensorTrainer::freeze(int floor) const {
    const double keep = settings_.loss == TreeLoss::hinge ? 1.0 : 1.0 - settings_.row_dropout;
    learn::FactorTable::Frame frame;
    frame.labels = static_cast<std::uint32_t>(trees_.labels());
    frame.buckets = buckets_;
    frame.templates = static_cast<std::uint32_t>(trees_.templates());
    for (const learn::Parameters* part : {&rows, &starts, &outputs, &upper, &lower})
        for (const float value : part->values())
            if (!(std::abs(value) < 1e4F)) throw ConfigError("training overflowed: lower the rate");
    for (const Lanes& lanes : lanes_) {
        // All but a hundred thousandth of the numbers stay below this: the rest is cut off by quantising.
        std::vector<float> sizes;
        for (std::size_t row = 0; row < rows.rows(); ++row)
            for (std::size_t i = 0; i < lanes.width; ++i) sizes.push_back(std::abs(rows[row][lanes.begin + i]));
        double ceiling = 1e-4;
        if (!sizes.empty()) {
            const auto at = sizes.end() - static_cast<std::ptrdiff_t>(1 + sizes.size() / 100'000);
            std::ranges::nth_element(sizes, at);
            ceiling = std::clamp<double>(*at * keep, 1e-4, 100.0);
        }
        frame.lanes.push_back(static_cast<std::uint32_t>(lanes.width));
        frame.steps.push_back(static_cast<float>(ceiling / 127.0));
    }
    frame.starts.assign(starts.values().begin(), starts.values().end());
    frame.outputs = output_vectors_.values;
    std::vector<learn::FactorRow> kept;
    for (learn::Feature feature = 0; feature < trees_.index().size(); ++feature) {
        learn::FactorRow row{trees_.index().key(feature), trees_.index().template_of(feature), {}};
        int highest = 0;
        for (std::size_t role = 0; role < lanes_.size(); ++role)
            for (std::size_t i = 0; i < lanes_[role].width; ++i) {
                const double value = rows[feature][lanes_[role].begin + i] * keep / frame.steps[role];
                row.numbers.push_back(static_cast<std::int8_t>(std::lround(std::clamp(value, -127.0, 127.0))));
                highest = std::max(highest, std::abs(int{row.numbers.back()}));
            }
        if (highest > floor) kept.push_back(std::move(row));
    }
    Frozen frozen{learn::FactorTable(std::move(frame), kept), upper_vectors_.values, lower_vectors_.values, {}};
    if (sparse_)
        frozen.sparse.emplace(learn::freeze(*sparse_, sparse_features_->index(), sparse_features_->templates(), floor));
    return frozen;
}

}  // namespace laconic::label
