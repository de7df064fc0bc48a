#pragma once

#include "backward.hpp"
#include "forward.hpp"
#include "retry.hpp"

#include <rondo/solve/engine.hpp>

#include <array>
#include <memory>
#include <vector>

namespace rondo::solve {

/// One CVODES problem a trajectory, tried again by the ladder of `setting_of`. Integrators are made when first needed
/// and kept for the trajectories that follow.
///
/// A gradient by the adjoint keeps the forward solution; a trajectory for which that would take more bytes than
/// the budget is solved with forward sensitivities instead. So is any for which the curvature is wanted.
///
/// Tests   tests/solve/single_test.cpp, gradient_test.cpp, reference_test.cpp, failure_test.cpp
class Single final : public Engine {
public:
    Single(const Options& options, const model::Model& model, std::size_t record_budget_bytes = Record::default_budget);
    void solve(const Request& request, std::span<const std::int64_t> trajectories, std::span<Outcome> outcomes,
               std::span<double> rows, double* predictions) override;

private:
    using Purpose = Forward::Purpose;

    void solve_one(const Case& task, Outcome& outcome, std::span<double> row);
    [[nodiscard]] Verdict attempt(const Case& task, int number, std::span<double> row);
    [[nodiscard]] Verdict attempt_adjoint(const Case& task, int number, std::span<double> row);
    [[nodiscard]] Forward& forward(const model::Model& model, Purpose purpose, int number);
    [[nodiscard]] Backward& backward(const model::Model& model, int number);

    Options options_;
    std::size_t n_states_, n_active_;
    std::size_t record_budget_bytes_;
    std::array<std::array<std::unique_ptr<Forward>, n_settings>, 3> forward_; ///< by purpose and attempt
    std::array<std::unique_ptr<Backward>, n_settings> backward_;
};

} // namespace rondo::solve
