#pragma once

#include <rondo/base/handle.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace rondo::expression {

/// Closes a file descriptor.
struct DescriptorTraits {
    using type = int;
    static type null() noexcept { return -1; }
    static void close(type descriptor) noexcept;
};
using Descriptor = UniqueHandle<DescriptorTraits>;

/// Write all of `bytes`; false (errno says why) where that fails.
[[nodiscard]] bool write_all(int descriptor, std::span<const std::byte> bytes);

/// Everything from here to the end of the file, or nothing where reading fails or it is longer than `limit`.
[[nodiscard]] std::optional<std::vector<std::byte>> read_all(int descriptor, std::size_t limit);

} // namespace rondo::expression
