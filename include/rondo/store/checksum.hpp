#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rondo::store {

class FileReader;
class FileWriter;

/// XXH64, a fast 64-bit hash (not for secrets), fed in pieces of any size.
///
/// Source  Yann Collet, "xxHash fast digest algorithm", specification 0.1.1.
/// Tests   tests/store/checksum_test.cpp: published values; any cut into pieces gives the same.
class Hash64 {
public:
    explicit Hash64(std::uint64_t seed = 0) noexcept;
    void add(std::span<const std::byte> bytes) noexcept;
    void add(std::string_view text) noexcept;
    [[nodiscard]] std::uint64_t value() const noexcept;

private:
    void consume(const std::byte* stripe) noexcept;
    std::array<std::uint64_t, 4> lanes_;
    std::array<std::byte, 32> waiting_{};
    std::uint64_t n_bytes_ = 0;
    std::uint64_t seed_;
};

/// XXH64 of a text in one call.
[[nodiscard]] std::uint64_t hash64(std::string_view text) noexcept;

/// The content checksum of an open file: the hash of what it says, however HDF5 laid it out: for the root and then
/// every group and dataset in sorted order its path, its attributes of numbers and text (name, type, shape, value) and
/// a dataset's type, shape and values in little-endian order. The dataset `/checksum` and the references that hold
/// dimension scales together are left out.
///
/// Cost    reads the file once, in pieces of 8 MiB
/// @throws StoreError  the file cannot be read or holds a type other than numbers and text
[[nodiscard]] std::uint64_t content_checksum(const FileReader& file);
[[nodiscard]] std::uint64_t content_checksum(const FileWriter& file);

/// Write `/checksum`, the text `xxh64:` with 16 hexadecimal digits, of all that was written so far. The last write
/// before `close()`.
void write_checksum(FileWriter& file);

/// @throws StoreError  `/checksum` is missing or is not that of the content
void verify_checksum(const FileReader& file);

} // namespace rondo::store
