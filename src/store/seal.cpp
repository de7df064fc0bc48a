#include "seal.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/checksum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::store {
namespace {

constexpr std::string_view mark = "RONDOSUM";
constexpr std::size_t seal_size = 24;
constexpr std::size_t piece_size = std::size_t{1} << 20U;

using Seal = std::array<char, seal_size>;

void put(Seal& seal, std::size_t offset, std::uint64_t number) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
        seal.at(offset + i) = static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
    }
}

Seal make_seal(std::uint64_t length, std::uint64_t hash) {
    Seal seal{};
    std::ranges::copy(mark, seal.begin());
    put(seal, mark.size(), length);
    put(seal, mark.size() + sizeof length, hash);
    return seal;
}

/// Hash of `length` bytes that `read(offset, piece)` gives piece by piece.
template <class Read>
std::uint64_t hash_of(std::uint64_t length, Read read) {
    Hash64 hash;
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(length, piece_size)));
    for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
        const std::span<std::byte> piece{
            buffer.data(), static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - offset))};
        read(offset, piece);
        hash.add(piece);
    }
    return hash.value();
}

} // namespace

void seal(PartFile& file) {
    const std::uint64_t length = file.size();
    const std::uint64_t hash =
        hash_of(length, [&file](std::uint64_t offset, std::span<std::byte> piece) { file.read_at(offset, piece); });
    const Seal bytes = make_seal(length, hash);
    file.write_at(length, std::as_bytes(std::span{bytes}));
}

SealState check_seal(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    const auto fail = [&path](int error) {
        throw StoreError{fmt::format("{}: cannot be read ({}); check its permissions and the disk", path.string(),
                                     system_text(error))};
    };
    errno = 0;
    stream.seekg(0, std::ios::end);
    const std::streamoff end = stream.tellg();
    if (!stream || end < 0) {
        fail(errno);
    }
    if (end < static_cast<std::streamoff>(seal_size)) {
        return SealState::absent;
    }
    const auto length = static_cast<std::uint64_t>(end) - seal_size;
    Seal found{};
    stream.seekg(static_cast<std::streamoff>(length));
    if (!stream.read(found.data(), found.size())) {
        fail(errno);
    }
    if (!std::string_view{found.data(), found.size()}.starts_with(mark)) {
        return SealState::absent;
    }
    stream.seekg(0);
    const std::uint64_t hash = hash_of(length, [&](std::uint64_t, std::span<std::byte> piece) {
        if (!stream.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size()))) {
            fail(errno);
        }
    });
    return found == make_seal(length, hash) ? SealState::good : SealState::broken;
}

} // namespace rondo::store
