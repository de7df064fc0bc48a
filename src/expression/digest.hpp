#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rondo::expression {

/// Two independent 64-bit hashes of the same bytes: enough to see damage and to name files, no defence against malice.
struct Digest {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    friend bool operator==(const Digest&, const Digest&) = default;
};

/// FNV-1a, and a multiply-and-rotate hash of eight bytes at a time.
[[nodiscard]] Digest digest(std::span<const std::byte> bytes);
[[nodiscard]] Digest digest(const std::string& text);

/// 32 hexadecimal digits.
[[nodiscard]] std::string text(const Digest& digest);

} // namespace rondo::expression
