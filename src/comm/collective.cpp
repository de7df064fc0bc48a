#include <rondo/comm/collective.hpp>

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/reduce.hpp>

#include "native.hpp"
#include "stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace rondo::comm {
namespace {

void broadcast_bytes(const Comm& comm, std::span<std::byte> data, int root, std::size_t piece_bytes) {
    expects(root >= 0 && root < comm.size(), "the root is a rank of the communicator");
    expects(piece_bytes > 0 && piece_bytes <= largest_piece_bytes, "pieces have a length that MPI can count");
    if (comm.size() == 1) {
        return;
    }
    for (std::size_t offset = 0; offset < data.size(); offset += piece_bytes) {
        const auto piece = data.subspan(offset, std::min(piece_bytes, data.size() - offset));
        check(MPI_Bcast(piece.data(), narrow<int>(piece.size()), MPI_BYTE, root, native(comm)), "MPI_Bcast");
    }
}

/// A vector or string whose length only the root knows.
template <class Container>
Container broadcast_value(const Comm& comm, Container value, int root) {
    std::array<std::int64_t, 1> n{narrow<std::int64_t>(value.size())};
    broadcast(comm, std::span<std::int64_t>{n}, root);
    value.resize(narrow<std::size_t>(n[0]));
    broadcast_bytes(comm, std::as_writable_bytes(std::span{value}), root, largest_piece_bytes);
    return value;
}

template <class Container>
std::vector<Container> gather_values(const Comm& comm, std::span<const typename Container::value_type> mine, int root,
                                     std::size_t piece_bytes) {
    constexpr std::size_t entry = sizeof(typename Container::value_type);
    std::vector<Container> all(comm.rank() == root ? narrow<std::size_t>(comm.size()) : 0U);
    agree(comm, stream(comm, std::as_bytes(mine), root, piece_bytes, [&](const Arrival& arrival) {
              Container& target = all[narrow<std::size_t>(arrival.rank)];
              target.resize(arrival.total_bytes / entry);
              std::ranges::copy(arrival.data, std::as_writable_bytes(std::span{target}).begin() +
                                                  narrow<std::ptrdiff_t>(arrival.offset));
          }));
    return all;
}

template <class T>
std::vector<std::vector<T>> all_gather_values(const Comm& comm, std::span<const T> mine, MPI_Datatype type) {
    if (comm.size() == 1) {
        return {std::vector<T>(mine.begin(), mine.end())};
    }
    const auto n_ranks = narrow<std::size_t>(comm.size());
    const auto n_mine = narrow<std::int64_t>(mine.size());
    std::vector<std::int64_t> sizes(n_ranks);
    check(MPI_Allgather(&n_mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, native(comm)), "MPI_Allgather");
    std::vector<int> counts(n_ranks), begins(n_ranks);
    std::int64_t total = 0;
    for (std::size_t r = 0; r < n_ranks; ++r) {
        if (sizes[r] > std::numeric_limits<int>::max() - total) {
            throw CommError{fmt::format("all_gather: the ranks hold more than {} numbers in total (MPI cannot count "
                                        "more); gather them to one rank instead",
                                        std::numeric_limits<int>::max()),
                            MPI_ERR_COUNT};
        }
        counts[r] = static_cast<int>(sizes[r]);
        begins[r] = static_cast<int>(total);
        total += sizes[r];
    }
    std::vector<T> flat(narrow<std::size_t>(total));
    check(MPI_Allgatherv(mine.data(), counts[narrow<std::size_t>(comm.rank())], type, flat.data(), counts.data(),
                         begins.data(), type, native(comm)),
          "MPI_Allgatherv");
    std::vector<std::vector<T>> all(n_ranks);
    for (std::size_t r = 0; r < n_ranks; ++r) {
        all[r].assign(flat.begin() + begins[r], flat.begin() + begins[r] + counts[r]);
    }
    return all;
}

} // namespace

void barrier(const Comm& comm) {
    if (comm.size() > 1) {
        check(MPI_Barrier(native(comm)), "MPI_Barrier");
    }
}

void broadcast(const Comm& comm, std::span<std::byte> data, int root, std::size_t piece_bytes) {
    broadcast_bytes(comm, data, root, piece_bytes);
}
void broadcast(const Comm& comm, std::span<double> data, int root, std::size_t piece_bytes) {
    broadcast_bytes(comm, std::as_writable_bytes(data), root, piece_bytes);
}
void broadcast(const Comm& comm, std::span<std::int64_t> data, int root, std::size_t piece_bytes) {
    broadcast_bytes(comm, std::as_writable_bytes(data), root, piece_bytes);
}

std::string broadcast(const Comm& comm, std::string value, int root) {
    return broadcast_value(comm, std::move(value), root);
}
std::vector<std::byte> broadcast(const Comm& comm, std::vector<std::byte> value, int root) {
    return broadcast_value(comm, std::move(value), root);
}
std::vector<double> broadcast(const Comm& comm, std::vector<double> value, int root) {
    return broadcast_value(comm, std::move(value), root);
}
std::vector<std::int64_t> broadcast(const Comm& comm, std::vector<std::int64_t> value, int root) {
    return broadcast_value(comm, std::move(value), root);
}

std::vector<std::vector<std::byte>> gather(const Comm& comm, std::span<const std::byte> mine, int root,
                                           std::size_t piece_bytes) {
    return gather_values<std::vector<std::byte>>(comm, mine, root, piece_bytes);
}
std::vector<std::vector<double>> gather(const Comm& comm, std::span<const double> mine, int root,
                                        std::size_t piece_bytes) {
    return gather_values<std::vector<double>>(comm, mine, root, piece_bytes);
}
std::vector<std::vector<std::int64_t>> gather(const Comm& comm, std::span<const std::int64_t> mine, int root,
                                              std::size_t piece_bytes) {
    return gather_values<std::vector<std::int64_t>>(comm, mine, root, piece_bytes);
}
std::vector<std::string> gather_text(const Comm& comm, std::string_view mine, int root) {
    return gather_values<std::string>(comm, std::span{mine.data(), mine.size()}, root, largest_piece_bytes);
}

std::vector<std::vector<std::int64_t>> all_gather(const Comm& comm, std::span<const std::int64_t> mine) {
    return all_gather_values(comm, mine, MPI_INT64_T);
}
std::vector<std::vector<double>> all_gather(const Comm& comm, std::span<const double> mine) {
    return all_gather_values(comm, mine, MPI_DOUBLE);
}

std::int64_t exclusive_sum(const Comm& comm, std::int64_t mine) {
    std::int64_t before = 0;
    if (comm.size() > 1) {
        check(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, native(comm)), "MPI_Exscan");
    }
    return comm.rank() == 0 ? 0 : before;
}

bool any_rank(const Comm& comm, bool mine) {
    std::array<std::int64_t, 1> flag{mine ? 1 : 0};
    allreduce_max(comm, std::span<std::int64_t>{flag});
    return flag[0] != 0;
}

int hosts(const Comm& comm) {
    if (comm.size() == 1) {
        return 1;
    }
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    const auto names = gather_text(comm, {name.data(), narrow<std::size_t>(length)});
    std::array<std::int64_t, 1> n{narrow<std::int64_t>(std::set<std::string>(names.begin(), names.end()).size())};
    broadcast(comm, std::span<std::int64_t>{n});
    return narrow<int>(n[0]);
}

} // namespace rondo::comm
