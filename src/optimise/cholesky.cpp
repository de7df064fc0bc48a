#include "cholesky.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace rondo::optimise {

std::optional<std::vector<double>> solve_positive(std::vector<double> matrix, std::span<const double> right) {
    const std::size_t n = right.size();
    std::vector<double> column(n);
    std::vector<double> noise(n); // a pivot that cancels down to here is rounding
    for (std::size_t k = 0; k < n; ++k) {
        noise[k] = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * matrix[k * n + k];
    }
    for (std::size_t k = 0; k < n; ++k) {
        const double square = matrix[k * n + k];
        if (!(square > 0 && square > noise[k]) || !std::isfinite(square)) {
            return std::nullopt;
        }
        const double pivot = std::sqrt(square);
        for (std::size_t i = k; i < n; ++i) {
            column[i] = matrix[i * n + k] / pivot;
            matrix[i * n + k] = column[i];
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = column[i];
            for (std::size_t j = k + 1; j <= i; ++j) {
                matrix[i * n + j] -= factor * column[j];
            }
        }
    }
    std::vector<double> solution(right.begin(), right.end());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            solution[i] -= matrix[i * n + j] * solution[j];
        }
        solution[i] /= matrix[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        solution[i] /= matrix[i * n + i];
        for (std::size_t j = 0; j < i; ++j) {
            solution[j] -= matrix[i * n + j] * solution[i];
        }
    }
    return solution;
}

} // namespace rondo::optimise
