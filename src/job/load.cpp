#include "load.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace rondo::job {
namespace {

constexpr std::size_t largest_bytes = std::size_t{16} << 20U;

[[noreturn]] void too_large(const std::string& file) {
    throw InputError{
        fmt::format("{}: the file is larger than 16 MiB (a job holds settings; data have files of their own); name "
                    "these files in [data]",
                    file)};
}

/// `; did you mean "lorenz.toml"?` where a file of the same folder has a similar name.
std::string nearest_file(const std::filesystem::path& file) {
    std::error_code status;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
    std::vector<std::string> names;
    constexpr std::size_t most = 10000;
    for (std::filesystem::directory_iterator it{folder, status}, end; !status && it != end && names.size() < most;
         it.increment(status)) {
        if (!it->is_directory(status)) {
            names.push_back(it->path().filename().string());
        }
    }
    std::ranges::sort(names);
    const auto near = nearest_word(file.filename().string(), names);
    return near ? fmt::format("; did you mean \"{}\"?", (file.parent_path() / *near).string()) : "; check the path";
}

/// Dotted keys nest without limit in toml++, and deep tables exhaust the stack when they are destroyed.
void check_depth(std::string_view text, const std::string& file) {
    constexpr int deepest = 100;
    int depth = 0;
    std::size_t line = 1;
    bool in_part = false; // the last character but blanks belongs to a part of a key
    for (const char c : text) {
        const bool is_separator =
            c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}' || c == '#';
        if (c == '\n') {
            ++line;
        }
        if (is_separator) {
            depth = 0;
            in_part = false;
        } else if (c == '.') {
            depth += in_part ? 1 : 0;
            in_part = false;
        } else if (c != ' ' && c != '\t') {
            in_part = true;
        }
        if (depth > deepest) {
            throw InputError{
                fmt::format("{}:{}: a name has more than {} parts joined by dots (no key of a job lies that deep); "
                            "shorten it",
                            file, line, deepest)};
        }
    }
}

/// The reason toml++ gives, on one line.
std::string one_line(std::string_view reason) {
    std::string text;
    for (const char c : reason) {
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return text;
}

} // namespace

std::string load_text(const std::filesystem::path& file) {
    std::error_code status;
    if (!std::filesystem::exists(file, status)) {
        throw InputError{fmt::format("{}: there is no such file{}", file.string(), nearest_file(file))};
    }
    if (std::filesystem::is_directory(file, status)) {
        throw InputError{fmt::format("{}: is a directory, not a job file; name the file in it", file.string())};
    }
    std::ifstream in{file, std::ios::binary};
    if (!in) {
        throw StoreError{
            fmt::format("{}: the file cannot be opened for reading; check its permissions", file.string())};
    }
    std::string text(largest_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) {
        throw StoreError{fmt::format("{}: reading the file failed; check the disk", file.string())};
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_bytes) {
        too_large(file.string());
    }
    return text;
}

toml::table parse_text(const std::string& text, const std::string& file) {
    if (text.size() > largest_bytes) {
        too_large(file);
    }
    if (const std::size_t at = text.find('\0'); at != std::string::npos) {
        throw InputError{
            fmt::format("{}:{}: the file holds a NUL byte (it is no text); write it again with a text editor", file,
                        1 + std::ranges::count(std::string_view{text}.substr(0, at), '\n'))};
    }
    if (!is_utf8(text)) {
        throw InputError{fmt::format("{}: the file is not UTF-8 (TOML is); save it as UTF-8", file)};
    }
    check_depth(text, file);
    try {
        return toml::parse(text, std::string_view{file});
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        throw InputError{
            fmt::format("{}:{}:{}: this is no TOML ({})", file, at.line, at.column, one_line(error.description()))};
    }
}

} // namespace rondo::job
