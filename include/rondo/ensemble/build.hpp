#pragma once

#include <rondo/ensemble/ensemble.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rondo::ensemble {

/// A name with an expression; `where` names the place in errors.
struct Formula {
    std::string name;
    std::string text;
    std::string where;
};

/// An event rule of the job: it happens to every trajectory.
struct EventRule {
    std::int32_t state = 0;
    Action action = Action::add;
    std::vector<Formula> times; ///< expressions in covariates and index
    std::int32_t amount = 0;    ///< number of the model's amount expression
};

/// Where an ensemble comes from: the job's `[data]` and `[ensemble]`.
struct Source {
    std::string where;                       ///< the job file, for errors
    std::filesystem::path data_file;         ///< CSV or HDF5; empty: generated
    std::filesystem::path trajectories_file; ///< CSV of covariates, one row a trajectory; may be empty
    std::filesystem::path events_file;       ///< CSV of dose events; may be empty
    std::int64_t n_trajectories = 0;         ///< generated: how many (0: as many as the trajectories table has)
    std::vector<double> times;               ///< generated: save points of every trajectory
    std::vector<Formula> covariates;         ///< generated: expressions in index, earlier covariates, random numbers
    std::vector<Formula> targets;            ///< generated: data by column name; name "" is for every column
    std::uint64_t seed = 1;                  ///< of the random covariates
    std::vector<EventRule> events;
    std::vector<std::string> columns; ///< the data columns wanted: the model's observables, or {"label"}
    std::vector<std::string> states;  ///< for the events table
    double initial_time = 0;
    bool needs_positive = false; ///< lognormal loss: a value <= 0 is an error
    std::size_t n_classes = 0;   ///< cross entropy: labels are whole numbers 0 .. n_classes - 1; else 0
    bool needs_sigma = false;    ///< each value needs a sigma > 0 beside it
};

/// The covariate names that `build` would give: "index", then those of the table, of the data set, and the generated.
/// The model is built from the names before the data is read.
///
/// @throws InputError  a name stands twice, or expressions could not use it
[[nodiscard]] std::vector<std::string> covariate_names(const Source& source);

/// Read or generate the ensemble.
///
/// Data as a long table: columns trajectory, time, observable, value and optionally sigma; or wide: trajectory, time,
/// and a column an observable (`<observable>_sigma` beside it is optional). The column trajectory is optional where
/// there is one. Rows may be in any order. A second value of the same trajectory, time and observable is a replicate,
/// in a row of its own. Trajectories are in the order of the trajectories table if there is one, else of first
/// appearance. Empty values and NaN are no points, but their time stays, so that the model is evaluated there. Other
/// columns and observables than these are refused by name.
///
/// HDF5 data sets are those of `write_dataset`, also written by other software: /trajectories/{id,covariates...},
/// /data/{offset,time,value,sigma,observables}, /events/{offset,time,state,action,value}.
///
/// Covariates are those of the trajectories table, then of the data set, then the generated ones, whose random numbers
/// are functions of (seed, trajectory, slot) alone. Without a data file all values are NaN but for those with a target.
///
/// Events table: trajectory, time, state, amount and optionally action (add, multiply, replace).
///
/// Ranks   local: no communication; all ranks build the same ensemble.
/// @throws InputError  names file, line, column and value
/// @throws StoreError  a file cannot be read
/// Tests   tests/ensemble/{data_table,dataset,generated,covariates,events}_test.cpp
[[nodiscard]] Ensemble build(const Source& source);

} // namespace rondo::ensemble
