#pragma once

#include <rondo/optimise/update.hpp>

#include <string>
#include <vector>

namespace rondo::optimise {

/// The arrays and numbers of each family of rules, added to a state that holds only its point.
void start_first_order(const Options& options, State& state);
void start_lbfgs(const Options& options, State& state);
void start_levenberg_marquardt(const Options& options, State& state);

/// One evaluation for each family of rules; sizes are checked by the caller, who counts the update afterwards.
Progress advance_first_order(const Options& options, State& state, const Evaluation& evaluation, double rate);
Progress advance_lbfgs(const Options& options, State& state, const Evaluation& evaluation, double rate);
Progress advance_levenberg_marquardt(const Options& options, State& state, const Evaluation& evaluation);

/// The named array or number of a state; a missing one is a ContractError: the state belongs to another rule.
[[nodiscard]] std::vector<double>& array_of(State& state, const std::string& name);
[[nodiscard]] double& number_of(State& state, const std::string& name);

/// True where loss and gradient (and matrix) may be believed: not failed, and every number finite.
[[nodiscard]] bool is_usable(const Evaluation& evaluation);

/// g + weight_decay x.
[[nodiscard]] std::vector<double> decayed_gradient(const Options& options, const State& state,
                                                   const Evaluation& evaluation);
/// loss + weight_decay |x|^2 / 2.
[[nodiscard]] double decayed_loss(const Options& options, const State& state, const Evaluation& evaluation);

} // namespace rondo::optimise
