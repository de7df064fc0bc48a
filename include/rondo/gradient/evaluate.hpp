#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/gradient/options.hpp>
#include <rondo/gradient/parameters.hpp>
#include <rondo/solve/engine.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::gradient {

/// What is to be solved and how. The pointed-to values outlive its users.
struct Problem {
    const model::Model* model = nullptr;
    const ensemble::Ensemble* ensemble = nullptr;
    double initial_time = 0;
    std::vector<Parameter> parameters;
    solve::Options solver; ///< resolved
    Options options;
};

/// A set of trajectories to solve at given parameters.
struct Question {
    std::span<const std::int64_t> trajectories;
    std::span<const double> natural;      ///< [P]
    solve::Want want = solve::Want::gradient;
    bool predictions = false;
    std::array<bool, 2> flags{};          ///< this rank's say in `Evaluation::n_flags`
    std::span<const std::int64_t> costs;  ///< [N] for the balance; empty: all equal
    std::optional<ensemble::Balance> balance{}; ///< instead of the problem's
};

/// A trajectory that could not be solved.
struct Failure {
    std::int64_t trajectory = 0;
    solve::Outcome outcome;
    std::int64_t update = 0; ///< of a training: the update that met it
};

/// What this rank solved.
struct Shard {
    std::vector<std::int64_t> trajectories;
    std::vector<solve::Outcome> outcomes;
    std::vector<double> rows;                     ///< [k x row_size] as solve::Engine writes them
    std::vector<std::vector<double>> predictions; ///< by trajectory [T x 2 O] (values, then sigmas), if asked for
};

/// Loss and derivatives of a set, the same bits on all ranks, and this rank's shard.
struct Evaluation {
    double loss = 0;                ///< reduced as the job says, with priors; NaN if none was solved
    std::vector<double> gradient;   ///< [m] natural
    std::vector<double> curvature;  ///< [m x m] Gauss-Newton, symmetric; priors add theirs
    std::int64_t n_asked = 0, n_solved = 0, n_failed = 0;
    std::array<std::int64_t, 2> n_flags{}; ///< ranks that raised each flag
    bool too_many_failed = false;   ///< by the job's policy
    Shard shard;
    double solve_s = 0;             ///< this rank's time in the solve
    double reduce_s = 0;            ///< this rank's time waiting for and in the all-reduce
};

/// Solves sets of trajectories on all ranks. Owns one engine a thread.
///
/// A trajectory's loss and gradient are computed the same way whoever solves it, so with Sum::exact the result has the
/// same bits for any number of ranks and threads and any balance.
///
/// Tests   tests/gradient/evaluate_test.cpp
class Evaluator {
public:
    Evaluator(const comm::Comm& comm, const Problem& problem);
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) = delete;

    /// **Collective.** Every rank passes the same question (but for `flags`).
    [[nodiscard]] Evaluation evaluate(const Question& question);

    [[nodiscard]] const Problem& problem() const { return problem_; }

private:
    const comm::Comm& comm_;
    const Problem& problem_;
    std::vector<std::unique_ptr<solve::Engine>> engines_;
};

/// True if so many failures end the run: any at all where the policy is `stop`, else more than `max_failed_fraction`, or all.
[[nodiscard]] bool breaks_policy(const Options& options, std::int64_t n_asked, std::int64_t n_solved);

/// **Collective.** Throw SolveError on all ranks alike if the evaluation broke the job's failure policy; the text names
/// the first failed trajectory, its time, reason and attempts.
void require_solved(const comm::Comm& comm, const Problem& problem, const Evaluation& evaluation);

/// One line about a failed trajectory.
[[nodiscard]] std::string describe(const ensemble::Ensemble& ensemble, const Failure& failure);

/// Failures of all ranks on rank 0 (elsewhere none), by trajectory; one named by several keeps its latest. **Collective.**
[[nodiscard]] std::vector<Failure> gather_failures(const comm::Comm& comm, std::span<const Failure> mine);

/// The failures among a shard's outcomes.
[[nodiscard]] std::vector<Failure> failures_of(const Shard& shard);

} // namespace rondo::gradient
