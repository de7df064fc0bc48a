#pragma once

#include <string>

namespace rondo::comm {

/// Starts MPI and stops it again: make one in `main`, before the first `Comm::world()`.
///
/// The destructor finalises, unless an exception is unwinding through it (one rank that waits in MPI_Finalize while the
/// others wait in a collective would hang the job without a message), or somebody else started or has already stopped
/// MPI.
///
/// Ranks   constructor and destructor are collective over all ranks.
/// @throws CommError  MPI could not be started, or does not allow threads beside the one that calls it
/// Tests   tests/comm/comm_test.cpp
class Environment {
public:
    Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment();

private:
    bool owns_ = false;
    int n_exceptions_ = 0; ///< in flight when this was made
};

/// True between the start and the end of MPI.
[[nodiscard]] bool is_running() noexcept;

/// End every rank now with this exit code: the last resort of an error that only this rank knows. Flushes the C
/// streams; calls MPI_Abort where MPI runs; does not return.
[[noreturn]] void abort_all(int code) noexcept;

/// What MPI calls itself, one line, for the provenance of files and logs; works before MPI is started.
[[nodiscard]] std::string library_version();

} // namespace rondo::comm
