#pragma once

#include <string>

#include <toml++/toml.h>

namespace rondo::job {

/// A document as TOML text with every entry in its order, so that reading it gives the same job.
[[nodiscard]] std::string serialise(const toml::table& document);

} // namespace rondo::job
