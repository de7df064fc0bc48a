#pragma once

namespace rondo {

/// Throw ContractError naming the caller's file and line.
[[noreturn]] void contract_failed(const char* kind, const char* text, const char* file, int line);

/// Precondition: the caller promised `holds`. For rondo's own mistakes only; user input is checked with InputError.
inline void expects(bool holds, const char* text, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
#ifndef RONDO_NO_CONTRACTS
    if (!holds) {
        contract_failed("expected", text, file, line);
    }
#else
    static_cast<void>(holds), static_cast<void>(text), static_cast<void>(file), static_cast<void>(line);
#endif
}

/// Postcondition: this function promises `holds`.
inline void ensures(bool holds, const char* text, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
#ifndef RONDO_NO_CONTRACTS
    if (!holds) {
        contract_failed("ensured", text, file, line);
    }
#else
    static_cast<void>(holds), static_cast<void>(text), static_cast<void>(file), static_cast<void>(line);
#endif
}

} // namespace rondo
