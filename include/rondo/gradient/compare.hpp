#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/gradient/evaluate.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rondo::gradient {

/// The ways to make a gradient that are compared with one another.
enum class Way : std::uint8_t { forward, adjoint, differences };
[[nodiscard]] std::string_view name_of(Way way);

/// The gradient of every trajectory of this rank, one way.
struct PerTrajectory {
    std::vector<std::int64_t> trajectories;
    std::vector<solve::Outcome> outcomes;
    std::vector<double> loss;      ///< [k]
    std::vector<double> gradient;  ///< [k x m] natural, without priors
    std::vector<double> error;     ///< [k x m] of differences: estimated; else 0
    double solve_s = 0;            ///< wall time of this rank's solves
};

/// Gradients of all trajectories in one way. **Collective** (shared out in blocks); the result is this rank's.
[[nodiscard]] PerTrajectory per_trajectory(const comm::Comm& comm, const Problem& problem, std::span<const std::int64_t> trajectories,
                                           std::span<const double> natural, Way way);

/// How two ways differ over all ranks.
struct Comparison {
    Way one = Way::forward, other = Way::adjoint;
    std::int64_t n_compared = 0, n_disagree = 0;
    double worst = 0;                 ///< largest scaled difference, to be compared with `tolerance`
    double tolerance = 0;
    std::vector<std::string> worst_trajectories; ///< up to ten that disagree, worst first, as lines; on rank 0
};

/// Compare two ways trajectory by trajectory.
///
/// With p_k the parameter (1 where it is 0), the scaled difference is  |p_k (g_k - g'_k)| - e_k |p_k|  over
/// max_j |p_j g_j| + |loss|, where e is the error estimate of differences. Ways agree on a trajectory where it is at most
/// 1000 rtol for every parameter: the tolerance holds for one step, errors add up over a trajectory.
///
/// **Collective.**
/// Tests   tests/gradient/compare_test.cpp
[[nodiscard]] Comparison compare(const comm::Comm& comm, const Problem& problem, std::span<const double> natural, Way way_one,
                                 const PerTrajectory& one, Way way_other, const PerTrajectory& other);

} // namespace rondo::gradient
