#include "cache.hpp"

#include "digest.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace rondo::expression {
namespace {

constexpr std::size_t largest_entry = std::size_t{1} << 30U;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Make the directory and its parents for this user only.
void create(const std::filesystem::path& directory) {
    std::filesystem::path part;
    for (const auto& name : directory) {
        part /= name;
        ::mkdir(part.c_str(), S_IRWXU); // one that exists is fine, and so is no directory at all
    }
}

/// Ours, and nobody else may write to it.
bool is_trusted(int descriptor, mode_t kind) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string file_name(const std::string& key) { return text(digest(key)) + ".kernel"; }

/// What stands before the object in its file.
std::string header(const std::string& key, std::span<const std::byte> object) {
    return fmt::format("rondo kernel 1: key {} object {} digest {}\n{}", key.size(), object.size(),
                       text(digest(object)), key);
}

} // namespace

std::filesystem::path default_cache_directory() {
    if (const std::string own = variable("RONDO_CACHE_DIR"); !own.empty()) {
        return own;
    }
    if (const std::filesystem::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) {
        return xdg / "rondo";
    }
    if (const std::filesystem::path home = variable("HOME"); home.is_absolute()) {
        return home / ".cache" / "rondo";
    }
    return {};
}

Cache::Cache(const std::filesystem::path& directory) {
    if (directory.empty()) {
        return;
    }
    create(directory);
    Descriptor opened{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened && is_trusted(opened.get(), S_IFDIR)) {
        directory_ = std::move(opened);
    }
}

std::optional<std::vector<std::byte>> Cache::find(const std::string& key) const {
    if (!directory_) {
        return std::nullopt;
    }
    const Descriptor file{
        ::openat(directory_.get(), file_name(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
    if (!file || !is_trusted(file.get(), S_IFREG)) {
        return std::nullopt;
    }
    auto bytes = read_all(file.get(), largest_entry);
    if (!bytes) {
        return std::nullopt;
    }
    // a header is one line and the key; what it must be follows from the key and the bytes after it
    const auto line_end = std::ranges::find(*bytes, std::byte{'\n'});
    const auto head_size = static_cast<std::size_t>(line_end - bytes->begin()) + 1 + key.size();
    if (head_size > bytes->size()) {
        return std::nullopt;
    }
    const std::span<const std::byte> object = std::span{*bytes}.subspan(head_size);
    const std::string expected = header(key, object);
    if (!std::ranges::equal(std::as_bytes(std::span{expected}), std::span{*bytes}.first(head_size))) {
        return std::nullopt;
    }
    return std::vector<std::byte>{object.begin(), object.end()};
}

void Cache::store(const std::string& key, std::span<const std::byte> object) const {
    if (!directory_) {
        return;
    }
    const std::string name = file_name(key);
    const std::string part =
        fmt::format("{}.{}.{:x}.part", name, ::getpid(), std::chrono::steady_clock::now().time_since_epoch().count());
    bool is_whole = false;
    {
        const Descriptor file{::openat(directory_.get(), part.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)};
        if (!file) {
            return;
        }
        const std::string head = header(key, object);
        is_whole = write_all(file.get(), std::as_bytes(std::span{head})) && write_all(file.get(), object);
    }
    if (!is_whole || ::renameat(directory_.get(), part.c_str(), directory_.get(), name.c_str()) != 0) {
        ::unlinkat(directory_.get(), part.c_str(), 0);
    }
}

} // namespace rondo::expression
