#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rondo::app {

enum class Command { train, evaluate, simulate, gradient, check, inspect };

/// How much is said on standard error.
enum class Verbosity { quiet, normal, verbose };

/// The command line, typed.
struct Arguments {
    Command command = Command::train;
    std::string command_line;           ///< as given, for provenance
    std::string job;                    ///< job file (inspect: the HDF5 file)
    std::vector<std::string> overrides; ///< --set
    std::string output;                 ///< --output
    std::string checkpoint;             ///< evaluate
    bool resume = false;                ///< train
    bool overwrite = false;             ///< train, evaluate, simulate
    std::string method;                 ///< gradient
    bool check = false;                 ///< gradient
    bool json = false;                  ///< gradient, check, inspect
    int repeat = 1;                     ///< gradient
    int ranks = 0;                      ///< check; 0: as many as run
    Verbosity verbosity = Verbosity::normal;
};

/// What the command line said, or the text and exit code to end with at once (help, version, a mistake).
struct Parsed {
    Arguments arguments;
    bool ends = false;
    int exit_code = 0;
    std::string text;
};

[[nodiscard]] Parsed parse_arguments(const std::vector<std::string>& arguments);

} // namespace rondo::app
