#pragma once

#include <rondo/optimise/options.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rondo::optimise {

/// All that the next update depends on, as plain numbers: whoever stores and restores every field goes on bit for bit.
struct State {
    std::vector<double> point;                         ///< [m] where loss and gradient are to be evaluated next
    std::int64_t update = 0;                           ///< evaluations fed so far
    std::map<std::string, std::vector<double>> memory; ///< named arrays of the rule, for instance adam's moments
    std::map<std::string, double> scalars;             ///< named numbers of the rule, for instance the damping

    bool operator==(const State&) const = default;
};

/// Loss and derivatives at `State::point`.
struct Evaluation {
    double loss = 0.0;
    std::span<const double> gradient = {};     ///< [m]
    std::span<const double> gauss_newton = {}; ///< [m x m] symmetric, row-major, full; empty unless the rule needs it
    bool failed = false;                       ///< nothing above is to be believed: too many trajectories failed here
};

/// What one evaluation led to.
struct Progress {
    bool accepted = false;   ///< a new point was accepted (always, for the rules without a trial)
    bool converged = false;  ///< the rule has ended; State::point is the best point and stays there
    std::string reason = {}; ///< why it ended
    double step_norm = 0.0;  ///< Euclidean length of the accepted step; 0 where none was accepted
};

/// The state before the first evaluation, which is to be made at `point`.
[[nodiscard]] State start(const Options& options, std::span<const double> point);

/// Feed the evaluation at `state.point`; afterwards `state.point` is where to evaluate next.
///
/// With learning rate r, point x, gradient g (of loss + weight_decay |x|^2 / 2, except in adamw) and t = 1, 2, ...:
///
///     sgd        x -= r g
///     momentum   v = mu v + g;                x -= r v
///     nesterov   v = mu v + g;                x -= r (g + mu v)      (Sutskever's form, as in PyTorch)
///     adagrad    a = a + g^2;                 x -= r g / (sqrt(a) + epsilon)
///     rmsprop    a = rho a + (1 - rho) g^2;   x -= r g / (sqrt(a) + epsilon)
///     adam       m = beta1 m + (1 - beta1) g;  a = beta2 a + (1 - beta2) g^2;
///                x -= r (m / (1 - beta1^t)) / (sqrt(a / (1 - beta2^t)) + epsilon)
///     adamw      adam's step and  x -= r weight_decay x  from the same old x
///
/// `lbfgs` steps along the two-loop direction of the last `memory` pairs and searches on the line for a point that
/// meets the strong Wolfe conditions (c1 = 1e-4, c2 = 0.9): bracketing, then zooming by cubic interpolation. Each
/// evaluation is one trial. The rate only scales the first trial along a negative gradient, which has length  r min(1,
/// |g|);  every later direction carries its own length and starts from the whole step.
///
/// `levenberg_marquardt` solves  (H + damping D) d = -g  with the Gauss-Newton matrix H and D the largest diagonal of H
/// met so far (Marquardt's scaling), accepts x + d where the loss falls by at least a twentieth of the prediction, and moves the damping by the gain ratio,
/// actual over predicted reduction, as Nielsen proposes. The loss must be  c + k sum r^2,  g its gradient and H its
/// Gauss-Newton matrix, whatever c and k > 0 are. The rate is not used.
///
/// These two compare losses. A `failed` evaluation, or one that is not finite, makes the line search backtrack or the
/// damping rise. They end by themselves: on the tolerances in Options, or when no lower loss can be found; every ending
/// has its reason. Feeding a state that has ended changes nothing but the count.
///
/// Shapes  m = state.point.size() = evaluation.gradient.size(). Additions run in one fixed order, so that the same
///         numbers give the same bits whatever the machine's vector width.
/// Ranks   local and deterministic: ranks that feed the same numbers hold the same state.
/// Cost    O(m); lbfgs O(memory m); levenberg_marquardt O(m^3).
///
/// @param rate  the learning rate of this update, not negative
/// @throws SolveError     lbfgs, levenberg_marquardt: the first evaluation of all failed, so there is nothing to go
/// back to
/// @throws ContractError  sizes differ, a state of another rule, or another rule is fed a failed evaluation
///
/// Source  Kingma and Ba, Adam, 2015; Loshchilov and Hutter, Decoupled weight decay regularization, 2019; Sutskever et
///         al., On the importance of initialization and momentum, 2013; Nocedal and Wright, Numerical optimization,
///         2006, algorithms 3.5, 3.6 and 7.4; Madsen, Nielsen and Tingleff, Methods for non-linear least squares
///         problems, 2004.
/// Tests   tests/optimise/{first_order,lbfgs,line_search,levenberg_marquardt,resume}_test.cpp
Progress advance(const Options& options, State& state, const Evaluation& evaluation, double rate);

/// The point to keep: the last accepted one, which has the lowest loss, for lbfgs and levenberg_marquardt; else
/// `state.point`. The span is into `state`.
[[nodiscard]] std::span<const double> best_point(const State& state);

} // namespace rondo::optimise
