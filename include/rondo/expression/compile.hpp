#pragma once

#include <rondo/expression/program.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::expression {

/// How kernels are compiled.
struct CompileOptions {
    std::string compiler; ///< program to call; empty: $RONDO_CXX, else the first of c++, g++, clang++ in PATH
    std::filesystem::path
        cache;          ///< directory; empty: $RONDO_CACHE_DIR, else $XDG_CACHE_HOME/rondo, else ~/.cache/rondo
    bool native = true; ///< -march=native
};

/// Bytes of a shared object.
using ObjectCode = std::vector<std::byte>;

/// Compile source to a shared object, or take it from the cache (key: hash of source, compiler, its version and flags,
/// and this machine's CPU flags when `native`).
///
/// The compiler is called without a shell, with input and output in a fresh private directory. The cache directory is
/// created with mode 0700; one that belongs to another user or that others may write to is not used, nor is an entry
/// whose checksum does not match. Writing is atomic; a cache that cannot be written is no error.
///
/// A compiler that refuses -march=native is asked again without it; one that takes longer than 300 s is stopped.
///
/// Ranks   local; one rank compiles and sends the bytes to the others.
/// @return the object, or nothing where there is no compiler. `message` then (and on a failed compilation) says why.
/// Tests   tests/expression/compile_test.cpp, cache_test.cpp, spawn_test.cpp
[[nodiscard]] std::optional<ObjectCode> compile(const std::string& source, const CompileOptions& options,
                                                std::string& message);

/// Load an object made by `compile` from `n_programs` programs at `width`.
/// The bytes are put into an anonymous memory file (else a private temporary file, unlinked at once).
/// @throws StoreError  the object cannot be loaded or lacks a kernel
[[nodiscard]] std::shared_ptr<const Module> load(std::span<const std::byte> object, std::size_t n_programs, int width);

} // namespace rondo::expression
