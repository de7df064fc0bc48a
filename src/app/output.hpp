#pragma once

#include "arguments.hpp"

#include <filesystem>

namespace rondo::app {

/// The directory of a run, made ready on rank 0: refused if it holds a run and the user said neither --resume nor
/// --overwrite; emptied of rondo's own files on --overwrite. Ranks   local: rank 0 calls it.
/// @throws InputError, StoreError
void prepare_directory(const std::filesystem::path& directory, const Arguments& arguments);

/// A single file to be written: refused if it exists and the user did not say --overwrite. Local: rank 0 calls it.
/// @throws InputError
void prepare_file(const std::filesystem::path& file, const Arguments& arguments);

inline constexpr const char* result_name = "result.h5";

} // namespace rondo::app
