#pragma once

#include <rondo/comm/comm.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <span>

namespace rondo::comm {

/// Bytes [offset, offset + data.size()) of the `total_bytes` of rank `rank`.
struct Arrival {
    int rank;
    std::size_t total_bytes;
    std::size_t offset;
    std::span<const std::byte> data;
};

/// Bring every rank's bytes to `root` in rank order (the root's own first), in pieces of `piece_bytes`, and hand each
/// piece to `sink` there. Collective. After an exception of `sink` the rest is received and dropped; the exception is
/// returned for the ranks to agree on.
[[nodiscard]] std::exception_ptr stream(const Comm& comm, std::span<const std::byte> mine, int root,
                                        std::size_t piece_bytes, const std::function<void(const Arrival&)>& sink);

} // namespace rondo::comm
