#pragma once

#include <filesystem>
#include <string>

#include <toml++/toml.h>

namespace rondo::job {

/// The whole text of a job file.
/// @throws InputError  there is no such file (names the nearest one there), or it is a directory
/// @throws StoreError  it cannot be read
/// @throws InputError  it is larger than 16 MiB
[[nodiscard]] std::string load_text(const std::filesystem::path& file);

/// Text -> TOML.
/// @throws InputError  larger than 16 MiB, not UTF-8, holds a NUL, too deeply nested, or no TOML: file:line:column and
/// why
[[nodiscard]] toml::table parse_text(const std::string& text, const std::string& file);

} // namespace rondo::job
