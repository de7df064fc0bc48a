#include "stream.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/pieces.hpp>

#include "native.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rondo::comm {
namespace {

/// Visit [0, total) in consecutive ranges of at most `piece`.
template <class Visit>
void for_ranges(std::size_t total, std::size_t piece, Visit&& visit) {
    for (std::size_t offset = 0; offset < total; offset += piece) {
        visit(offset, std::min(piece, total - offset));
    }
}

/// Synchronous sends: nothing piles up at the root before it asks.
void send_pieces(const Comm& comm, std::span<const std::byte> mine, int root, std::size_t piece_bytes) {
    for_ranges(mine.size(), piece_bytes, [&](std::size_t offset, std::size_t n) {
        check(MPI_Ssend(mine.data() + offset, narrow<int>(n), MPI_BYTE, root, piece_tag, native(comm)), "MPI_Ssend");
    });
}

} // namespace

std::exception_ptr stream(const Comm& comm, std::span<const std::byte> mine, int root, std::size_t piece_bytes,
                          const std::function<void(const Arrival&)>& sink) {
    expects(root >= 0 && root < comm.size(), "the root is a rank of the communicator");
    expects(piece_bytes > 0 && piece_bytes <= largest_piece_bytes, "pieces have a length that MPI can count");
    std::vector<std::int64_t> sizes(narrow<std::size_t>(comm.size()));
    const auto n_mine = narrow<std::int64_t>(mine.size());
    if (comm.size() > 1) {
        check(MPI_Gather(&n_mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, root, native(comm)), "MPI_Gather");
    }
    if (comm.rank() != root) {
        send_pieces(comm, mine, root, piece_bytes);
        return nullptr;
    }

    std::exception_ptr failure;
    const auto deliver = [&](const Arrival& arrival) {
        if (failure) {
            return;
        }
        try {
            sink(arrival);
        } catch (...) {
            failure = std::current_exception();
        }
    };
    for_ranges(mine.size(), piece_bytes, [&](std::size_t offset, std::size_t n) {
        deliver({root, mine.size(), offset, mine.subspan(offset, n)});
    });
    std::vector<std::byte> buffer;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank == root) {
            continue;
        }
        const auto total = narrow<std::size_t>(sizes[narrow<std::size_t>(rank)]);
        buffer.resize(std::max(buffer.size(), std::min(piece_bytes, total)));
        for_ranges(total, piece_bytes, [&](std::size_t offset, std::size_t n) {
            check(MPI_Recv(buffer.data(), narrow<int>(n), MPI_BYTE, rank, piece_tag, native(comm), MPI_STATUS_IGNORE),
                  "MPI_Recv");
            deliver({rank, total, offset, {buffer.data(), n}});
        });
    }
    return failure;
}

void for_each_piece_of_bytes(const Comm& comm, std::span<const std::byte> mine, std::size_t piece_bytes,
                             const std::function<void(const Piece<std::byte>&)>& sink) {
    agree(comm, stream(comm, mine, 0, piece_bytes, [&](const Arrival& arrival) {
              sink({arrival.rank, arrival.offset, arrival.data});
          }));
}

} // namespace rondo::comm
