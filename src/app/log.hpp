#pragma once

#include "arguments.hpp"

#include <rondo/comm/comm.hpp>

namespace rondo::app {

/// Set spdlog up for this rank: common lines (`info` and up) from rank 0; the other ranks say only warnings and errors,
/// each with `[rank/size]` before it. All to standard error; colours only on a terminal and without NO_COLOR.
void set_up_log(const comm::Comm& comm, Verbosity verbosity);

} // namespace rondo::app
