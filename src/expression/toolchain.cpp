#include "toolchain.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace rondo::expression {
namespace {

bool is_program(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The path of a program: as given if it has a slash, else the first of that name in PATH.
std::optional<std::filesystem::path> find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return is_program(name) ? std::optional{std::filesystem::absolute(name)} : std::nullopt;
    }
    const char* const path = std::getenv("PATH");
    std::istringstream directories{path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path};
    for (std::string directory; std::getline(directories, directory, ':');) {
        const auto candidate = std::filesystem::path{directory} / name;
        if (candidate.is_absolute() && is_program(candidate)) {
            return candidate;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<std::filesystem::path> find_compiler(const std::string& wanted, std::string& message) {
    const char* const variable = std::getenv("RONDO_CXX");
    const bool is_set = variable != nullptr && *variable != '\0';
    if (!wanted.empty() || is_set) {
        const std::string name = wanted.empty() ? variable : wanted;
        auto found = find_program(name);
        if (!found) {
            message = fmt::format(
                "{}: there is no program \"{}\" to compile kernels with (equations are then interpreted, "
                "which is slower); name a C++ compiler{}",
                wanted.empty() ? "RONDO_CXX" : "compiler", name, wanted.empty() ? " or unset RONDO_CXX" : "");
        }
        return found;
    }
    const std::array<std::string, 3> usual{"c++", "g++", "clang++"};
    for (const std::string& name : usual) {
        if (auto found = find_program(name)) {
            return found;
        }
    }
    message = fmt::format("PATH: none of {} is there to compile kernels with (equations are then interpreted, which is "
                          "slower); install a C++ compiler or name one in RONDO_CXX",
                          join(usual));
    return std::nullopt;
}

std::vector<std::string> compile_flags(std::size_t source_size) {
    constexpr std::size_t large = 700'000; // about 12,000 operations at two widths: some seconds with -O3
    std::vector<std::string> flags{
        "-std=c++17",         "-fPIC",           "-shared",  "-w", "-fno-math-errno", "-fno-trapping-math",
        "-ffp-contract=fast", "-fno-exceptions", "-fno-rtti"};
    if (source_size <= large) {
        flags.emplace_back("-O3");
    } else {
        flags.insert(flags.end(), {"-O1", "-ftree-slp-vectorize"});
    }
    return flags;
}

std::string processor_text() {
    std::string text;
    if (utsname machine{}; ::uname(&machine) == 0) {
        text = fmt::format("{}\n", static_cast<const char*>(machine.machine));
    }
    constexpr std::array<std::string_view, 10> keys{"vendor_id", "cpu family",      "model\t",     "stepping", "flags",
                                                    "Features",  "CPU implementer", "CPU variant", "CPU part", "cpu\t"};
    std::ifstream file{"/proc/cpuinfo"};
    for (std::string line; std::getline(file, line) && !line.empty();) { // the first processor's
        if (std::ranges::any_of(keys, [&](std::string_view key) { return line.starts_with(key); })) {
            text += line + '\n';
        }
    }
    return text;
}

} // namespace rondo::expression
