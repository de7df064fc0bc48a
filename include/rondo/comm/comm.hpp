#pragma once

#include <memory>

namespace rondo::comm {

struct NativeComm;

/// A group of ranks that can talk to each other. Move-only.
///
/// Owns a duplicate of MPI's communicator, so that its messages never meet those of another library. Failures of MPI
/// come back as CommError with the name of the function and MPI's own text. A Comm of one rank never calls MPI: every
/// collective is then a copy or nothing, and `Comm::self()` serves programs and tests that never start MPI.
///
/// Ranks   `world()` and the end of its lifetime are collective; while an exception unwinds, or after MPI has stopped,
///         the duplicate is left to MPI instead of being freed.
/// Tests   tests/comm/comm_test.cpp
class Comm {
public:
    /// All ranks of the job. **Collective.** Needs a live Environment.
    /// @throws CommError      MPI refused
    /// @throws ContractError  MPI is not running
    [[nodiscard]] static Comm world();

    /// This rank alone, with or without MPI.
    [[nodiscard]] static Comm self();

    Comm(Comm&&) noexcept;
    Comm& operator=(Comm&&) noexcept;
    ~Comm();

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// For the sources of this folder only; null for `self()`.
    [[nodiscard]] const NativeComm* native() const noexcept { return native_.get(); }

private:
    Comm(std::unique_ptr<NativeComm> native, int rank, int size) noexcept;

    std::unique_ptr<NativeComm> native_;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace rondo::comm
