#pragma once

#include <rondo/comm/comm.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace rondo::comm {

/// Entries [offset, offset + data.size()) of what rank `rank` holds.
template <class T>
struct Piece {
    int rank;
    std::size_t offset;
    std::span<const T> data;
};

/// Bytes as Piece<T> has entries; the one that is not a template.
void for_each_piece_of_bytes(const Comm& comm, std::span<const std::byte> mine, std::size_t piece_bytes,
                             const std::function<void(const Piece<std::byte>&)>& sink);

/// Show rank 0 the data of all ranks, piece by piece: rank 0's own first, then rank 1's, each from its beginning. This
/// is how results are written by one rank without it ever holding more than one piece of another.
///
/// **Collective.** `sink` is called on rank 0 only. If it throws, the remaining pieces are received and dropped, so
/// that no rank waits for ever, and all ranks throw the same error (see run_agreed).
///
/// @param mine           this rank's entries; lengths may differ and may be 0 (then there is no piece)
/// @param piece_entries  entries in a piece, at least 1; only a rank's last piece is shorter; the same on all ranks
/// @throws CommError     MPI failed
/// Tests   tests/comm/pieces_test.cpp
template <class T>
void for_each_piece(const Comm& comm, std::span<const T> mine, std::size_t piece_entries,
                    const std::function<void(const Piece<T>&)>& sink) {
    static_assert(std::is_trivially_copyable_v<T>);
    for_each_piece_of_bytes(comm, std::as_bytes(mine), piece_entries * sizeof(T), [&](const Piece<std::byte>& piece) {
        sink({piece.rank,
              piece.offset / sizeof(T),
              {reinterpret_cast<const T*>(piece.data.data()), piece.data.size() / sizeof(T)}});
    });
}

} // namespace rondo::comm
