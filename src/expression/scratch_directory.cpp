#include "scratch_directory.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace rondo::expression {

ScratchDirectory::ScratchDirectory() {
    std::error_code error;
    std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error) {
        parent = "/tmp";
    }
    std::string name = (parent / "rondo-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) { // mode 0700
        throw StoreError{
            fmt::format("{}: cannot make a private directory there ({}); set TMPDIR to a directory that can be "
                        "written to",
                        parent.string(), std::strerror(errno))};
    }
    path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace rondo::expression
