#pragma once

#include "lexer.hpp"

#include <rondo/expression/parse.hpp>

#include <string>
#include <string_view>

namespace rondo::expression {

/// Sentences about a token that the grammar does not allow where it stands, and what to write instead.
///
/// Tests   tests/expression/parse_error_test.cpp: one case a sentence.
[[nodiscard]] std::string complain_unknown_name(std::string_view name, const Scope& scope);
[[nodiscard]] std::string complain_unknown_function(std::string_view name, const Scope& scope);
[[nodiscard]] std::string complain_missing_value(const Token& found);
[[nodiscard]] std::string complain_missing_operator(const Token& found, std::string_view text);

/// A comma with digits on both sides and no blanks, as in 1,5.
[[nodiscard]] bool looks_decimal(std::string_view text, std::size_t comma);

} // namespace rondo::expression
