#pragma once

#include "vector.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>

namespace rondo::solve {

/// What is integrated: dy/dt = rates(t, y), and integrals dq/dt = integrand(t, y) that y does not depend on.
/// y has columns whose Jacobian is one and the same block. Functions may throw.
class Problem {
public:
    virtual ~Problem() = default;
    /// @param y    [rows * columns]
    /// @param out  [rows * columns]
    virtual void rates(double t, const double* y, double* out) = 0;
    /// @param block  [rows * rows] column-major: d out_i / d y_j of a column at [j * rows + i]
    virtual void jacobian(double t, const double* y, double* block) = 0;
    /// @param out  [number of integrals]
    virtual void integrand(double t, const double* y, double* out);
};

/// Lets C code call a Problem: nothing is thrown, numbers that are not finite are a recoverable failure, calls are
/// counted. Each function returns 0 (done), 1 (a number is not finite: a shorter step may help) or -1 (`error` holds
/// what was thrown).
struct GuardedProblem {
    /// What was last found not finite.
    enum class Culprit : std::uint8_t { none, rate, jacobian, integrand };

    Problem* problem = nullptr;
    Shape shape;
    std::size_t n_integrals = 0;
    std::int64_t n_rates = 0;
    std::exception_ptr error;
    Culprit culprit = Culprit::none;
    std::size_t entry = 0; ///< of the rate that is not finite

    [[nodiscard]] int rates(double t, const double* y, double* out) noexcept;
    [[nodiscard]] int jacobian(double t, const double* y, double* block) noexcept;
    [[nodiscard]] int integrand(double t, const double* y, double* out) noexcept;
};

} // namespace rondo::solve
