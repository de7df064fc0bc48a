#include <rondo/base/random.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace rondo {
namespace {

std::array<std::uint32_t, 4> words(const RandomKey& key, std::uint64_t major, std::uint32_t minor) {
    return philox({static_cast<std::uint32_t>(major), static_cast<std::uint32_t>(major >> 32U), minor,
                   static_cast<std::uint32_t>(key.purpose)},
                  {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32U)});
}

/// Open interval (0, 1): the middle of one of 2^52 equal cells.
double to_unit(std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = ((static_cast<std::uint64_t>(high) << 32U) | low) >> 12U;
    return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

} // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
    constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product_0 = multiplier_0 * counter[0];
        const std::uint64_t product_1 = multiplier_1 * counter[2];
        counter = {static_cast<std::uint32_t>(product_1 >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product_1),
                   static_cast<std::uint32_t>(product_0 >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product_0)};
        key[0] += weyl_0;
        key[1] += weyl_1;
    }
    return counter;
}

double random_uniform(const RandomKey& key, std::uint64_t major, std::uint32_t minor) {
    const auto w = words(key, major, minor);
    return to_unit(w[0], w[1]);
}

double random_normal(const RandomKey& key, std::uint64_t major, std::uint32_t minor) {
    const auto w = words(key, major, minor);
    return std::sqrt(-2.0 * std::log(to_unit(w[0], w[1]))) * std::cos(2.0 * std::numbers::pi * to_unit(w[2], w[3]));
}

void random_shuffle(const RandomKey& key, std::uint64_t round, std::span<std::int64_t> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
        const double u = random_uniform(key, round, static_cast<std::uint32_t>(i));
        const auto j = static_cast<std::size_t>(u * static_cast<double>(i));
        std::swap(items[i - 1], items[j]);
    }
}

} // namespace rondo
