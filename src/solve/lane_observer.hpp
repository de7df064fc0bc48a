#pragma once

#include "aligned.hpp"
#include "core/core.hpp"
#include "timeline.hpp"

#include <rondo/model/model.hpp>
#include <rondo/solve/engine.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace rondo::solve {

/// Collects the losses of eight trajectories at once, save point by save point, and what gradients need of them.
/// The arithmetic is Observer's; a lane's numbers do not depend on the others.
///
/// Tests   tests/solve/lanes_test.cpp: the same losses and gradients as the engine `single`
class LaneObserver {
public:
    static constexpr std::size_t n_lanes = model::n_lanes;

    /// @param covariate  [C * 8] of the lanes, read at each `take`
    LaneObserver(const model::Model& model, const double* covariate);

    /// What follows is for this.
    void begin_set(Want want, std::span<const double> parameters);
    /// A trajectory takes a lane.
    /// @param predictions  nullptr, or [T x 2 O], filled with NaN here and with outputs stop by stop
    void begin(std::size_t lane, const ensemble::Trajectory& trajectory, double* predictions);

    /// Read the rows of a stop in each lane of `set`, at states x [n * 8].
    /// @return the lanes of `set` whose loss is not finite; `reason` tells
    [[nodiscard]] unsigned take(unsigned set, const std::array<Stop, n_lanes>& stops, const double* x);

    [[nodiscard]] double loss(std::size_t lane) const { return loss_[lane]; }
    [[nodiscard]] const std::string& reason(std::size_t lane) const { return reasons_[lane]; }

    /// The last `take` asked for derivatives and saw points in some lane.
    [[nodiscard]] bool has_gradient() const { return has_gradient_; }
    /// Lanes that saw points in the last take.
    [[nodiscard]] unsigned seen() const { return seen_; }
    /// [n * 8] of the last take: derivative of its losses in the state; zero in lanes that saw no point.
    [[nodiscard]] const double* gx() const { return gradient_.data(); }
    /// Add the last take's derivative in the parameters, of those that outputs depend on.
    /// @param gradient  [m * 8]
    void add_direct(double* gradient) const;

    /// Add the last take's share of the Gauss-Newton matrix; see Observer::add_curvature.
    /// @param x         as given to `take`
    /// @param s         [m * n * 8] sensitivities
    /// @param triangle  [m (m + 1) / 2 * 8] upper triangle by rows
    void add_curvature(const double* x, const double* s, double* triangle);

private:
    struct Lane {
        ensemble::Trajectory trajectory;
        double* predictions = nullptr;
        double label_weight = 0; ///< 1 / number of labels
    };

    [[nodiscard]] unsigned take_squares(unsigned set, const std::array<Stop, n_lanes>& stops);
    bool take_values(std::size_t lane, const Stop& stop);
    bool take_labels(std::size_t lane, const Stop& stop);
    bool refuse(std::size_t lane, double time, std::size_t column, double datum);
    void call(expression::Kernel kernel, const double* x, const double* seed, double* out) const;

    const model::Model& model_;
    const double* covariate_;
    const LaneLoops& loops_;
    expression::Kernel outputs_kernel_, adjoint_kernel_;
    std::span<const double> parameters_;
    Want want_ = Want::loss;
    std::size_t n_, m_, n_outputs_, n_columns_;
    std::array<Lane, n_lanes> lanes_;
    std::array<std::string, n_lanes> reasons_;
    alignas(64) std::array<double, n_lanes> loss_{};
    alignas(64) std::array<double, n_lanes> time_{};
    unsigned seen_ = 0; ///< lanes with points in the last take
    bool has_gradient_ = false;
    LaneArray values_;    ///< [O * 8] data
    LaneArray outputs_;   ///< [2 O * 8]
    LaneArray weights_;   ///< [2 O * 8] dl/dz
    LaneArray curvature_; ///< [2 O * 8] d2l/dz2
    LaneArray gradient_;  ///< [(n + m) * 8]; of the last m only those that outputs depend on are ever not zero
    LaneArray unit_, row_, total_;
    std::vector<double> logits_, slopes_;
};

} // namespace rondo::solve
