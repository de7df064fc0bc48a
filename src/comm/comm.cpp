#include <rondo/comm/comm.hpp>

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/comm/environment.hpp>

#include "native.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace rondo::comm {

void CommTraits::close(type handle) noexcept {
    if (is_running() && std::uncaught_exceptions() == 0) {
        MPI_Comm_free(&handle);
    }
}

void check(int code, const char* function) {
    if (code == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) {
        length = 0;
    }
    throw CommError{
        fmt::format("{}: {} (MPI error {}; this rank can no longer work with the others); look for the first message "
                    "of another rank or of the launcher",
                    function, length > 0 ? std::string_view{text.data(), static_cast<std::size_t>(length)} : "no text",
                    code),
        code};
}

MPI_Comm native(const Comm& comm) {
    expects(comm.native() != nullptr, "only a Comm of several ranks calls MPI");
    return comm.native()->handle.get();
}

Comm::Comm(std::unique_ptr<NativeComm> native, int rank, int size) noexcept
    : native_{std::move(native)}, rank_{rank}, size_{size} {}
Comm::Comm(Comm&&) noexcept = default;
Comm& Comm::operator=(Comm&&) noexcept = default;
Comm::~Comm() = default;

Comm Comm::self() { return Comm{nullptr, 0, 1}; }

Comm Comm::world() {
    expects(is_running(), "an Environment lives when Comm::world() is called");
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &handle), "MPI_Comm_dup");
    auto owner = std::make_unique<NativeComm>(NativeComm{UniqueHandle<CommTraits>{handle}});
    check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int rank = 0, size = 1;
    check(MPI_Comm_rank(handle, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(handle, &size), "MPI_Comm_size");
    return Comm{std::move(owner), rank, size};
}

} // namespace rondo::comm
