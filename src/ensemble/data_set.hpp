#pragma once

#include "events_table.hpp"
#include "labels.hpp"

#include <rondo/ensemble/build.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::ensemble {

/// True for a file that is to be read as HDF5, by its name or its first bytes.
[[nodiscard]] bool is_data_set(const std::filesystem::path& path);

/// Open a data set.
/// @throws InputError  no such file, no HDF5, or a file of rondo's of another kind
[[nodiscard]] store::FileReader open_data_set(const std::filesystem::path& path);

/// The names of its covariates, in their order in the ensemble that was written.
[[nodiscard]] std::vector<std::string> data_set_covariates(const store::FileReader& file);

/// Everything a data set holds, as an ensemble without `index`; checked.
///
/// @param labels  of the trajectories table, which gives the order; empty where there is none
[[nodiscard]] Ensemble read_data_set(const Source& source, const Labels& labels);

/// The events of a data set, if any.
[[nodiscard]] EventLists read_data_set_events(const Source& source, const store::FileReader& file,
                                              std::size_t n_trajectories);

/// @throws InputError  an offset array is not 0, non-decreasing, `n_rows`, or not of n + 1 entries
void check_offset(const store::FileReader& file, const std::string& path, const std::vector<std::int64_t>& offset,
                  std::size_t n, std::size_t n_rows);

/// @throws InputError  a dataset is not of this shape
void check_shape(const store::FileReader& file, const std::string& path, const store::Shape& wanted);

} // namespace rondo::ensemble
