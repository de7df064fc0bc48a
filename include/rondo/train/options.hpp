#pragma once

#include <rondo/gradient/options.hpp>
#include <rondo/optimise/options.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rondo::train {

/// `strong`: the batch is the job's, divided among ranks. `weak`: the batch size is per rank.
enum class Scaling : std::uint8_t { strong, weak };

/// How the learning rate follows the number of ranks under weak scaling: times ranks, times sqrt(ranks), or not.
enum class LearningRateRule : std::uint8_t { linear, square_root, none };

/// Stop when the validation loss (the training loss of full batches where nothing is held out) has not improved by more
/// than `min_delta` for `patience` epochs.
struct EarlyStopping {
    std::int64_t patience = 20;
    double min_delta = 0;
};

/// When checkpoints are written and how many stay.
struct CheckpointOptions {
    std::int64_t every = 10; ///< updates; 0: never by count
    double minutes = 0;      ///< wall time; 0: never by time
    int keep = 3;
};

/// The job's `[train]`, `[parallel]` and `[checkpoint]`.
struct Options {
    optimise::Options optimiser;
    optimise::Schedule schedule;
    std::int64_t epochs = 100;
    std::int64_t batch_size = 0;         ///< 0: all. Per rank under weak scaling
    bool shuffle = true;
    std::uint64_t seed = 1;
    double validation_fraction = 0;
    std::int64_t validate_every = 1;     ///< epochs
    std::optional<EarlyStopping> early_stopping;
    Scaling scaling = Scaling::strong;
    LearningRateRule learning_rate_rule = LearningRateRule::none;
    CheckpointOptions checkpoint;
};

} // namespace rondo::train
