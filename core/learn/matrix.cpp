#include "learn/matrix.hpp"

#include <array>
#include <cmath>

#include "base/wide.hpp"

namespace laconic::learn {

LACONIC_WIDE void multiply_add(Grid left, std::size_t rows, std::size_t inner, const float* right, std::size_t width,
                               float* out) {
    for (std::size_t r = 0; r < rows; ++r) {
        const float* x = left.data + r * left.row_step;
        float* target = out + r * width;
        std::size_t k = 0;
        for (; k + 4 <= inner; k += 4) {  // four at a time: the target is read and written a quarter as often
            const float a = x[k * left.column_step];
            const float b = x[(k + 1) * left.column_step];
            const float c = x[(k + 2) * left.column_step];
            const float d = x[(k + 3) * left.column_step];
            const float* m = right + k * width;
            const float* n = m + width;
            const float* o = n + width;
            const float* p = o + width;
            for (std::size_t i = 0; i < width; ++i)
                target[i] = (((target[i] + a * m[i]) + b * n[i]) + c * o[i]) + d * p[i];
        }
        for (; k < inner; ++k) {
            const float a = x[k * left.column_step];
            const float* m = right + k * width;
            for (std::size_t i = 0; i < width; ++i) target[i] += a * m[i];
        }
    }
}

LACONIC_WIDE float dot(const float* left, const float* right, std::size_t width) {
    std::array<float, 16> parts{};  // sixteen chains, whatever the registers: the order of additions is fixed
    for (std::size_t i = 0; i < width; i += parts.size())
        for (std::size_t lane = 0; lane < parts.size(); ++lane) parts[lane] += left[i + lane] * right[i + lane];
    for (std::size_t half = parts.size() / 2; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    return parts[0];
}

LACONIC_WIDE void add_to(float* target, const float* source, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) target[i] += source[i];
}

LACONIC_WIDE void adam(const AdamStep& step, const float* gradient, float* values, float* first, float* second,
                       std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
        const float g = gradient[i];
        first[i] = step.first_decay * first[i] + (1.0F - step.first_decay) * g;
        second[i] = step.second_decay * second[i] + (1.0F - step.second_decay) * (g * g);
        values[i] -= step.rate * first[i] / (std::sqrt(second[i]) + step.epsilon);
    }
}

}  // namespace laconic::learn
