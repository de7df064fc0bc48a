#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/comm/int128.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::comm {

/// Sum over ranks by the ring that allreduce_sum describes; more than one rank.
void ring_sum(const Comm& comm, std::span<double> data, std::size_t segment_bytes);
void ring_sum(const Comm& comm, std::span<std::int64_t> data, std::size_t segment_bytes);
void ring_sum(const Comm& comm, std::span<Int128> data, std::size_t segment_bytes);

} // namespace rondo::comm
