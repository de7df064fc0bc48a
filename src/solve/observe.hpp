#pragma once

#include "field.hpp"
#include "timeline.hpp"

#include <rondo/ensemble/ensemble.hpp>
#include <rondo/solve/engine.hpp>

#include <span>
#include <string>
#include <vector>

namespace rondo::solve {

/// Collects the loss of one trajectory, stop by stop, and what gradients need of it. Knows no integrator.
///
/// With outputs z = [h, sigma](t, x, p) and the points' loss l(z):
///   gx = (dz/dx)^T dl/dz [n],  gp = (dz/dp)^T dl/dz [m].
///
/// Tests   tests/solve/observe_test.cpp
class Observer {
public:
    /// Begin a trajectory.
    /// @param predictions  nullptr, or [T x 2 O], filled with NaN here and with outputs stop by stop
    void begin(const Field& field, const ensemble::Trajectory& trajectory, Want want, double* predictions);

    /// Read the rows of a stop at state x.
    /// @return false where a point's loss is not finite; `reason` tells
    [[nodiscard]] bool take(const Stop& stop, const double* x);

    /// Sum of the points' losses so far (cross entropy: mean over the trajectory's labels).
    [[nodiscard]] double loss() const { return loss_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }

    /// The last `take` saw points and a derivative was asked for: `gx` and `gp` are of that stop.
    [[nodiscard]] bool has_gradient() const { return has_gradient_; }
    [[nodiscard]] const double* gx() const { return gradient_.data(); }
    [[nodiscard]] const double* gp() const { return gradient_.data() + n_; }

    /// Add the last take's share of the Gauss-Newton matrix  sum_z l''(z) (dz/dp) (dz/dp)^T  in total derivatives:
    /// dz/dp_k = (dz/dx) . s_k + (partial) dz/dp_k.
    /// @param x         as given to `take`
    /// @param s         [m * n] sensitivities
    /// @param triangle  [m (m + 1) / 2] upper triangle by rows, added to
    void add_curvature(const Stop& stop, const double* x, const double* s, double* triangle);

private:
    [[nodiscard]] bool take_labels(const Stop& stop);
    [[nodiscard]] bool take_values(const Stop& stop);
    [[nodiscard]] bool refuse(double time, std::size_t column, double datum);
    void clear_weights();

    const Field* field_ = nullptr;
    ensemble::Trajectory trajectory_;
    Want want_ = Want::loss;
    double* predictions_ = nullptr;
    std::size_t n_ = 0, n_outputs_ = 0, n_columns_ = 0;
    double label_weight_ = 0; ///< 1 / number of labels
    double loss_ = 0;
    bool has_gradient_ = false;
    std::string reason_;
    std::vector<double> outputs_;   ///< [2 O]
    std::vector<double> weights_;   ///< [2 O] dl/dz of the stop
    std::vector<double> curvature_; ///< [2 O] d2l/dz2 of the stop
    std::vector<double> gradient_;  ///< [n + m]
    std::vector<double> unit_, row_;
};

} // namespace rondo::solve
