#pragma once

#include <filesystem>
#include <string>

namespace rondo::store {

/// @throws InputError  there is no such file (the text names the nearest one beside it), or it is a directory
void require_file(const std::filesystem::path& path);

} // namespace rondo::store
