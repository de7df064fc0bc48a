#include "output.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/numbered_files.hpp>
#include <rondo/store/text_file.hpp>

#include <fmt/format.h>

namespace rondo::app {

void prepare_directory(const std::filesystem::path& directory, const Arguments& arguments) {
    store::make_directory(directory);
    const auto checkpoints = store::list_numbered(directory);
    const auto result = directory / result_name;
    const bool holds_a_run = !checkpoints.empty() || std::filesystem::exists(result);
    if (holds_a_run && !arguments.resume && !arguments.overwrite) {
        throw InputError{
            fmt::format("command line: {} holds a run (nothing is overwritten unasked); say --resume to go on with it, "
                        "--overwrite to begin anew, or --output for another directory",
                        directory.string())};
    }
    if (arguments.overwrite && !arguments.resume) {
        for (const auto& checkpoint : checkpoints) {
            std::filesystem::remove(checkpoint.path);
        }
        std::filesystem::remove(result);
    }
    store::remove_part_files(directory);
}

void prepare_file(const std::filesystem::path& file, const Arguments& arguments) {
    if (std::filesystem::is_directory(file)) {
        throw InputError{fmt::format("command line: --output {} is a directory; name a file in it", file.string())};
    }
    if (std::filesystem::exists(file) && !arguments.overwrite) {
        throw InputError{fmt::format(
            "command line: {} exists (nothing is overwritten unasked); say --overwrite or give another --output",
            file.string())};
    }
    if (file.has_parent_path()) {
        store::make_directory(file.parent_path());
    }
}

} // namespace rondo::app
