#pragma once

#include <span>
#include <string>

#include <toml++/toml.h>

namespace rondo::job {

/// Put `table.key=value` texts into a document, in their order. Tables that are not there yet are made.
/// @throws InputError  not of that form, or the path goes through a value that is no table
void apply_overrides(toml::table& document, std::span<const std::string> overrides);

} // namespace rondo::job
