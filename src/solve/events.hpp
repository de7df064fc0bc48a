#pragma once

#include "field.hpp"

#include <rondo/ensemble/ensemble.hpp>

#include <span>
#include <vector>

namespace rondo::solve {

/// Changes of states at known times, with what they do to sensitivities and adjoints. With amount a(t, p) and state i:
///   add       x_i += a     s_ki += da/dp_k              g_k += lambda_i da/dp_k
///   multiply  x_i *= a     s_ki = a s_ki + x_i da/dp_k  g_k += lambda_i x_i da/dp_k,  then lambda_i *= a
///   replace   x_i = a      s_ki = da/dp_k               g_k += lambda_i da/dp_k,      then lambda_i = 0
/// (x_i is the value before the event; g the gradient, lambda the derivative of the loss in the state.)
///
/// Tests   tests/solve/gradient_test.cpp: against differences.
class EventRules {
public:
    /// Apply events of one time in their order.
    /// @param x       [n]
    /// @param s       [m * n], or nullptr: no sensitivities
    /// @param before  nullptr, or receives x_i as it was before each event (appended)
    /// @return false where an amount is not finite
    [[nodiscard]] bool apply(const Field& field, double t, std::span<const ensemble::Event> events, double* x,
                             double* s, std::vector<double>* before);

    /// Undo them for the adjoint, in opposite order.
    /// @param before    [number of events] as `apply` gave it
    /// @param lambda    [n] after the events; becomes the one before them
    /// @param gradient  [m] added to
    void apply_adjoint(const Field& field, double t, std::span<const ensemble::Event> events,
                       std::span<const double> before, double* lambda, double* gradient);

private:
    void evaluate(const Field& field, double t, std::span<const ensemble::Event> events, bool derivatives);

    std::vector<double> amounts_; ///< [E] or [(1 + m) * E]
};

} // namespace rondo::solve
