#include <rondo/store/checksum.hpp>

#include <algorithm>
#include <bit>

namespace rondo::store {
namespace {

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t prime_2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t prime_3 = 0x165667B19E3779F9U;
constexpr std::uint64_t prime_4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t prime_5 = 0x27D4EB2F165667C5U;

/// An n-byte little-endian number, on a machine of any byte order.
template <std::size_t n>
std::uint64_t little_endian(const std::byte* bytes) noexcept {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < n; ++i) {
        number |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return number;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) noexcept {
    return std::rotl(lane + word * prime_2, 31) * prime_1;
}

std::uint64_t merge(std::uint64_t sum, std::uint64_t lane) noexcept {
    return (sum ^ round(0, lane)) * prime_1 + prime_4;
}

} // namespace

Hash64::Hash64(std::uint64_t seed) noexcept
    : lanes_{seed + prime_1 + prime_2, seed + prime_2, seed, seed - prime_1}, seed_{seed} {}

void Hash64::consume(const std::byte* stripe) noexcept {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        lanes_[i] = round(lanes_[i], little_endian<8>(stripe + 8 * i));
    }
}

void Hash64::add(std::span<const std::byte> bytes) noexcept {
    const std::size_t n_waiting = n_bytes_ % waiting_.size();
    n_bytes_ += bytes.size();
    if (n_waiting > 0) {
        const std::size_t n_taken = std::min(bytes.size(), waiting_.size() - n_waiting);
        std::ranges::copy(bytes.first(n_taken), waiting_.begin() + static_cast<std::ptrdiff_t>(n_waiting));
        bytes = bytes.subspan(n_taken);
        if (n_waiting + n_taken < waiting_.size()) {
            return;
        }
        consume(waiting_.data());
    }
    for (; bytes.size() >= waiting_.size(); bytes = bytes.subspan(waiting_.size())) {
        consume(bytes.data());
    }
    std::ranges::copy(bytes, waiting_.begin());
}

void Hash64::add(std::string_view text) noexcept { add(std::as_bytes(std::span{text.data(), text.size()})); }

std::uint64_t Hash64::value() const noexcept {
    std::uint64_t sum = seed_ + prime_5;
    if (n_bytes_ >= waiting_.size()) {
        sum = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
        for (const std::uint64_t lane : lanes_) {
            sum = merge(sum, lane);
        }
    }
    sum += n_bytes_;
    const std::byte* rest = waiting_.data();
    std::size_t n_rest = n_bytes_ % waiting_.size();
    for (; n_rest >= 8; n_rest -= 8, rest += 8) {
        sum = std::rotl(sum ^ round(0, little_endian<8>(rest)), 27) * prime_1 + prime_4;
    }
    if (n_rest >= 4) {
        sum = std::rotl(sum ^ (little_endian<4>(rest) * prime_1), 23) * prime_2 + prime_3;
        n_rest -= 4;
        rest += 4;
    }
    for (; n_rest > 0; --n_rest, ++rest) {
        sum = std::rotl(sum ^ (little_endian<1>(rest) * prime_5), 11) * prime_1;
    }
    sum = (sum ^ (sum >> 33U)) * prime_2;
    sum = (sum ^ (sum >> 29U)) * prime_3;
    return sum ^ (sum >> 32U);
}

std::uint64_t hash64(std::string_view text) noexcept {
    Hash64 hash;
    hash.add(text);
    return hash.value();
}

} // namespace rondo::store
