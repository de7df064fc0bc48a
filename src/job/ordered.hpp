#pragma once

#include <string>
#include <vector>

#include <toml++/toml.h>

namespace rondo::job {

/// One entry of a table; `key` and `node` point into it.
struct Entry {
    std::string name;
    const toml::key* key = nullptr;
    const toml::node* node = nullptr;
};

/// The entries of a table as the file has them (toml++ keeps them by name); those of overrides come last, as given.
/// The order matters: covariates may use earlier ones, and observables are columns.
[[nodiscard]] std::vector<Entry> in_file_order(const toml::table& table);

} // namespace rondo::job
