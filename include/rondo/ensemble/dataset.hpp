#pragma once

#include <rondo/ensemble/ensemble.hpp>

#include <span>
#include <string>

namespace rondo::store {
class FileWriter;
}

namespace rondo::ensemble {

/// Write an ensemble as a data set that `build` and everything that reads HDF5 can read.
///
/// `/trajectories/id` and a dataset a covariate beside it (all but `index`); `/data/{offset,time,value,sigma}` with
/// `/data/observables`; `/events/{offset,time,state,action,value}` for the events with a value of their own (those with
/// an amount expression come from the job's rules, which give them again). Rows i.offset .. (i+1).offset belong to
/// trajectory i. Dimension scales: id, time, observables, and each offset for itself. The caller writes the provenance
/// and closes.
///
/// Shapes  R rows, D columns, as in Ensemble
/// Ranks   local: one rank writes
///
/// @param values  [R x D] row-major, written in place of `ensemble.value`; NaN: nothing there
/// @param states  names of the model's states, which events are written by
/// @throws InputError  a covariate is called `id`, the name of the trajectories' own ids
/// @throws StoreError  the file cannot be written
/// Tests   tests/ensemble/dataset_test.cpp
void write_dataset(store::FileWriter& file, const Ensemble& ensemble, std::span<const double> values,
                   std::span<const std::string> states);

} // namespace rondo::ensemble
