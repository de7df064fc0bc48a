#include <rondo/train/run.hpp>

#include "coordinates.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/reduce.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace rondo::train {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// optimise::advance, whose errors every rank meets alike: all are fed the same numbers.
optimise::Progress advance_agreed(const optimise::Options& options, optimise::State& state,
                                  const optimise::Evaluation& evaluation, double rate) {
    try {
        return optimise::advance(options, state, evaluation, rate);
    } catch (const SolveError& error) {
        throw comm::OnAllRanks<SolveError>{error.what()};
    }
}

/// The loop with what it carries from update to update.
class Loop {
public:
    Loop(const comm::Comm& comm, gradient::Evaluator& evaluator, const Options& options, const ensemble::Split& split,
         State& state, const Hooks& hooks)
        : comm_{comm}, evaluator_{evaluator}, problem_{evaluator.problem()}, options_{options}, split_{split},
          state_{state}, hooks_{hooks}, schedule_{effective_schedule(options, comm.size())},
          wall_before_s_{state.wall_s}, batch_size_{effective_batch_size(
                                            options, static_cast<std::int64_t>(split.training.size()), comm.size())} {}

    Summary run() {
        comm::verify_equal(comm_, state_.optimiser.point, "the parameters at the start");
        while (!over_ && state_.epoch < options_.epochs && !state_.ended) {
            epoch();
        }
        if (state_.ended && !over_) {
            end(Ending::converged, "the run had ended before");
        }
        if (!over_) {
            summary_.reason = fmt::format("all {} epochs are done", options_.epochs);
        }
        state_.wall_s = wall_s();
        return std::move(summary_);
    }

private:
    [[nodiscard]] double wall_s() const { return wall_before_s_ + seconds_since(start_); }

    void epoch() {
        const auto order = ensemble::epoch_order(split_.training, options_.shuffle, options_.seed, state_.epoch);
        // From the position on: under weak scaling the batches before it may have had another size, on other ranks.
        std::span<const std::int64_t> left = std::span{order}.subspan(static_cast<std::size_t>(state_.position));
        while (!over_ && !left.empty()) {
            const auto batch = ensemble::batch_of(left, batch_size_, 0);
            left = left.subspan(batch.size());
            update(batch, left.empty());
        }
    }

    void update(std::span<const std::int64_t> batch, bool ends_epoch) {
        const auto natural = gradient::natural_values(problem_.parameters, state_.optimiser.point);
        const bool gauss_newton = optimise::needs(options_.optimiser.rule) == optimise::Needs::gauss_newton;
        const auto evaluation =
            evaluator_.evaluate({.trajectories = batch,
                                 .natural = natural,
                                 .want = gauss_newton ? solve::Want::curvature : solve::Want::gradient,
                                 .flags = {hooks_.stop_requested && hooks_.stop_requested(), checkpoint_minutes_over()},
                                 .costs = state_.costs});
        summary_.phases["solve"] += evaluation.solve_s;
        summary_.phases["wait"] += evaluation.reduce_s;
        note_costs(evaluation.shard);
        note_failures(evaluation.shard);

        const auto begin = Clock::now();
        const bool failed = is_failed(evaluation);
        advance(evaluation, failed);
        state_.position += static_cast<std::int64_t>(batch.size());
        if (!failed) {
            state_.epoch_loss += evaluation.loss * static_cast<double>(evaluation.n_solved);
            state_.epoch_solved += evaluation.n_solved;
        }
        summary_.phases["update"] += seconds_since(begin);
        if (ends_epoch) {
            end_epoch();
        }
        if (hooks_.on_update) {
            hooks_.on_update(state_.history.back());
        }
        const bool interrupted = evaluation.n_flags[0] > 0;
        checkpoint_if_due(interrupted, evaluation.n_flags[1] > 0);
        if (interrupted && !over_) {
            end(Ending::interrupted, fmt::format("asked to stop after {} updates", state_.optimiser.update));
        }
    }

    /// Rules that try points and step back treat a point where more fails than before as a bad trial; the others cannot
    /// go on.
    bool is_failed(const gradient::Evaluation& evaluation) {
        const bool tries = optimise::is_full_batch_only(options_.optimiser.rule) && state_.optimiser.update > 0;
        if (!tries) {
            gradient::require_solved(comm_, problem_, evaluation);
            return false;
        }
        return evaluation.too_many_failed || evaluation.n_failed > state_.failed_at_accepted;
    }

    void advance(const gradient::Evaluation& evaluation, bool failed) {
        const auto slopes = gradient::coordinate_slopes(problem_.parameters, state_.optimiser.point);
        auto derivatives = to_coordinates(evaluation, slopes);
        const double norm = optimise::clip(options_.optimiser, derivatives.gradient);
        const double rate = optimise::learning_rate(schedule_, state_.optimiser.update);
        state_.history.push_back({.update = state_.optimiser.update,
                                  .epoch = state_.epoch,
                                  .loss = evaluation.loss,
                                  .gradient_norm = norm,
                                  .learning_rate = rate,
                                  .wall_s = wall_s(),
                                  .n_solved = evaluation.n_solved,
                                  .n_failed = evaluation.n_failed});
        const auto progress = advance_agreed(options_.optimiser, state_.optimiser,
                                             {.loss = evaluation.loss,
                                              .gradient = derivatives.gradient,
                                              .gauss_newton = derivatives.gauss_newton,
                                              .failed = failed},
                                             rate);
        if (progress.accepted || state_.failed_at_accepted < 0) {
            state_.failed_at_accepted = evaluation.n_failed;
        }
        if (progress.converged) {
            state_.ended = true;
            end(Ending::converged, progress.reason);
        }
    }

