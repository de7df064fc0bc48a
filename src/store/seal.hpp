#pragma once

#include "part_file.hpp"

#include <cstdint>
#include <filesystem>

namespace rondo::store {

/// Append the seal: the 8 letters `RONDOSUM`, the length of the file before it, and the XXH64 of these bytes, both as
/// 64-bit little-endian.
void seal(PartFile& file);

/// What the end of a file says about the rest of it.
enum class SealState { absent, good, broken };

/// @throws StoreError  the file cannot be read
[[nodiscard]] SealState check_seal(const std::filesystem::path& path);

} // namespace rondo::store
