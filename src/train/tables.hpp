#pragma once

#include <rondo/gradient/evaluate.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/train/state.hpp>

#include <span>
#include <vector>

namespace rondo::train {

/// The groups that checkpoints and results share.

/// `/history/{update,epoch,loss,validation_loss,gradient_norm,learning_rate,wall_s,n_solved,n_failed}`, axis `update`.
void write_history(store::FileWriter& file, std::span<const HistoryRow> rows);
[[nodiscard]] std::vector<HistoryRow> read_history(const store::FileReader& file);

/// `/failures/{trajectory,update,time_reached,attempts,method,n_steps,n_rhs,wall_s,reason}`, axis `trajectory` (position in the ensemble).
void write_failures(store::FileWriter& file, std::span<const gradient::Failure> failures);
[[nodiscard]] std::vector<gradient::Failure> read_failures(const store::FileReader& file);

} // namespace rondo::train
