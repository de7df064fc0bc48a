#pragma once

#include "arguments.hpp"

#include <rondo/comm/comm.hpp>

namespace rondo::app {

// The commands. Each is **collective**, throws Error, and returns the exit code.

[[nodiscard]] int train(const comm::Comm& comm, const Arguments& arguments);
[[nodiscard]] int evaluate(const comm::Comm& comm, const Arguments& arguments);
[[nodiscard]] int simulate(const comm::Comm& comm, const Arguments& arguments);
[[nodiscard]] int gradient(const comm::Comm& comm, const Arguments& arguments);
[[nodiscard]] int check(const comm::Comm& comm, const Arguments& arguments);
[[nodiscard]] int inspect(const comm::Comm& comm, const Arguments& arguments);

} // namespace rondo::app
