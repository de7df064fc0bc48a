#include <rondo/comm/reduce.hpp>

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/base/handle.hpp>

#include "native.hpp"
#include "ring.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::comm {
namespace {

struct TypeTraits {
    using type = MPI_Datatype;
    static type null() noexcept { return MPI_DATATYPE_NULL; }
    static void close(type handle) noexcept { MPI_Type_free(&handle); }
};

struct OpTraits {
    using type = MPI_Op;
    static type null() noexcept { return MPI_OP_NULL; }
    static void close(type handle) noexcept { MPI_Op_free(&handle); }
};

/// inout += in; MPI's own buffers need not be aligned for Int128.
extern "C" void rondo_add_int128(void* in, void* inout, int* count, MPI_Datatype*) noexcept {
    auto* from = static_cast<const std::byte*>(in);
    auto* to = static_cast<std::byte*>(inout);
    for (int i = 0; i < *count; ++i, from += sizeof(Int128), to += sizeof(Int128)) {
        Int128 a = 0, b = 0;
        std::memcpy(&a, from, sizeof a);
        std::memcpy(&b, to, sizeof b);
        b += a;
        std::memcpy(to, &b, sizeof b);
    }
}

/// MPI_Allreduce in place, of any length.
template <class T>
void mpi_reduce(const Comm& comm, std::span<T> data, MPI_Datatype type, MPI_Op op) {
    constexpr std::size_t piece = std::size_t{1} << 28U;
    for (std::size_t offset = 0; offset < data.size(); offset += piece) {
        const auto part = data.subspan(offset, std::min(piece, data.size() - offset));
        check(MPI_Allreduce(MPI_IN_PLACE, part.data(), narrow<int>(part.size()), type, op, native(comm)),
              "MPI_Allreduce");
    }
}

void mpi_sum(const Comm& comm, std::span<double> data) { mpi_reduce(comm, data, MPI_DOUBLE, MPI_SUM); }
void mpi_sum(const Comm& comm, std::span<std::int64_t> data) { mpi_reduce(comm, data, MPI_INT64_T, MPI_SUM); }
void mpi_sum(const Comm& comm, std::span<Int128> data) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(2, MPI_INT64_T, &type), "MPI_Type_contiguous");
    UniqueHandle<TypeTraits> owned_type{type};
    check(MPI_Type_commit(&type), "MPI_Type_commit");
    MPI_Op op = MPI_OP_NULL;
    check(MPI_Op_create(rondo_add_int128, 1, &op), "MPI_Op_create");
    UniqueHandle<OpTraits> owned_op{op};
    mpi_reduce(comm, data, type, op);
}

/// The one place that knows the algorithms.
template <class T>
void sum(const Comm& comm, std::span<T> data, const ReduceOptions& options) {
    if (comm.size() == 1) {
        return;
    }
    switch (options.algorithm) {
    case Algorithm::ring:
        return ring_sum(comm, data, options.segment_bytes);
    case Algorithm::mpi:
        return mpi_sum(comm, data);
    }
    contract_failed("expected", "the all-reduce algorithm is known", __FILE__, __LINE__);
}

template <class T>
void max(const Comm& comm, std::span<T> data, MPI_Datatype type) {
    if (comm.size() > 1) {
        mpi_reduce(comm, data, type, MPI_MAX);
    }
}

} // namespace

void allreduce_sum(const Comm& comm, std::span<double> data, const ReduceOptions& options) { sum(comm, data, options); }
void allreduce_sum(const Comm& comm, std::span<std::int64_t> data, const ReduceOptions& options) {
    sum(comm, data, options);
}
void allreduce_sum(const Comm& comm, std::span<Int128> data, const ReduceOptions& options) { sum(comm, data, options); }

void allreduce_max(const Comm& comm, std::span<double> data) { max(comm, data, MPI_DOUBLE); }
void allreduce_max(const Comm& comm, std::span<std::int64_t> data) { max(comm, data, MPI_INT64_T); }
void allreduce_max(const Comm& comm, std::span<std::int16_t> data) { max(comm, data, MPI_INT16_T); }

} // namespace rondo::comm
