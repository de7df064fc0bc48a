#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::model {

/// How one observed point is compared with the model; formulas at `point_loss`.
enum class LossKind : std::uint8_t { squared, gaussian, lognormal, laplace, huber, cross_entropy };

[[nodiscard]] const std::vector<std::string>& loss_names();
[[nodiscard]] std::optional<LossKind> loss_from(std::string_view name);
[[nodiscard]] std::string_view name_of(LossKind kind);

/// True where the loss divides by a noise scale (gaussian, lognormal, laplace).
[[nodiscard]] bool uses_sigma(LossKind kind);

/// The job's `[loss]`, but for the reduction over trajectories.
struct LossSpec {
    LossKind kind = LossKind::squared;
    std::string sigma;                           ///< expression for every observable; empty: see `sigma_of`, else the data's column
    std::map<std::string, std::string> sigma_of; ///< expression by observable
    double delta = 1.0;                          ///< of huber, in units of the data
};

/// Loss of one point and its derivatives.
struct PointLoss {
    double value = 0;
    double d_output = 0;         ///< d value / d output
    double d_sigma = 0;          ///< d value / d sigma; 0 where the loss has none
    double curvature_output = 0; ///< Gauss-Newton (expected) second derivative in the output, >= 0
    double curvature_sigma = 0;  ///< the same in sigma
};

/// Loss of one observed point, with r = output - datum:
///   squared    r^2
///   gaussian   r^2 / (2 sigma^2) + log(sigma) + log(2 pi) / 2
///   lognormal  (log output - log datum)^2 / (2 sigma^2) + log(sigma) + log(2 pi) / 2 + log(datum)
///   laplace    |r| / sigma + log(2 sigma)
///   huber      r^2 / 2 where |r| <= delta, else delta (|r| - delta / 2)
/// The value is NaN where it is not defined (sigma <= 0, output <= 0 in lognormal): the trajectory then fails.
/// Expected curvatures: squared 2; gaussian 1/sigma^2 and 2/sigma^2; lognormal 1/(sigma output)^2 and 2/sigma^2;
/// laplace 1/sigma^2 and 1/sigma^2; huber min(1, delta/|r|). `kind` is not cross_entropy.
/// Tests   tests/model/loss_test.cpp
[[nodiscard]] PointLoss point_loss(LossKind kind, double delta, double output, double sigma, double datum);

/// Cross entropy of one class label: log(sum exp(logits)) - logits[label], stable for large logits.
/// @param d_logits  [n] receives softmax(logits) - onehot(label)
[[nodiscard]] double cross_entropy(std::span<const double> logits, std::size_t label, std::span<double> d_logits);

} // namespace rondo::model
