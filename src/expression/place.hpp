#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo::expression {

/// A text that is being parsed and what it is called in errors.
struct Source {
    std::string_view text;
    const std::string& where;
};

/// One character of a text: its code point and its size in bytes. Bytes that are not UTF-8 have code 0xFFFD, size 1.
struct Character {
    char32_t code = 0;
    std::size_t size_bytes = 1;
};

[[nodiscard]] Character character_at(std::string_view text, std::size_t place);

/// False for control characters and for those that change how a line is shown (joiners, direction marks).
[[nodiscard]] bool is_visible(char32_t code);

/// `where: message`, the line of the text that holds byte `place`, and a caret under it. Long lines are cut to a
/// window.
[[nodiscard]] std::string sentence_at(const Source& source, std::size_t place, std::string_view message);

/// @throws InputError  always, with `sentence_at`
[[noreturn]] void fail_at(const Source& source, std::size_t place, std::string_view message);

} // namespace rondo::expression
