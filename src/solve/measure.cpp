// How large vectors are: norms, weights, and whether they are numbers at all.

#include "loops.hpp"
#include "vector.hpp"

#include <array>
#include <cmath>

namespace rondo::solve {
namespace {

/// sum (x_i w_i)^2 of one column; long columns in four partial sums, always the same way.
[[gnu::always_inline]] inline double column_sum(const double* x, const double* w, std::size_t rows) noexcept {
    std::array<double, 4> part{};
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        for (std::size_t j = 0; j < 4; ++j) {
            const double term = x[i + j] * w[i + j];
            part[j] += term * term;
        }
    }
    double sum = (part[0] + part[2]) + (part[1] + part[3]);
    for (; i < rows; ++i) {
        const double term = x[i] * w[i];
        sum += term * term;
    }
    return sum;
}

template <std::size_t fixed_rows>
[[gnu::always_inline]] inline double largest_column_sum(const Shape& shape, const double* x, const double* w) noexcept {
    const std::size_t rows = fixed_rows == 0 ? shape.rows : fixed_rows;
    double largest = 0, all = 0;
    for (std::size_t c = 0; c < shape.columns; ++c) {
        const double sum = column_sum(x + c * rows, w + c * rows, rows);
        largest = sum > largest ? sum : largest;
        all += sum;
    }
    return std::isnan(all) ? all : largest;
}

} // namespace

bool all_finite(const double* values, std::size_t size) noexcept {
    // Zero times a finite number is zero, times anything else NaN.
    std::array<double, 4> part{};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        for (std::size_t j = 0; j < 4; ++j) {
            part[j] += 0.0 * values[i + j];
        }
    }
    double sum = (part[0] + part[1]) + (part[2] + part[3]);
    for (; i < size; ++i) {
        sum += 0.0 * values[i];
    }
    return sum == 0.0;
}

void error_weights(double rtol, const double* y, const double* atol, double* w, std::size_t padded_size) noexcept {
    for_each_entry(padded_size, [=](std::size_t i) { w[i] = 1.0 / (rtol * std::fabs(y[i]) + atol[i]); });
}

double worst_norm(const Shape& shape, const double* x, const double* w) noexcept {
    double largest = 0;
    switch (shape.rows) {
    case 0:
        return 0.0;
    case 1:
        largest = largest_column_sum<1>(shape, x, w);
        break;
    case 2:
        largest = largest_column_sum<2>(shape, x, w);
        break;
    case 3:
        largest = largest_column_sum<3>(shape, x, w);
        break;
    case 4:
        largest = largest_column_sum<4>(shape, x, w);
        break;
    default:
        largest = largest_column_sum<0>(shape, x, w);
        break;
    }
    return std::sqrt(largest / static_cast<double>(shape.rows));
}

} // namespace rondo::solve
