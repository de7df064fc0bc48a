#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/comm/int128.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::comm {

/// How sums travel. `ring` is rondo's own ring for every length; `mpi` is MPI_Allreduce.
enum class Algorithm { ring, mpi };

/// Options of every sum over ranks; the same on all ranks.
struct ReduceOptions {
    Algorithm algorithm = Algorithm::ring;
    /// Longest message of the ring; rounded down to whole entries, at least one.
    std::size_t segment_bytes = std::size_t{1} << 22U;
};

/// Replace `data` on every rank by the sum over ranks, entry by entry.
///
/// The ring. Let there be p ranks. The vector is cut into p **chunks**, one a rank, whose lengths differ by at most one
/// entry (with fewer entries than ranks some chunks are empty). What is sent at once is a **segment**: a chunk travels
/// as consecutive segments of at most `segment_bytes`. In p - 1 rounds of *reduce-scatter* every rank sends one chunk
/// to its right neighbour and adds the one that comes from its left: chunk c starts at rank c, collects one addend a
/// round, and is complete at rank c - 1 (mod p). In p - 1 rounds of *all-gather* the complete chunks go round once more
/// and are copied. Every rank sends 2 (p - 1)/p of the vector, the least possible. Each entry of the sum is computed on
/// one rank and then copied, so all ranks hold the same bits; the order of the addends depends on the entry's chunk and
/// on p.
///
/// **Collective.** All ranks pass the same length (0 is fine) and options. Sums of integers must not overflow. The sum
/// of doubles depends on the rank count in its last bits: see exact_sum for one that does not.
///
/// @throws CommError  MPI failed
/// Source  Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69, 2009.
/// Tests   tests/comm/reduce_test.cpp
void allreduce_sum(const Comm& comm, std::span<double> data, const ReduceOptions& options = {});
void allreduce_sum(const Comm& comm, std::span<std::int64_t> data, const ReduceOptions& options = {});
void allreduce_sum(const Comm& comm, std::span<Int128> data, const ReduceOptions& options = {});

/// Replace `data` on every rank by the largest over ranks, entry by entry. Doubles must not be NaN. **Collective.**
/// @throws CommError  MPI failed
void allreduce_max(const Comm& comm, std::span<double> data);
void allreduce_max(const Comm& comm, std::span<std::int64_t> data);
void allreduce_max(const Comm& comm, std::span<std::int16_t> data);

} // namespace rondo::comm
