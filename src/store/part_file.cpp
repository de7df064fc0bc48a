#include "part_file.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace rondo::store {
namespace {

/// Bytes of one system call; Linux moves at most 2 GiB.
constexpr std::size_t largest_transfer = std::size_t{1} << 30U;

int open_again_if_interrupted(const char* path, int flags, mode_t mode = 0) {
    int descriptor = -1;
    do {
        descriptor = ::open(path, flags | O_CLOEXEC, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/// A file system that cannot sync a directory says EINVAL or ENOTSUP: there is nothing more to do there.
int sync_directory(const std::filesystem::path& directory) {
    const int descriptor = open_again_if_interrupted(directory.c_str(), O_RDONLY | O_DIRECTORY);
    if (descriptor < 0) {
        return errno == EACCES ? 0 : errno;
    }
    const int error = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    ::close(descriptor);
    return error;
}

std::string advice_for(int error) {
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "free space, or write to another directory";
    case EFBIG:
        return "raise the limit on file sizes (ulimit -f)";
    case ENOENT:
        return "create its directory first";
    case ENOTDIR:
        return "choose a path whose parent is a directory";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a directory that you may write to";
    default:
        return "check the disk, or write to another directory";
    }
}

} // namespace

std::string system_text(int error_number) { return std::generic_category().message(error_number); }

std::filesystem::path directory_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
}

PartFile::PartFile(std::filesystem::path target) : target_{std::move(target)}, part_{target_} {
    std::error_code ignored;
    if (!target_.has_filename() || std::filesystem::is_directory(target_, ignored)) {
        throw StoreError{
            fmt::format("{}: cannot be written (it is a directory); give the name of a file", target_.string())};
    }
    part_ += fmt::format(".part.{}", ::getpid());
    ::unlink(part_.c_str()); // of a killed process that had this number
    descriptor_ = open_again_if_interrupted(part_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0666);
    if (descriptor_ < 0) {
        const int error = errno;
        throw StoreError{
            fmt::format("{}: cannot be created ({}); {}", target_.string(), system_text(error), advice_for(error))};
    }
}

PartFile::~PartFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        ::unlink(part_.c_str());
    }
}

void PartFile::remember(const char* doing) noexcept {
    if (error_ == 0) {
        error_ = errno != 0 ? errno : EIO;
        doing_ = doing;
    }
}

void PartFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty() && error_ == 0) {
        errno = 0;
        const ssize_t n =
            ::pwrite(descriptor_, bytes.data(), std::min(bytes.size(), largest_transfer), static_cast<off_t>(offset));
        if (n > 0) {
            offset += static_cast<std::uint64_t>(n);
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            size_ = std::max(size_, offset);
        } else if (errno != EINTR) {
            remember("written");
        }
    }
}

void PartFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        errno = 0;
        const ssize_t n =
            ::pread(descriptor_, bytes.data(), std::min(bytes.size(), largest_transfer), static_cast<off_t>(offset));
        if (n > 0) {
            offset += static_cast<std::uint64_t>(n);
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        } else if (n == 0 || errno != EINTR) {
            if (n < 0) {
                remember("read back");
            }
            std::ranges::fill(bytes, std::byte{0});
            return;
        }
    }
}

void PartFile::resize(std::uint64_t size) noexcept {
    errno = 0;
    if (error_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0) {
        size_ = size;
    } else {
        remember("written");
    }
}

void PartFile::throw_if_failed() const {
    if (error_ != 0) {
        throw StoreError{fmt::format("{}: could not be {} ({}; what was there before is unchanged); {}",
                                     target_.string(), doing_, system_text(error_), advice_for(error_))};
    }
}

void PartFile::commit() {
    throw_if_failed();
    errno = 0;
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
        remember("written to disk");
        throw_if_failed();
    }
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && errno != EINTR) {
        remember("written to disk");
    } else if (::rename(part_.c_str(), target_.c_str()) != 0) {
        remember("put in place");
    }
    if (error_ != 0) {
        ::unlink(part_.c_str());
        throw_if_failed();
    }
    if (const int error = sync_directory(directory_of(target_)); error != 0) {
        throw StoreError{fmt::format("{}: was written, but its directory could not be synced to disk ({}); {}",
                                     target_.string(), system_text(error), advice_for(error))};
    }
}

} // namespace rondo::store
