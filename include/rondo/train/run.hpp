#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/ensemble/batches.hpp>
#include <rondo/gradient/evaluate.hpp>
#include <rondo/train/options.hpp>
#include <rondo/train/state.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rondo::train {

/// What the loop tells and asks while it runs.
struct Hooks {
    std::function<void(const HistoryRow&)> on_update;  ///< after each update, on every rank
    std::function<void(const State&)> on_checkpoint;   ///< called on rank 0, when one is due; may throw StoreError
    std::function<bool()> stop_requested;              ///< asked on every rank once an update; true ends the run soon
};

enum class Ending : std::uint8_t { finished, converged, stopped_early, interrupted };

/// How a run ended.
struct Summary {
    Ending ending = Ending::finished;
    std::string reason;                    ///< for people
    std::map<std::string, double> phases;  ///< seconds of this rank: solve, wait, update, validate, checkpoint
};

/// The batch of one update over all ranks, after the weak-scaling rule; at most n_training.
[[nodiscard]] std::int64_t effective_batch_size(const Options& options, std::int64_t n_training, int n_ranks);

/// The schedule after the weak-scaling rule.
[[nodiscard]] optimise::Schedule effective_schedule(const Options& options, int n_ranks);

/// The state before the first update.
[[nodiscard]] State start(const Options& options, const gradient::Problem& problem);

/// Run until the epochs are done, the optimiser has converged, early stopping says so, or someone asks to stop.
///
/// The loop of one update: the batch's loss and gradient on all ranks (gradient::Evaluator), chain rule to the optimiser's
/// coordinates, clipping, optimise::advance, the same on every rank.
///
/// Ranks   **collective**. All ranks pass the same options and state, and hold the same bits afterwards.
/// @throws SolveError  the failure policy was broken outside a line search
/// @throws CommError   ranks began with different parameters, or MPI failed
/// Tests   tests/train/run_test.cpp: closed forms, 1 to 4 ranks, resume, early stopping, failures
Summary run(const comm::Comm& comm, gradient::Evaluator& evaluator, const Options& options, const ensemble::Split& split,
            State& state, const Hooks& hooks);

/// The coordinates a finished run reports: the best by validation loss if there is a validation set, else the optimiser's
/// best point (the last one for the rules without a trial).
[[nodiscard]] std::vector<double> reported_coordinates(const State& state, const ensemble::Split& split);

} // namespace rondo::train
