#pragma once

#include <rondo/gradient/evaluate.hpp>
#include <rondo/optimise/update.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace rondo::train {

/// One row a batch evaluated. `loss` is that of the batch at the parameters after `update` updates.
struct HistoryRow {
    std::int64_t update = 0;
    std::int64_t epoch = 0;
    double loss = 0;
    double validation_loss = std::numeric_limits<double>::quiet_NaN(); ///< at the end of the epoch this update ended
    double gradient_norm = 0;  ///< Euclidean, in the optimiser's coordinates, before clipping
    double learning_rate = 0;  ///< of the update that follows; 0 in the last row
    double wall_s = 0;         ///< since the run began, all its parts together
    std::int64_t n_solved = 0;
    std::int64_t n_failed = 0;
};

/// The best parameters so far by the watched loss (validation, else the epoch's training loss).
struct Best {
    double loss = std::numeric_limits<double>::infinity();
    std::int64_t epoch = -1;
    std::vector<double> coordinates;
};

/// All that the rest of a run depends on: a run continued from a stored State goes on bit for bit.
struct State {
    optimise::State optimiser;       ///< its `point` is in the optimiser's coordinates [m]
    std::int64_t epoch = 0;          ///< epochs finished
    std::int64_t position = 0;       ///< trajectories of the running epoch already used
    double epoch_loss = 0;           ///< sum over them of loss times solved trajectories
    std::int64_t epoch_solved = 0;
    Best best;
    std::vector<std::int64_t> costs; ///< [N] right-hand sides counted by the end of the last epoch
    std::vector<std::int64_t> running_costs; ///< [N] with the running epoch's; this rank's entries are its own
    std::vector<HistoryRow> history;
    std::map<std::int64_t, gradient::Failure> failures; ///< last failure of each trajectory; a rank has its own, rank 0 all after a checkpoint and at the end
    std::int64_t failed_at_accepted = -1;               ///< trajectories that failed at the last accepted point; -1: none yet
    double wall_s = 0;               ///< of all parts of the run so far
    bool ended = false;              ///< converged or stopped early: nothing is left to do
};

} // namespace rondo::train
