#pragma once

#include <string>

namespace rondo::solve {

/// The version of SUNDIALS in use, for the provenance.
[[nodiscard]] std::string sundials_version();

} // namespace rondo::solve
