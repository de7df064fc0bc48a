#pragma once

#include <span>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace rondo::job {

/// The value as TOML on one line, exactly: what is read from it is the same value.
[[nodiscard]] std::string value_text(const toml::node& node);

/// The value for an error: as `value_text`, but long ones are cut and tables are `{...}`.
[[nodiscard]] std::string shown(const toml::node& node);

/// The value for `Job::settings`: as `value_text`, but without quotes around a string and 1.0 as 1.
[[nodiscard]] std::string setting_text(const toml::node& node);

/// "a string", "a whole number", "a number with a decimal point", "a boolean", "a date or time", "a list", "a table".
[[nodiscard]] std::string kind_text(const toml::node& node);

/// `text` in quotes with the escapes of TOML.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A key as it stands in TOML: bare where it may be, else quoted.
[[nodiscard]] std::string key_text(std::string_view key);

/// `"a", "b"`.
[[nodiscard]] std::string quoted_list(std::span<const std::string> words);

} // namespace rondo::job
