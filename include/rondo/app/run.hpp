#pragma once

#include <string>
#include <vector>

namespace rondo::app {

/// The program: parses the command line, starts MPI, runs the command, and turns every error into one message and an
/// exit code (0 done; 1 `gradient --check` found methods that disagree; 2 input; 3 unsolved trajectories; 4 files;
/// 5 communication; 70 bug; 75 stopped early with a checkpoint).
///
/// Ranks   **collective**: every rank of the job calls it once, with the same arguments.
/// @param arguments  the command line without the program's name
[[nodiscard]] int run(const std::vector<std::string>& arguments);

} // namespace rondo::app
