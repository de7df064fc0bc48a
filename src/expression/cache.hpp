#pragma once

#include "descriptor.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::expression {

/// Where kernels are kept when the caller names no directory: $RONDO_CACHE_DIR, else $XDG_CACHE_HOME/rondo, else
/// ~/.cache/rondo; empty where none of these is set.
[[nodiscard]] std::filesystem::path default_cache_directory();

/// A directory of compiled objects, each in a file named by the digest of its key.
///
/// An entry is a line that names the format, sizes and digest of the object, the whole key, and the object, so that
/// neither a collision of digests nor a damaged file gives wrong code. The directory is made with mode 0700; one that
/// belongs to another user or that others may write to is not used. Everything goes through a descriptor of the checked
/// directory, and every failure just means an empty cache.
///
/// Tests   tests/expression/cache_test.cpp
class Cache {
public:
    /// An empty path gives a cache that holds nothing.
    explicit Cache(const std::filesystem::path& directory);

    [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;
    void store(const std::string& key, std::span<const std::byte> object) const;

private:
    Descriptor directory_; ///< null: not used
};

} // namespace rondo::expression
