#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/gradient/evaluate.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <optional>
#include <vector>

namespace rondo::train {

/// Write `/predictions/{offset,time,trajectory,value,data,sigma,observables}`: rows are those of the ensemble, one a
/// trajectory and time. `everything` holds consecutive trajectories on each rank. `file` is set on rank 0 only.
/// **Collective.**
void write_predictions(const comm::Comm& comm, std::optional<store::FileWriter>& file, const gradient::Problem& problem,
                       const gradient::Evaluation& everything);

/// Half of each row of this rank's predictions: the values [0, O) or the noise [O, 2 O), one trajectory after the other.
enum class Half { values, sigmas };
[[nodiscard]] std::vector<double> half_of(const gradient::Shard& shard, std::size_t n_observables, Half half);

} // namespace rondo::train
