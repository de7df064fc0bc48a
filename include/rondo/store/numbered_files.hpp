#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::store {

/// A file of a numbered series, such as `checkpoint_120.h5`.
struct NumberedFile {
    std::filesystem::path path;
    std::int64_t number = 0;
};

/// The files `<prefix><digits><suffix>` of a directory, highest number first; none where the directory does not exist.
/// @throws StoreError  the directory exists but cannot be listed
[[nodiscard]] std::vector<NumberedFile> list_numbered(const std::filesystem::path& directory,
                                                      std::string_view prefix = "checkpoint_",
                                                      std::string_view suffix = ".h5");

/// The newest good file of a series, and why each newer one was passed over. Where `file` is empty but `rejected` is
/// not, there were files and none was good: not the same as a fresh start.
struct NewestValid {
    std::optional<NumberedFile> file;
    std::vector<std::string> rejected;
};

/// Try files from the highest number down until `verify` accepts one.
///
/// @param verify  throws StoreError or InputError where the file is no good; other exceptions pass through
/// Tests   tests/store/numbered_files_test.cpp
[[nodiscard]] NewestValid newest_valid(const std::vector<NumberedFile>& files,
                                       const std::function<void(const std::filesystem::path&)>& verify);

/// As above, for the files of `list_numbered`.
[[nodiscard]] NewestValid newest_valid(const std::filesystem::path& directory, std::string_view prefix,
                                       std::string_view suffix,
                                       const std::function<void(const std::filesystem::path&)>& verify);

} // namespace rondo::store