    /// Keep what this rank learnt of its trajectories: costs for the balance,
    void note_costs(const gradient::Shard& shard) {
        for (std::size_t i = 0; i < shard.trajectories.size(); ++i) {
            state_.running_costs[static_cast<std::size_t>(shard.trajectories[i])] = shard.outcomes[i].n_rhs;
        }
    }

    /// and failures for the ledger.
    void note_failures(const gradient::Shard& shard) {
        for (gradient::Failure& failure : gradient::failures_of(shard)) {
            failure.update = state_.optimiser.update;
            state_.failures[failure.trajectory] = std::move(failure);
        }
    }

    void end_epoch() {
        share_costs();
        state_.costs = state_.running_costs;
        std::ranges::fill(state_.running_costs, 0);
        ++state_.epoch;
        state_.position = 0;
        double watched = state_.epoch_loss / static_cast<double>(state_.epoch_solved);
        state_.epoch_loss = 0;
        state_.epoch_solved = 0;
        if (!split_.validation.empty()) {
            if (state_.epoch % options_.validate_every != 0 && state_.epoch != options_.epochs) {
                return;
            }
            watched = validate();
            state_.history.back().validation_loss = watched;
        }
        watch(watched);
    }

    /// Loss of the held-out trajectories, without priors: how well the model predicts them. **Collective.**
    double validate() {
        const auto begin = Clock::now();
        const auto point = optimise::best_point(state_.optimiser);
        const auto natural = gradient::natural_values(problem_.parameters, point);
        const auto evaluation =
            evaluator_.evaluate({.trajectories = split_.validation, .natural = natural, .want = solve::Want::loss});
        note_failures(evaluation.shard);
        gradient::require_solved(comm_, problem_, evaluation);
        summary_.phases["validate"] += seconds_since(begin);
        return evaluation.loss - gradient::add_priors(problem_.parameters, natural, {});
    }

    void watch(double loss) {
        const double needed = options_.early_stopping ? options_.early_stopping->min_delta : 0.0;
        if (loss < state_.best.loss - needed) {
            const auto point = optimise::best_point(state_.optimiser);
            state_.best = {.loss = loss, .epoch = state_.epoch, .coordinates = {point.begin(), point.end()}};
        } else if (options_.early_stopping && state_.epoch - state_.best.epoch >= options_.early_stopping->patience &&
                   !over_) {
            state_.ended = true;
            end(Ending::stopped_early,
                fmt::format("no better loss than {} (epoch {}) for {} epochs", number_text(state_.best.loss),
                            state_.best.epoch, options_.early_stopping->patience));
        }
    }

    /// The running epoch's counts of all ranks, on all ranks. **Collective.**
    void share_costs() { comm::allreduce_max(comm_, std::span<std::int64_t>{state_.running_costs}); }

    /// Every rank's failures, on rank 0. **Collective.**
    void share_failures() {
        std::vector<gradient::Failure> mine;
        for (const auto& [trajectory, failure] : state_.failures) {
            mine.push_back(failure);
        }
        for (const gradient::Failure& failure : gradient::gather_failures(comm_, mine)) {
            state_.failures[failure.trajectory] = failure;
        }
    }

    [[nodiscard]] bool checkpoint_minutes_over() const {
        return comm_.rank() == 0 && options_.checkpoint.minutes > 0 &&
               seconds_since(last_checkpoint_) > 60.0 * options_.checkpoint.minutes;
    }

    void checkpoint_if_due(bool interrupted, bool minutes_over) {
        const std::int64_t every = options_.checkpoint.every;
        const bool counted = every > 0 && state_.optimiser.update % every == 0;
        const bool finished = over_ || state_.epoch >= options_.epochs;
        if (!(interrupted || minutes_over || counted || finished)) {
            return;
        }
        const auto begin = Clock::now();
        share_costs();
        state_.wall_s = wall_s();
        share_failures();
        comm::run_agreed(comm_, [&] {
            if (comm_.rank() == 0 && hooks_.on_checkpoint) {
                hooks_.on_checkpoint(state_);
            }
        });
        last_checkpoint_ = Clock::now();
        summary_.phases["checkpoint"] += seconds_since(begin);
    }

    void end(Ending ending, std::string reason) {
        over_ = true;
        summary_.ending = ending;
        summary_.reason = std::move(reason);
    }

    const comm::Comm& comm_;
    gradient::Evaluator& evaluator_;
    const gradient::Problem& problem_;
    const Options& options_;
    const ensemble::Split& split_;
    State& state_;
    const Hooks& hooks_;
    optimise::Schedule schedule_;
    double wall_before_s_;
    std::int64_t batch_size_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_checkpoint_ = Clock::now();
    Summary summary_;
    bool over_ = false;
};

} // namespace

State start(const Options& options, const gradient::Problem& problem) {
    const auto n = static_cast<std::size_t>(problem.ensemble->size());
    State state;
    state.optimiser = optimise::start(options.optimiser, gradient::initial_coordinates(problem.parameters));
    state.costs.assign(n, 0);
    state.running_costs.assign(n, 0);
    return state;
}

Summary run(const comm::Comm& comm, gradient::Evaluator& evaluator, const Options& options,
            const ensemble::Split& split, State& state, const Hooks& hooks) {
    return Loop{comm, evaluator, options, split, state, hooks}.run();
}

std::vector<double> reported_coordinates(const State& state, const ensemble::Split& split) {
    if (!split.validation.empty() && !state.best.coordinates.empty()) {
        return state.best.coordinates;
    }
    const auto point = optimise::best_point(state.optimiser);
    return {point.begin(), point.end()};
}

} // namespace rondo::train
