#include "digest.hpp"

#include <fmt/format.h>

#include <bit>

namespace rondo::expression {
namespace {

std::uint64_t fnv_1a(std::span<const std::byte> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::byte byte : bytes) {
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
    }
    return hash;
}

std::uint64_t multiply_and_rotate(std::span<const std::byte> bytes) {
    std::uint64_t hash = 0x9E3779B97F4A7C15U ^ bytes.size();
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        word = (word << 8U) | static_cast<std::uint64_t>(bytes[i]);
        if (i % 8 == 7 || i + 1 == bytes.size()) {
            hash = std::rotl(hash ^ (word * 0xBF58476D1CE4E5B9U), 29) * 0x94D049BB133111EBU;
            word = 0;
        }
    }
    hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9U;
    return hash ^ (hash >> 31U);
}

} // namespace

Digest digest(std::span<const std::byte> bytes) { return {fnv_1a(bytes), multiply_and_rotate(bytes)}; }

Digest digest(const std::string& text) { return digest(std::as_bytes(std::span{text})); }

std::string text(const Digest& digest) { return fmt::format("{:016x}{:016x}", digest.first, digest.second); }

} // namespace rondo::expression
