#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace rondo {

/// Root of every exception rondo throws on purpose. `what()` is the whole sentence for the user, in the form
/// `where: what is wrong (why it matters); what to do`.
class Error : public std::runtime_error {
public:
    /// Process exit code that belongs to this kind of error.
    [[nodiscard]] virtual int exit_code() const noexcept = 0;

protected:
    using std::runtime_error::runtime_error;
};

/// The job, the data or the command line is wrong. Exit code 2.
class InputError : public Error {
public:
    explicit InputError(const std::string& sentence) : Error{sentence} {}
    [[nodiscard]] int exit_code() const noexcept override { return 2; }
};

/// Too many trajectories could not be solved, or one could not and the job says `on_failure = "stop"`. Exit code 3.
class SolveError : public Error {
public:
    explicit SolveError(const std::string& sentence) : Error{sentence} {}
    [[nodiscard]] int exit_code() const noexcept override { return 3; }
};

/// A file could not be read or written. Exit code 4.
class StoreError : public Error {
public:
    explicit StoreError(const std::string& sentence) : Error{sentence} {}
    [[nodiscard]] int exit_code() const noexcept override { return 4; }
};

/// Communication between ranks failed. `code` is the MPI error code. Exit code 5.
class CommError : public Error {
public:
    CommError(const std::string& sentence, int mpi_code) : Error{sentence}, code{mpi_code} {}
    [[nodiscard]] int exit_code() const noexcept override { return 5; }
    int code;
};

/// A contract inside rondo was broken: our bug, never the user's. Exit code 70.
class ContractError : public Error {
public:
    ContractError(const std::string& sentence, const char* in_file, int in_line)
        : Error{sentence}, file{in_file}, line{in_line} {}
    [[nodiscard]] int exit_code() const noexcept override { return 70; }
    const char* file;
    int line;
};

} // namespace rondo
