#pragma once

#include <rondo/optimise/schedule.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::optimise {

/// How an evaluation of loss and gradient becomes the next point; see advance() for the formulas.
enum class Rule { sgd, momentum, nesterov, adagrad, rmsprop, adam, adamw, lbfgs, levenberg_marquardt };

/// Every rule's name as a job file spells it, in the order of the enum.
[[nodiscard]] const std::vector<std::string>& rule_names();
[[nodiscard]] std::optional<Rule> rule_from(std::string_view name);
[[nodiscard]] std::string_view name_of(Rule rule);

/// What a rule wants to be fed beside the loss.
enum class Needs {
    gradient,    ///< the gradient
    gauss_newton ///< the gradient and the Gauss-Newton matrix of the same loss
};
[[nodiscard]] Needs needs(Rule rule);

/// True where every evaluation must be of the whole ensemble: lbfgs and levenberg_marquardt compare losses of
/// successive points, which a change of batch would make meaningless.
[[nodiscard]] bool is_full_batch_only(Rule rule);

/// The choice of a rule with all its constants.
struct Options {
    Rule rule = Rule::adam;
    double momentum = 0.9;     ///< mu of momentum and nesterov
    double beta1 = 0.9;        ///< adam, adamw: memory of the gradient's mean
    double beta2 = 0.999;      ///< adam, adamw: memory of the gradient's mean square
    double rho = 0.9;          ///< rmsprop: memory of the mean square (PyTorch calls it alpha and has 0.99)
    double epsilon = 1e-8;     ///< adagrad, rmsprop, adam, adamw: added to the square root in the denominator
    double weight_decay = 0.0; ///< decoupled in adamw; in every other rule the loss gains weight_decay |point|^2 / 2
    std::size_t memory = 10;   ///< lbfgs: pairs kept
    double initial_damping = 1e-3; ///< levenberg_marquardt: the first damping, relative to the matrix's diagonal

    /// lbfgs, levenberg_marquardt: end where  |g|_inf <= gradient_tolerance max(|loss|, min(1, |g_first|_inf)).
    double gradient_tolerance = 1e-10;
    /// lbfgs, levenberg_marquardt: end where every  |step_i| <= step_tolerance (|point_i| + step_tolerance).
    double step_tolerance = 1e-10;
    /// lbfgs, levenberg_marquardt: end where a step changes the loss by at most loss_tolerance |loss|.
    double loss_tolerance = 1e-15;

    std::optional<double> clip_value = {}; ///< clip(): largest magnitude of one entry of the gradient
    std::optional<double> clip_norm = {};  ///< clip(): largest Euclidean norm of the gradient
};

/// Check every number of the options.
/// @param where  begins the message: file and table
/// @throws InputError  a number is out of its range, or clipping is asked of a rule that compares losses; the text
/// names
///                     key, value and range
void validate(const Options& options, const std::string& where);

/// Clip a gradient in place: first each entry to [-clip_value, clip_value], then, if its Euclidean norm exceeds
/// clip_norm, the whole to that norm. An entry that is not a number stays one.
/// @return the Euclidean norm before any clipping
///
/// Tests  tests/optimise/options_test.cpp: short vectors by hand, entries near overflow.
double clip(const Options& options, std::span<double> gradient);

} // namespace rondo::optimise
