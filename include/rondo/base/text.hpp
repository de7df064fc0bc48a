#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The known word nearest to `word` by edit distance (insert, delete, replace, swap of neighbours; case ignored),
/// if one is near enough to be a likely misspelling: distance at most 1 + length / 4.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known);

/// What follows the name of an unknown word in an error: ` (known: a, b, c); did you mean "b"?`
/// Words are sorted; more than 20 are cut with the count of the rest.
[[nodiscard]] std::string known_words_hint(std::string_view word, std::span<const std::string> known);

/// `a, b, c`.
[[nodiscard]] std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// Shortest decimal text that reads back as the same double; `nan`, `inf`, `-inf` otherwise.
[[nodiscard]] std::string number_text(double value);

/// The double that the whole of `text` spells (C locale, surrounding blanks allowed), or nothing.
/// `nan`, `inf` and hexadecimal forms are not numbers here.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Letters, digits and underscores, not starting with a digit: what may name a state, parameter or covariate.
[[nodiscard]] bool is_identifier(std::string_view text);

/// True for well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace rondo
