#pragma once

#include "labels.hpp"

#include <rondo/ensemble/build.hpp>

#include <span>
#include <string>
#include <vector>

namespace rondo::ensemble {

/// Covariates of known trajectories, row-major [labels x names].
struct CovariateTable {
    Labels labels;
    std::vector<std::string> names;
    std::vector<double> values;
};

/// The job's trajectories table; empty where there is none.
///
/// @throws InputError  a label is missing or stands twice, a covariate is no finite number
[[nodiscard]] CovariateTable read_trajectories(const Source& source);

/// The names of its covariates alone.
[[nodiscard]] std::vector<std::string> table_covariates(const Source& source);

/// "index", the names of the table, those of the data set, the generated ones.
///
/// @throws InputError  a name stands twice, or cannot be used in expressions
[[nodiscard]] std::vector<std::string> joined_names(const Source& source, std::span<const std::string> of_table,
                                                    std::span<const std::string> of_data_set);

/// Give `ensemble` all its covariates. Those it has already (of a data set) come after those of the table.
///
/// @param table  in the order of the ensemble's trajectories, or empty
/// @throws InputError  a generated covariate is not finite
void add_covariates(Ensemble& ensemble, const Source& source, const CovariateTable& table);

} // namespace rondo::ensemble
