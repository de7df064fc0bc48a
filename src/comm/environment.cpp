#include <rondo/comm/environment.hpp>

#include <rondo/base/error.hpp>

#include "native.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace rondo::comm {
namespace {

bool flag(int (*query)(int*)) noexcept {
    int value = 0;
    query(&value);
    return value != 0;
}

} // namespace

Environment::Environment() : n_exceptions_{std::uncaught_exceptions()} {
    int provided = MPI_THREAD_SINGLE;
    if (flag(MPI_Initialized)) {
        check(MPI_Query_thread(&provided), "MPI_Query_thread");
    } else {
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
        owns_ = true;
    }
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (provided < MPI_THREAD_FUNNELED) {
        throw CommError{"MPI_Init_thread: this MPI allows no threads (MPI_THREAD_FUNNELED is needed for `threads` in "
                        "the job); use an MPI built with threads",
                        MPI_ERR_OTHER};
    }
}

Environment::~Environment() {
    if (owns_ && is_running() && std::uncaught_exceptions() <= n_exceptions_) {
        MPI_Finalize();
    }
}

bool is_running() noexcept { return flag(MPI_Initialized) && !flag(MPI_Finalized); }

void abort_all(int code) noexcept {
    std::fflush(nullptr);
    if (is_running()) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::_Exit(code);
}

std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
    const std::string whole{text.data(), static_cast<std::size_t>(std::max(length, 0))};
    return whole.substr(0, whole.find_first_of("\r\n\0", 0, 3));
}

} // namespace rondo::comm
