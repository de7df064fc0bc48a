#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/gradient/evaluate.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::gradient {

/// A gradient by differences and how far it may be off, for each trajectory of a shard.
struct Differences {
    std::vector<std::int64_t> trajectories; ///< of this rank
    std::vector<solve::Outcome> outcomes;   ///< at the point itself; counts are of all solves
    std::vector<double> loss;               ///< [k]
    std::vector<double> gradient;           ///< [k x m] natural
    std::vector<double> error;              ///< [k x m] estimated absolute error of the extrapolation; the solver's own comes on top
    double solve_s = 0;
};

/// Gradients of every trajectory by central differences, one parameter at a time, on a ladder of steps h, h/2, h/4, ...
/// extrapolated to h = 0; the entry of the extrapolation table with the least estimated error is taken.
/// The solver runs at tolerances a thousand times tighter than the job's (at most 1e-9 and at least 1e-12 relative), so that
/// what is compared with it is not its own noise.
///
/// Ranks   **collective** (the trajectories are shared out), the result is this rank's.
/// Cost    16 solves a parameter and trajectory.
/// Source  Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", Advances in Engineering Software 4, 1982.
/// Tests   tests/gradient/differences_test.cpp
[[nodiscard]] Differences differences(const comm::Comm& comm, const Problem& problem, std::span<const std::int64_t> trajectories,
                                      std::span<const double> natural);

} // namespace rondo::gradient
