#pragma once

#include "place.hpp"

#include <cstddef>
#include <string_view>

namespace rondo::expression {

/// A word of an expression. `spelling` is the text as written; `symbol` one of + - * / ^ ( ) , < <= > >= == != and or
/// not (also for && || !), else empty.
struct Token {
    enum class Kind { number, name, symbol, end };
    Kind kind = Kind::end;
    std::size_t place = 0; ///< byte in the text
    std::string_view spelling;
    std::string_view symbol;
    double value = 0; ///< of a number
};

/// The token that starts at or after byte `place`.
/// @throws InputError  a character that starts no token, or a malformed number; says what to write instead
[[nodiscard]] Token read_token(const Source& source, std::size_t place);

} // namespace rondo::expression
