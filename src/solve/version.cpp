#include <rondo/solve/version.hpp>

#include <sundials/sundials_version.h>

#include <array>

namespace rondo::solve {

std::string sundials_version() {
    std::array<char, 64> text{};
    SUNDIALSGetVersion(text.data(), static_cast<int>(text.size()));
    return text.data();
}

} // namespace rondo::solve
