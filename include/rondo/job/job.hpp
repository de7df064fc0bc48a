#pragma once

#include <rondo/ensemble/build.hpp>
#include <rondo/gradient/options.hpp>
#include <rondo/gradient/parameters.hpp>
#include <rondo/model/spec.hpp>
#include <rondo/solve/options.hpp>
#include <rondo/train/options.hpp>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rondo::job {

/// A job file as typed options: everything a run is told. Paths are absolute or relative to the caller
/// (those in the file are relative to the file).
struct Job {
    std::filesystem::path file;
    std::string name; ///< file name without its ending
    std::string text; ///< the file's text with the overrides put in: what provenance keeps
    std::string title;
    model::Spec model; ///< `covariates` is empty: they follow from `data`
    double initial_time = 0;
    ensemble::Source data;
    bool has_data = false;                       ///< something to fit: a data file or targets
    std::vector<gradient::Parameter> parameters; ///< in the order of model.parameters
    solve::Options solver;
    gradient::Options gradient;
    train::Options train;
    std::string kernels = "auto"; ///< [solver] kernels: auto | compiled | interpreted
    std::filesystem::path output_directory;
    std::vector<std::string> event_states; ///< names of the states of data.events, whose numbers `complete` puts in
    std::map<std::string, std::string> settings; ///< every key "table.key" with its effective value as text
    std::map<std::string, std::string> places;   ///< where a given key stands, for errors: `job.toml:12`
};

/// Read a job file.
///
/// @param overrides  `table.key=value` each; the value is TOML, or a string where it is no TOML value
/// @throws InputError  one sentence: file, line, key, value, what is allowed, the nearest known word
/// @throws StoreError  the file cannot be read
/// Tests   tests/job/{read,refusals_model,overrides,meaning,load}_test.cpp
[[nodiscard]] Job read(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// The same from text, as if it stood in `file`.
[[nodiscard]] Job parse(const std::string& text, const std::filesystem::path& file,
                        std::span<const std::string> overrides = {});

/// Check all that needs the names of states and parameters, and bring parameters and events into the model's order.
/// `read` has done so unless the model is a library: then call it with the library's names before using the job.
///
/// @param observables  those of the library, where the job names none; empty: each state as itself
/// @throws InputError  as `read`
void complete(Job& job, const std::vector<std::string>& states, const std::vector<std::string>& parameters,
              const std::vector<std::string>& observables = {});

/// @throws InputError  no parameter is estimated, or there is nothing to fit: who trains or differentiates needs both
void require_trainable(const Job& job);

/// Keys whose change between two runs changes the mathematics, so that one cannot resume the other; empty if none.
/// Not among them: the run's length (train.epochs, train.early_stopping), ranks, threads, balance, all-reduce,
/// checkpoints, output, title, file paths.
///
/// Tests   tests/job/differences_test.cpp
[[nodiscard]] std::vector<std::string> mathematical_differences(const Job& before, const Job& now);

} // namespace rondo::job
