#pragma once

#include "table_reader.hpp"

#include <rondo/job/job.hpp>

#include <string>
#include <vector>

#include <toml++/toml.h>

namespace rondo::job {

// One function a table of the job file, each in its own source file. A null node is an absent table. Later ones may use
// what earlier ones have put into the job.

void read_model(Context& context, const toml::node* node, Job& job);
void read_events(Context& context, const toml::node* node, Job& job);
void read_loss(Context& context, const toml::node* node, Job& job);
void read_data(Context& context, const toml::node* node, Job& job);
void read_ensemble(Context& context, const toml::node* node, Job& job);
void read_parameters(Context& context, const toml::node* node, Job& job);
void read_solver(Context& context, const toml::node* node, Job& job);
void read_train(Context& context, const toml::node* node, Job& job);
void read_parallel(Context& context, const toml::node* node, Job& job);
void read_checkpoint(Context& context, const toml::node* node, Job& job);
void read_output(Context& context, const toml::node* node, Job& job);

/// `[train] learning_rate`: a number, or a table with a schedule.
void read_learning_rate(TableReader& train, Job& job);

/// `[ensemble] times`: a list, or a table with a grid.
[[nodiscard]] std::vector<double> read_times(TableReader& ensemble);

/// A table of names with expressions, in the file's order.
[[nodiscard]] std::vector<model::Definition> read_formulas(Context& context, const toml::node* node,
                                                           const std::string& path);

/// A key that holds an expression, as a string or a number; empty where absent.
[[nodiscard]] std::string expression_of(TableReader& reader, const std::string& key);

} // namespace rondo::job
