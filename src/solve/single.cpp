#include "single.hpp"

#include "finite_row.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <chrono>

namespace rondo::solve {
namespace {

/// Add the counts of `more`; the rest is of the last.
void join(Verdict& verdict, Verdict more) {
    more.n_steps += verdict.n_steps;
    more.n_rhs += verdict.n_rhs;
    verdict = std::move(more);
}

} // namespace

Single::Single(const Options& options, const model::Model& model, std::size_t record_budget_bytes)
    : options_{options}, n_states_{model.n_states()}, n_active_{model.n_active()}, record_budget_bytes_{
                                                                                       record_budget_bytes} {
    expects(options.method != Method::automatic && options.sensitivity != Sensitivity::automatic,
            "an engine is made from resolved options");
    expects(options.rtol > 0 && options.atol > 0 && options.max_steps > 0 && options.max_attempts > 0,
            "tolerances, steps and attempts are positive");
}

void Single::solve(const Request& request, std::span<const std::int64_t> trajectories, std::span<Outcome> outcomes,
                   std::span<double> rows, double* predictions) {
    const model::Model& model = *request.model;
    const std::size_t size = row_size(request.want, model.n_active());
    expects(model.n_states() == n_states_ && model.n_active() == n_active_,
            "an engine solves the model it was made for");
    expects(outcomes.size() == trajectories.size() && rows.size() == trajectories.size() * size,
            "one outcome and one row for each trajectory");
    expects(request.want != Want::curvature || model.loss != model::LossKind::cross_entropy,
            "cross entropy has no Gauss-Newton matrix here");
    for (std::size_t i = 0; i < trajectories.size(); ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const ensemble::Trajectory trajectory = request.ensemble->trajectory(trajectories[i]);
        const Field field{model, request.parameters, trajectory.covariates};
        const std::vector<Stop> stops = stops_of(trajectory);
        const std::vector<Segment> segments = segments_of(stops, request.initial_time);
        expects(stops.empty() || stops[0].time >= request.initial_time, "no time is before the initial time");
        const Case task{.field = &field,
                        .trajectory = trajectory,
                        .stops = stops,
                        .segments = segments,
                        .initial_time = request.initial_time,
                        .want = request.want,
                        .rtol = options_.rtol,
                        .atol = options_.atol,
                        .max_steps = options_.max_steps,
                        .predictions = predictions};
        solve_one(task, outcomes[i], rows.subspan(i * size, size));
        outcomes[i].wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (predictions != nullptr) {
            predictions += trajectory.times.size() * 2 * model.n_observables();
        }
    }
}

void Single::solve_one(const Case& task, Outcome& outcome, std::span<double> row) {
    outcome = {};
    const int most = std::min(options_.max_attempts, n_settings);
    for (int number = 0; number < most && !outcome.solved; ++number) {
        Verdict verdict = attempt(task, number, row);
        outcome.solved = verdict.solved;
        outcome.attempts = number + 1;
        outcome.method = setting_of(options_.method, number).method;
        outcome.n_steps += verdict.n_steps;
        outcome.n_rhs += verdict.n_rhs;
        outcome.time_reached = verdict.time;
        outcome.reason = std::move(verdict.reason);
        require_finite(task.field->model(), row, outcome);
    }
    if (!outcome.solved) {
        std::fill(row.begin(), row.end(), 0.0);
    }
}

Verdict Single::attempt(const Case& task, int number, std::span<double> row) {
    const model::Model& model = task.field->model();
    const bool derives = task.want != Want::loss && n_active_ > 0;
    std::fill(row.begin(), row.end(), 0.0);
    Verdict verdict;
    if (derives && task.want == Want::gradient && options_.sensitivity == Sensitivity::adjoint) {
        verdict = attempt_adjoint(task, number, row);
    } else {
        verdict = forward(model, derives ? Purpose::sensitivities : Purpose::loss, number).solve(task, row);
    }
    return verdict;
}

Verdict Single::attempt_adjoint(const Case& task, int number, std::span<double> row) {
    const model::Model& model = task.field->model();
    Forward& there = forward(model, Purpose::adjoint, number);
    Verdict verdict = there.solve(task, row);
    if (verdict.record_full) {
        std::fill(row.begin(), row.end(), 0.0);
        join(verdict, forward(model, Purpose::sensitivities, number).solve(task, row));
    } else if (verdict.solved) {
        join(verdict, backward(model, number).solve(task, there, verdict.n_steps, row.subspan(1)));
    }
    return verdict;
}

Forward& Single::forward(const model::Model& model, Purpose purpose, int number) {
    auto& slot = forward_[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(number)];
    if (!slot) {
        slot = std::make_unique<Forward>(model, purpose, setting_of(options_.method, number), record_budget_bytes_);
    }
    return *slot;
}

Backward& Single::backward(const model::Model& model, int number) {
    auto& slot = backward_[static_cast<std::size_t>(number)];
    if (!slot) {
        slot = std::make_unique<Backward>(model, setting_of(options_.method, number));
    }
    return *slot;
}

} // namespace rondo::solve
