#pragma once

#include <rondo/base/handle.hpp>
#include <rondo/comm/comm.hpp>

#include <mpi.h>

#include <cstddef>

namespace rondo::comm {

/// Frees a duplicated communicator, unless MPI has stopped or an exception unwinds: freeing is collective, and the
/// other ranks may be elsewhere.
struct CommTraits {
    using type = MPI_Comm;
    static type null() noexcept { return MPI_COMM_NULL; }
    static void close(type handle) noexcept;
};

struct NativeComm {
    UniqueHandle<CommTraits> handle;
};

/// Tags of rondo's point-to-point messages.
inline constexpr int ring_tag = 1;
inline constexpr int piece_tag = 2;

/// Turn a failure of an MPI function into CommError.
void check(int code, const char* function);

/// MPI's communicator behind `comm`, which has more than one rank.
[[nodiscard]] MPI_Comm native(const Comm& comm);

} // namespace rondo::comm
