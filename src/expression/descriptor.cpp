#include "descriptor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rondo::expression {

void DescriptorTraits::close(type descriptor) noexcept { ::close(descriptor); }

bool write_all(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<decltype(n)>(n, 0)));
    }
    return true;
}

std::optional<std::vector<std::byte>> read_all(int descriptor, std::size_t limit) {
    std::vector<std::byte> bytes;
    std::vector<std::byte> chunk(std::size_t{1} << 16U);
    while (bytes.size() <= limit) {
        const auto n = ::read(descriptor, chunk.data(), chunk.size());
        if (n == 0) {
            return bytes;
        }
        if (n < 0 && errno != EINTR) {
            return std::nullopt;
        }
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + std::max<decltype(n)>(n, 0));
    }
    return std::nullopt;
}

} // namespace rondo::expression
