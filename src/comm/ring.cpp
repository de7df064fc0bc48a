#include "ring.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/comm/collective.hpp>

#include "native.hpp"

#include <algorithm>
#include <vector>

namespace rondo::comm {
namespace {

/// Chunk `index` (taken modulo the count) of n entries: lengths differ by at most one.
template <class T>
std::span<T> chunk(std::span<T> data, std::size_t index, std::size_t n_chunks) {
    const std::size_t c = index % n_chunks;
    const std::size_t share = data.size() / n_chunks, rest = data.size() % n_chunks;
    return data.subspan(c * share + std::min(c, rest), share + (c < rest ? 1U : 0U));
}

/// Segment `index` of a chunk; empty beyond its end.
template <class T>
std::span<T> segment(std::span<T> whole, std::size_t index, std::size_t n_entries) {
    const std::size_t begin = std::min(index * n_entries, whole.size());
    return whole.subspan(begin, std::min(n_entries, whole.size() - begin));
}

/// Send to the right, receive from the left; an empty segment is no message on either side.
template <class T>
void exchange(const Comm& comm, std::span<const T> out, std::span<T> in) {
    const int right = out.empty() ? MPI_PROC_NULL : (comm.rank() + 1) % comm.size();
    const int left = in.empty() ? MPI_PROC_NULL : (comm.rank() + comm.size() - 1) % comm.size();
    check(MPI_Sendrecv(out.data(), narrow<int>(out.size_bytes()), MPI_BYTE, right, ring_tag, in.data(),
                       narrow<int>(in.size_bytes()), MPI_BYTE, left, ring_tag, native(comm), MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
}

template <class T>
void ring(const Comm& comm, std::span<T> data, std::size_t segment_bytes) {
    const auto p = narrow<std::size_t>(comm.size()), rank = narrow<std::size_t>(comm.rank());
    const std::size_t n_entries = std::max<std::size_t>(1, std::min(segment_bytes, largest_piece_bytes) / sizeof(T));
    const std::size_t longest = data.size() / p + (data.size() % p != 0 ? 1U : 0U);
    const std::size_t n_segments = longest / n_entries + (longest % n_entries != 0 ? 1U : 0U);
    std::vector<T> arrived(std::min(n_entries, longest));

    for (std::size_t round = 0; round + 1 < p; ++round) { // reduce-scatter
        const auto outgoing = chunk(data, rank + p - round, p), incoming = chunk(data, rank + 2 * p - round - 1, p);
        for (std::size_t s = 0; s < n_segments; ++s) {
            const auto target = segment(incoming, s, n_entries);
            const std::span<T> addend{arrived.data(), target.size()};
            exchange<T>(comm, segment(outgoing, s, n_entries), addend);
            for (std::size_t i = 0; i < target.size(); ++i) {
                target[i] += addend[i];
            }
        }
    }
    for (std::size_t round = 0; round + 1 < p; ++round) { // all-gather
        const auto outgoing = chunk(data, rank + 1 + p - round, p), incoming = chunk(data, rank + p - round, p);
        for (std::size_t s = 0; s < n_segments; ++s) {
            exchange<T>(comm, segment(outgoing, s, n_entries), segment(incoming, s, n_entries));
        }
    }
}

} // namespace

void ring_sum(const Comm& comm, std::span<double> data, std::size_t segment_bytes) { ring(comm, data, segment_bytes); }
void ring_sum(const Comm& comm, std::span<std::int64_t> data, std::size_t segment_bytes) {
    ring(comm, data, segment_bytes);
}
void ring_sum(const Comm& comm, std::span<Int128> data, std::size_t segment_bytes) { ring(comm, data, segment_bytes); }

} // namespace rondo::comm
