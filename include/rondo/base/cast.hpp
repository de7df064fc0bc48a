#pragma once

#include <rondo/base/contract.hpp>

#include <utility>

namespace rondo {

/// Convert between integer types; a value that does not fit is a ContractError at the caller's line.
template <class To, class From>
[[nodiscard]] constexpr To narrow(From value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    expects(std::in_range<To>(value), "an integer fits its narrower type", file, line);
    return static_cast<To>(value);
}

} // namespace rondo
