#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rondo::expression {

/// The program to compile with: `wanted`, else $RONDO_CXX, else the first of c++, g++ and clang++ in PATH.
/// Nothing where there is none; `message` then says what was looked for.
[[nodiscard]] std::optional<std::filesystem::path> find_compiler(const std::string& wanted, std::string& message);

/// Flags for a source of so many bytes, without -march. No flag changes what an operation gives, but products and sums
/// may be contracted (FMA). Large sources are optimised less.
[[nodiscard]] std::vector<std::string> compile_flags(std::size_t source_size);

/// What -march=native depends on here: this machine's kind and the features its processor tells the system of.
[[nodiscard]] std::string processor_text();

} // namespace rondo::expression
