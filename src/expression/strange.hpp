#pragma once

#include <string>
#include <string_view>

namespace rondo::expression {

/// Why no token can start at the beginning of `rest`, and what to write instead; empty where one can.
/// Knows the habits of other languages (`**`, `=`, `?:`, `[i]`) and the signs of typeset formulas.
[[nodiscard]] std::string explain_strange(std::string_view rest);

/// What to write for a function of other languages that has another name here (`ln`), or nothing.
[[nodiscard]] std::string_view explain_foreign_function(std::string_view name);

/// What to write for a name of other languages (`true`, `inf`), or nothing.
[[nodiscard]] std::string_view explain_foreign_name(std::string_view name);

} // namespace rondo::expression
