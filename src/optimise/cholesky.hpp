#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rondo::optimise {

/// Solve A z = b for a symmetric positive definite A by Cholesky's factorisation.
///
/// The additions to each entry run in one fixed order whatever the vector width, so that all machines agree to the bit.
///
/// Shapes  A [n x n] row-major, its lower triangle is read; b [n].
/// Cost    n^3 / 3.
/// @return z, or nothing where A is not positive definite to rounding
[[nodiscard]] std::optional<std::vector<double>> solve_positive(std::vector<double> matrix,
                                                                std::span<const double> right);

} // namespace rondo::optimise
