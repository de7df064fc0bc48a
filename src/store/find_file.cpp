#include "find_file.hpp"

#include "part_file.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <system_error>
#include <vector>

namespace rondo::store {
namespace {

/// Names of the files in a directory, as far as they can be listed; of a huge one only the first.
std::vector<std::string> files_in(const std::filesystem::path& directory) {
    constexpr std::size_t most = 10000;
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry{directory, error}, end;
         !error && entry != end && names.size() < most; entry.increment(error)) {
        names.push_back(entry->path().filename().string());
    }
    return names;
}

} // namespace

void require_file(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw InputError{fmt::format("{}: is a directory; give the name of a file in it", path.string())};
    }
    if (std::filesystem::exists(path, error) ||
        (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)) {
        return; // what else may be wrong shows when the file is opened
    }
    const std::filesystem::path directory = directory_of(path);
    if (!std::filesystem::is_directory(directory, error)) {
        throw InputError{
            fmt::format("{}: does not exist (there is no directory {}); check the path, which counts from {}",
                        path.string(), directory.string(), std::filesystem::current_path(error).string())};
    }
    const auto near = nearest_word(path.filename().string(), files_in(directory));
    throw InputError{fmt::format("{}: does not exist; {}", path.string(),
                                 near ? fmt::format("did you mean \"{}\"?", (path.parent_path() / *near).string())
                                      : std::string{"check the name and the directory"})};
}

} // namespace rondo::store
