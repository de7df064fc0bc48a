#include <rondo/expression/compile.hpp>

#include "cache.hpp"
#include "descriptor.hpp"
#include "digest.hpp"
#include "scratch_directory.hpp"
#include "spawn.hpp"
#include "toolchain.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>

namespace rondo::expression {
namespace {

constexpr std::chrono::seconds version_time{60};
constexpr std::chrono::seconds compile_time{300};
constexpr std::size_t largest_object = std::size_t{1} << 30U;

/// The last lines of a compiler's output are of no use, the first error is.
std::string excerpt(const std::string& output) {
    constexpr std::size_t longest = 2000;
    return output.size() <= longest ? output : output.substr(0, longest) + "...";
}

bool write_file(const std::filesystem::path& path, const std::string& text) {
    const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    return file && write_all(file.get(), std::as_bytes(std::span{text}));
}

std::optional<ObjectCode> read_file(const std::filesystem::path& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    return file ? read_all(file.get(), largest_object) : std::nullopt;
}

/// One run of the compiler, with input and output in `scratch`.
std::optional<ObjectCode> run_compiler(const std::vector<std::string>& command, const std::filesystem::path& scratch,
                                       Ended& ended) {
    const auto object = scratch / "kernels.so";
    std::vector<std::string> argv = command;
    argv.insert(argv.end(), {"-o", object.string(), (scratch / "kernels.cpp").string()});
    ended = run_program(argv, scratch, compile_time);
    return ended.ok ? read_file(object) : std::nullopt;
}

std::optional<ObjectCode> compile_with(const std::filesystem::path& compiler, const std::string& source,
                                       const CompileOptions& options, std::string& message) {
    const ScratchDirectory scratch;
    const std::vector<std::string> ask_version{compiler.string(), "--version"};
    const Ended version = run_program(ask_version, scratch.path(), version_time);
    if (!version.ok) {
        message =
            fmt::format("{}: cannot be used to compile kernels: asked for its version, {}; name a C++ compiler in "
                        "RONDO_CXX\n{}",
                        compiler.string(), version.reason, excerpt(version.output));
        return std::nullopt;
    }
    std::vector<std::string> command{compiler.string()};
    const auto flags = compile_flags(source.size());
    command.insert(command.end(), flags.begin(), flags.end());
    std::vector<std::string> native_command = command;
    native_command.emplace_back("-march=native");

    const std::string key = fmt::format(
        "source {} of {} bytes\ncommand {}\nversion {}\nprocessor {}\n", text(digest(source)), source.size(),
        join(options.native ? native_command : command, " "), version.output, processor_text());
    const Cache cache{options.cache.empty() ? default_cache_directory() : options.cache};
    if (auto object = cache.find(key)) {
        return object;
    }
    if (!write_file(scratch.path() / "kernels.cpp", source)) {
        message =
            fmt::format("{}: cannot write there what the compiler reads; free space or set TMPDIR to another directory",
                        scratch.path().parent_path().string());
        return std::nullopt;
    }
    Ended ended;
    std::optional<ObjectCode> object;
    if (options.native) {
        object = run_compiler(native_command, scratch.path(), ended);
    }
    if (!object && !ended.timed_out) { // not every compiler knows -march=native
        object = run_compiler(command, scratch.path(), ended);
    }
    if (!object) {
        message =
            fmt::format("{}: the kernels could not be compiled: {} (equations are then interpreted, which is slower); "
                        "name another C++ compiler in RONDO_CXX\n{}",
                        compiler.string(), ended.ok ? "it wrote no object" : ended.reason, excerpt(ended.output));
        return std::nullopt;
    }
    cache.store(key, *object);
    return object;
}

} // namespace

std::optional<ObjectCode> compile(const std::string& source, const CompileOptions& options, std::string& message) {
    message.clear();
    const auto compiler = find_compiler(options.compiler, message);
    if (!compiler) {
        return std::nullopt;
    }
    try {
        return compile_with(*compiler, source, options, message);
    } catch (const StoreError& error) {
        message = error.what();
        return std::nullopt;
    }
}

} // namespace rondo::expression
