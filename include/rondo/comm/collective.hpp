#pragma once

#include <rondo/comm/comm.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::comm {

// Every function here is **collective**: all ranks of `comm` call it, in the same order. All of them throw CommError
// when MPI reports a failure. Tests: tests/comm/collective_test.cpp.

/// MPI counts are `int`: longer messages travel in pieces of at most this many bytes. A parameter below, so that tests
/// reach many pieces with little data; all ranks must pass the same.
inline constexpr std::size_t largest_piece_bytes = std::size_t{1} << 30U;

/// Wait until every rank has come here.
void barrier(const Comm& comm);

/// Overwrite `data` with that of rank `root`. All ranks pass the same length.
void broadcast(const Comm& comm, std::span<std::byte> data, int root = 0,
               std::size_t piece_bytes = largest_piece_bytes);
void broadcast(const Comm& comm, std::span<double> data, int root = 0, std::size_t piece_bytes = largest_piece_bytes);
void broadcast(const Comm& comm, std::span<std::int64_t> data, int root = 0,
               std::size_t piece_bytes = largest_piece_bytes);

/// The value of rank `root`, whose length the other ranks need not know; theirs is ignored.
[[nodiscard]] std::string broadcast(const Comm& comm, std::string value, int root = 0);
[[nodiscard]] std::vector<std::byte> broadcast(const Comm& comm, std::vector<std::byte> value, int root = 0);
[[nodiscard]] std::vector<double> broadcast(const Comm& comm, std::vector<double> value, int root = 0);
[[nodiscard]] std::vector<std::int64_t> broadcast(const Comm& comm, std::vector<std::int64_t> value, int root = 0);

/// On rank `root` the data of every rank, in rank order; on the others nothing. Lengths may differ and may be 0.
[[nodiscard]] std::vector<std::vector<std::byte>> gather(const Comm& comm, std::span<const std::byte> mine,
                                                         int root = 0, std::size_t piece_bytes = largest_piece_bytes);
[[nodiscard]] std::vector<std::vector<double>> gather(const Comm& comm, std::span<const double> mine, int root = 0,
                                                      std::size_t piece_bytes = largest_piece_bytes);
[[nodiscard]] std::vector<std::vector<std::int64_t>> gather(const Comm& comm, std::span<const std::int64_t> mine,
                                                            int root = 0,
                                                            std::size_t piece_bytes = largest_piece_bytes);
[[nodiscard]] std::vector<std::string> gather_text(const Comm& comm, std::string_view mine, int root = 0);

/// The numbers of every rank, in rank order, on all ranks. Lengths may differ and may be 0.
/// @throws CommError  also, on all ranks, when there are more than 2^31 - 1 numbers in total
[[nodiscard]] std::vector<std::vector<std::int64_t>> all_gather(const Comm& comm, std::span<const std::int64_t> mine);
[[nodiscard]] std::vector<std::vector<double>> all_gather(const Comm& comm, std::span<const double> mine);

/// Sum of `mine` over the ranks before this one; 0 on rank 0. With lengths, this is where a rank's part begins.
[[nodiscard]] std::int64_t exclusive_sum(const Comm& comm, std::int64_t mine);

/// True on all ranks if true on any: for instance "did someone receive SIGTERM?".
[[nodiscard]] bool any_rank(const Comm& comm, bool mine);

/// Number of distinct hosts (MPI's processor names) that the ranks run on.
[[nodiscard]] int hosts(const Comm& comm);

} // namespace rondo::comm
