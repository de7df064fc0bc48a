#include "problem.hpp"

#include <algorithm>
#include <cmath>

namespace rondo::solve {

void Problem::integrand(double /*t*/, const double* /*y*/, double* /*out*/) {}

int GuardedProblem::rates(double t, const double* y, double* out) noexcept {
    ++n_rates;
    try {
        problem->rates(t, y, out);
    } catch (...) {
        error = std::current_exception();
        return -1;
    }
    if (all_finite(out, shape.size())) {
        return 0;
    }
    culprit = Culprit::rate;
    entry = static_cast<std::size_t>(
        std::find_if(out, out + shape.size(), [](double value) { return !std::isfinite(value); }) - out);
    return 1;
}

int GuardedProblem::jacobian(double t, const double* y, double* block) noexcept {
    try {
        problem->jacobian(t, y, block);
    } catch (...) {
        error = std::current_exception();
        return -1;
    }
    if (all_finite(block, shape.rows * shape.rows)) {
        return 0;
    }
    culprit = Culprit::jacobian;
    return 1;
}

int GuardedProblem::integrand(double t, const double* y, double* out) noexcept {
    try {
        problem->integrand(t, y, out);
    } catch (...) {
        error = std::current_exception();
        return -1;
    }
    if (all_finite(out, n_integrals)) {
        return 0;
    }
    culprit = Culprit::integrand;
    return 1;
}

} // namespace rondo::solve
