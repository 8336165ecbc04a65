#pragma once
// Rows of numbers that Adam changes: only the rows that a step touched, so that a step costs what it read.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "learn/matrix.hpp"

namespace laconic::learn {

class Parameters {
public:
    Parameters(std::size_t rows, std::size_t width)
        : width_(width),
          values_(rows * width),
          first_(rows * width),
          second_(rows * width),
          gradient_rows_(rows, absent) {}

    // Even numbers between -spread and spread.
    void scatter(double spread, Random& random) {
        for (float& value : values_)
            value = static_cast<float>(spread * (static_cast<double>(random.next() >> 11) * 0x1p-52 - 1.0));
    }

    [[nodiscard]] std::size_t rows() const noexcept { return gradient_rows_.size(); }
    [[nodiscard]] std::size_t width() const noexcept { return width_; }
    [[nodiscard]] const float* operator[](std::size_t row) const noexcept { return values_.data() + row * width_; }
    [[nodiscard]] std::span<float> values() noexcept { return values_; }
    [[nodiscard]] std::span<const float> values() const noexcept { return values_; }

    // The gradient of a row in this step. Valid until another row is touched for the first time.
    [[nodiscard]] float* gradient(std::size_t row) {
        if (gradient_rows_[row] == absent) {
            gradient_rows_[row] = static_cast<std::uint32_t>(touched_.size());
            touched_.push_back(static_cast<std::uint32_t>(row));
            gradients_.resize(touched_.size() * width_);
        }
        return gradients_.data() + gradient_rows_[row] * width_;
    }
    void step(const AdamStep& step) {
        for (std::size_t i = 0; i < touched_.size(); ++i) {
            const std::size_t at = touched_[i] * width_;
            adam(step, gradients_.data() + i * width_, values_.data() + at, first_.data() + at, second_.data() + at,
                 width_);
        }
        forget();
    }
    // A plain step of gradient descent in place of Adam's. `age` is the number of steps before this one.
    void descend(float amount, float age) {
        if (totals_.empty()) totals_.resize(values_.size());
        for (std::size_t i = 0; i < touched_.size(); ++i) {
            const float* gradient = gradients_.data() + i * width_;
            const std::size_t at = touched_[i] * width_;
            for (std::size_t k = 0; k < width_; ++k) {
                const float change = amount * gradient[k];
                values_[at + k] -= change;
                totals_[at + k] += age * change;
            }
        }
        forget();
    }
    // Of the gradient of this step.
    [[nodiscard]] double squared_length() const noexcept {
        double sum = 0;
        for (const float value : gradients_) sum += static_cast<double>(value) * value;
        return sum;
    }
    // Ends a step without a change.
    void forget() {
        for (const std::uint32_t row : touched_) gradient_rows_[row] = absent;
        touched_.clear();
        gradients_.clear();
    }
    // Replaces the values by their averages over all steps of descend().
    void use_average_of_steps(std::size_t steps) {
        if (totals_.empty()) return;
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += totals_[i] / static_cast<float>(steps);
        totals_.clear();
    }
    // All gradients of this step, untouched rows zero; the step is then over.
    [[nodiscard]] std::vector<float> drain() {
        std::vector<float> all(values_.size());
        for (std::size_t i = 0; i < touched_.size(); ++i) {
            std::copy_n(gradients_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_,
                        all.begin() + static_cast<std::ptrdiff_t>(touched_[i] * width_));
        }
        forget();
        return all;
    }
    // Adds the values of now to the running average.
    void snapshot() {
        if (totals_.empty()) totals_.resize(values_.size());
        for (std::size_t i = 0; i < values_.size(); ++i) totals_[i] += values_[i];
    }
    // Replaces the values by their averages, if there were snapshots.
    void use_average(std::size_t snapshots) {
        if (totals_.empty()) return;
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = totals_[i] / static_cast<float>(snapshots);
        totals_.clear();
    }

private:
    static constexpr std::uint32_t absent = 0xffffffffU;

    std::size_t width_;
    std::vector<float> values_, first_, second_, totals_;
    std::vector<std::uint32_t> gradient_rows_;  // of each row: number of its gradient in this step, or absent
    std::vector<std::uint32_t> touched_;
    std::vector<float> gradients_;
};

}  // namespace laconic::learn
