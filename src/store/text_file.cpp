#include "find_file.hpp"
#include "part_file.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/handle.hpp>
#include <rondo/store/text_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace rondo::store {
namespace {

struct DescriptorTraits {
    using type = int;
    static type null() noexcept { return -1; }
    static void close(type descriptor) noexcept { ::close(descriptor); }
};
using Descriptor = UniqueHandle<DescriptorTraits>;

[[noreturn]] void cannot_read(const std::filesystem::path& path, int error) {
    throw StoreError{
        fmt::format("{}: cannot be read ({}); check its permissions and the disk", path.string(), system_text(error))};
}

/// True for the names that PartFile gives: `<file>.part.<digits>`.
bool is_part_name(const std::string& name) {
    const std::size_t at = name.rfind(".part.");
    return at != std::string::npos && at > 0 && at + 6 < name.size() &&
           name.find_first_not_of("0123456789", at + 6) == std::string::npos;
}

} // namespace

void atomic_write_text(const std::filesystem::path& path, std::string_view text) {
    PartFile file{path};
    file.write_at(0, std::as_bytes(std::span{text.data(), text.size()}));
    file.commit();
}

std::string read_text(const std::filesystem::path& path, std::uint64_t limit) {
    require_file(path);
    const Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!descriptor) {
        cannot_read(path, errno);
    }
    const auto refuse_larger = [&](std::uint64_t size) {
        if (size > limit) {
            throw InputError{fmt::format("{}: has more than the {} bytes that are read at most; is it the right file?",
                                         path.string(), limit)};
        }
    };
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) {
        refuse_larger(std::filesystem::file_size(path, error));
    }
    constexpr std::size_t first_piece = std::size_t{1} << 16U;
    std::string text;
    std::size_t size = 0;
    for (;;) { // a pipe has no size beforehand, and a file may grow
        text.resize(std::max(first_piece, 2 * size));
        const ssize_t n = ::read(descriptor.get(), text.data() + size, text.size() - size);
        if (n < 0 && errno != EINTR) {
            cannot_read(path, errno);
        }
        if (n == 0) {
            break;
        }
        size += n > 0 ? static_cast<std::size_t>(n) : 0;
        refuse_larger(size);
    }
    text.resize(size);
    return text;
}

void make_directory(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error || !std::filesystem::is_directory(path)) {
        throw StoreError{
            fmt::format("{}: the directory cannot be created ({}); choose another one, or remove the file in the way",
                        path.string(), error ? error.message() : system_text(ENOTDIR))};
    }
}

std::size_t remove_part_files(const std::filesystem::path& directory) {
    std::size_t n_removed = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry{directory, error}, end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (is_part_name(entry->path().filename().string()) && std::filesystem::remove(entry->path(), ignored)) {
            ++n_removed;
        }
    }
    return n_removed;
}

} // namespace rondo::store
