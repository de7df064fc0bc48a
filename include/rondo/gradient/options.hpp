#pragma once

#include <rondo/comm/reduce.hpp>
#include <rondo/ensemble/batches.hpp>

#include <cstdint>

namespace rondo::gradient {

/// How the trajectories' losses become the job's loss. With dropped trajectories `sum` is their mean times the number of
/// trajectories asked for, so that a failure never looks like a better fit.
enum class Reduction : std::uint8_t { mean, sum };

/// What happens when a trajectory cannot be solved after all attempts.
enum class OnFailure : std::uint8_t { stop, drop };

/// How contributions of trajectories are added: `exact` gives the same bits on any number of ranks and threads.
enum class Sum : std::uint8_t { exact, plain };

/// How a set of trajectories is solved and reduced by all ranks together.
struct Options {
    Reduction reduction = Reduction::mean;
    OnFailure on_failure = OnFailure::stop;
    double max_failed_fraction = 0.1; ///< of the trajectories asked for; more is a SolveError also with `drop`
    Sum sum = Sum::exact;
    comm::ReduceOptions reduce;
    int threads = 1; ///< solving threads of each rank
    ensemble::Balance balance = ensemble::Balance::cost;
};

} // namespace rondo::gradient
