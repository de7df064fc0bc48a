#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rondo::store {

/// Replace a file by `text`: at any moment, also after a crash or a power cut, the path holds the old or the new whole.
/// @throws StoreError  the directory is missing or may not be written, the disk is full; the old file stays as it was
void atomic_write_text(const std::filesystem::path& path, std::string_view text);

/// The bytes of a file (or pipe).
/// @throws InputError  there is no such file (names the nearest one beside it), it is a directory, or has more than
/// `limit` bytes
/// @throws StoreError  it exists but cannot be read
[[nodiscard]] std::string read_text(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{64} << 20U);

/// Create a directory and its parents.
/// @throws StoreError  it cannot be created, or a file is in the way
void make_directory(const std::filesystem::path& path);

/// Remove what writers that were killed left in a directory (`<file>.part.<number>`); returns how many files. Call it
/// only where no other process writes into that directory.
std::size_t remove_part_files(const std::filesystem::path& directory);

} // namespace rondo::store
