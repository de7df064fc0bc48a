#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/ensemble/batches.hpp>
#include <rondo/gradient/evaluate.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/train/run.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace rondo::train {

/// Everything known about the ensemble at one set of parameters.
struct EndPoint {
    std::vector<double> natural;        ///< [P]
    gradient::Evaluation training;      ///< loss and gradient over the trajectories that train
    gradient::Evaluation everything;    ///< loss and predictions of all trajectories; each rank holds consecutive ones
};

/// Solve the whole ensemble at `natural`. **Collective.** Failed trajectories are no error here.
[[nodiscard]] EndPoint evaluate_end_point(gradient::Evaluator& evaluator, const ensemble::Split& split, std::vector<double> natural);

/// Loss and predictions of all trajectories; each rank holds consecutive ones. **Collective.**
[[nodiscard]] gradient::Evaluation evaluate_everything(gradient::Evaluator& evaluator, std::span<const double> natural);

/// Append the history's last row: the loss after the last update, where the run reports that point.
void add_last_row(State& state, std::span<const double> reported, const gradient::Evaluation& training);

/// What a result or an evaluation is made of.
struct Report {
    std::filesystem::path file;
    store::Provenance provenance;
    const gradient::Problem* problem = nullptr;
    const EndPoint* end = nullptr;
    const ensemble::Split* split = nullptr;
    const State* state = nullptr;     ///< of a training; nullptr: an evaluation
    const Summary* summary = nullptr; ///< of a training; nullptr: an evaluation
};

/// Write a result (DESIGN: /parameters, /history, /trajectories, /predictions, /gradient, /failures, /timing) or, without a
/// state, an evaluation (the same without /history and /timing). Rank 0 writes; the others send it bounded pieces.
///
/// **Collective.**
/// @throws StoreError  on all ranks, if the file cannot be written
/// Tests   tests/train/result_test.cpp; tests/jobs reads one with h5py and xarray
void write_report(const comm::Comm& comm, const Report& report);

/// The model's values at every row of the ensemble [R x D], on rank 0 (elsewhere empty): for `simulate`. **Collective.**
[[nodiscard]] std::vector<double> gather_predictions(const comm::Comm& comm, const gradient::Problem& problem,
                                                     const gradient::Evaluation& everything);

/// Hash of an ensemble's data, covariates and events: two runs on the same data have the same.
[[nodiscard]] std::uint64_t data_hash(const ensemble::Ensemble& ensemble);

} // namespace rondo::train
