#pragma once

#include <string>

#include <toml++/toml.h>

namespace rondo::job {

/// True for what came with `--set`: its source is named by the override itself.
[[nodiscard]] bool is_override(const toml::source_region& source);

/// `job.toml:12`, or `--set solver.rtol=1e-3` for an override; `file` alone where the line is unknown.
[[nodiscard]] std::string place(const toml::source_region& source, const std::string& file);

/// `job.toml:12: [solver] rtol`: how messages about a value begin. Without a table: `job.toml:12: title`.
[[nodiscard]] std::string subject(const std::string& place, const std::string& table, const std::string& key);

} // namespace rondo::job
