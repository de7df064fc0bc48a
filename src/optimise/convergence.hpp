#pragma once

#include <rondo/optimise/update.hpp>

#include <span>

namespace rondo::optimise {

/// Why a rule that compares losses has ended. Stored in the state as its number.
enum class Ending { none, gradient, step, loss, no_lower_loss, damping };

[[nodiscard]] bool has_ended(const State& state);

/// The progress of feeding a state that has ended.
[[nodiscard]] Progress ended_before(State& state);

/// Put the state to rest at its accepted point; the sentence is `why`, then `detail`.
[[nodiscard]] Progress end(State& state, Ending why, const std::string& detail, Progress progress);

/// The gradient is small: |g|_inf <= tolerance max(|loss|, min(1, |g_first|_inf)).
[[nodiscard]] bool is_gradient_small(const Options& options, double gradient_norm, double first_norm, double loss);

/// Every entry of the step is small against its entry of the point.
[[nodiscard]] bool is_step_small(const Options& options, std::span<const double> point, std::span<const double> step);

} // namespace rondo::optimise
