#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>

namespace rondo::expression {

/// How a program that was run ended.
struct Ended {
    bool ok = false;        ///< it ran and returned 0
    bool timed_out = false; ///< it was killed, with all its children
    std::string output;     ///< the first 64 kB of what it wrote to standard output and standard error
    std::string reason;     ///< empty when ok; else in words: could not be started, status, signal or time
};

/// Run a program without a shell and wait for it.
///
/// argv[0] is the path of the program. It gets /dev/null as standard input, no other open file of this process, default
/// signals, a process group of its own, and this process's environment with LC_ALL=C and TMPDIR=`scratch`.
///
/// Tests   tests/expression/spawn_test.cpp
[[nodiscard]] Ended run_program(std::span<const std::string> argv, const std::filesystem::path& scratch,
                                std::chrono::milliseconds timeout);

} // namespace rondo::expression
