#pragma once
// Small dense products for the training of hidden rows. Every output is one chain of additions in a fixed order, so
// wider registers change the speed and not a bit of the result.

#include <cstddef>

namespace laconic::learn {

// A view of numbers in rows: element (r, c) is at data[r * row_step + c * column_step].
struct Grid {
    const float* data;
    std::size_t row_step;
    std::size_t column_step;
};

// out[r][c] += sum over k of left[r][k] * right[k][c]; `right` and `out` have rows of `width` numbers.
void multiply_add(Grid left, std::size_t rows, std::size_t inner, const float* right, std::size_t width, float* out);

// The sum of the products of two runs whose width is a multiple of 16.
[[nodiscard]] float dot(const float* left, const float* right, std::size_t width);

// target[c] += source[c]
void add_to(float* target, const float* source, std::size_t width);

// One step of Adam on a run of numbers. `rate` has the correction for the start in it.
struct AdamStep {
    float rate, first_decay, second_decay, epsilon;
};
void adam(const AdamStep& step, const float* gradient, float* values, float* first, float* second, std::size_t width);

}  // namespace laconic::learn
