#include "fixed_point.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

// One loop, compiled for several instruction sets; the machine that runs chooses. All operations are exact or correctly
// rounded, so the choice does not change a bit.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_ADDRESS__)
#define RONDO_FOR_EACH_CPU __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define RONDO_FOR_EACH_CPU
#endif
#if defined(__GNUC__)
#define RONDO_INLINE __attribute__((always_inline)) inline
#else
#define RONDO_INLINE inline
#endif

namespace rondo::comm {
namespace {

/// Entries whose accumulators stay in the first-level cache.
constexpr std::size_t tile = 256;
/// Rows whose limbs add without overflow in 64 bits, with room for a factor of 2.
constexpr std::size_t rows_a_fold = 2048;
constexpr int high_bits = 44, low_bits = 52;
constexpr double low_unit = 0x1p52;

/// Adding this to |y| <= 2^51 rounds y to an integer and leaves it in the low bits of the sum.
constexpr double rounder = 0x1.8p52;
constexpr auto rounder_bits = std::bit_cast<std::uint64_t>(rounder);

/// Where the limbs of the sum of q over at most rows_a_fold rows grow, each limb plus that many times rounder_bits,
/// modulo 2^64.
struct Limbs {
    std::array<std::uint64_t, tile> high{}, low{};
};

/// Bits of |x|; as integers they are ordered like the magnitudes, infinity and then NaN on top.
RONDO_INLINE std::int64_t magnitude(double x) {
    return std::bit_cast<std::int64_t>(x) & std::numeric_limits<std::int64_t>::max();
}

/// largest[j] = max(largest[j], magnitude of row[j]) over n_rows rows, four at a time to spare loads and stores.
RONDO_FOR_EACH_CPU void take_largest(const double* __restrict rows, std::size_t stride, std::size_t n_rows,
                                     std::int64_t* __restrict largest, std::size_t n) {
    for (; n_rows >= 4; n_rows -= 4, rows += 4 * stride) {
        const double* a = rows;
        const double* b = a + stride;
        const double* c = b + stride;
        const double* d = c + stride;
        for (std::size_t j = 0; j < n; ++j) {
            const std::int64_t ab = std::max(magnitude(a[j]), magnitude(b[j]));
            const std::int64_t cd = std::max(magnitude(c[j]), magnitude(d[j]));
            largest[j] = std::max(largest[j], std::max(ab, cd));
        }
    }
    for (; n_rows > 0; --n_rows, rows += stride) {
        for (std::size_t j = 0; j < n; ++j) {
            largest[j] = std::max(largest[j], magnitude(rows[j]));
        }
    }
}

/// q(x) = high 2^52 + low with high = nearest integer to y = x 2^(44 - e) and low = nearest integer to (y - high) 2^52.
/// y - high is exact; |high| <= 2^44, |low| <= 2^51.
RONDO_INLINE void add(double x, double scale, std::uint64_t& high, std::uint64_t& low) {
    const double y = x * scale;
    const double rounded = y + rounder;
    const double rest = (y - (rounded - rounder)) * low_unit;
    high += std::bit_cast<std::uint64_t>(rounded);
    low += std::bit_cast<std::uint64_t>(rest + rounder);
}

/// Add q of n_rows rows to the limbs, four rows at a time to spare loads and stores.
RONDO_FOR_EACH_CPU void add_rows(const double* __restrict rows, std::size_t stride, std::size_t n_rows,
                                 const double* __restrict scale, std::uint64_t* __restrict high,
                                 std::uint64_t* __restrict low, std::size_t n) {
    for (; n_rows >= 4; n_rows -= 4, rows += 4 * stride) {
        const double* a = rows;
        const double* b = a + stride;
        const double* c = b + stride;
        const double* d = c + stride;
        for (std::size_t j = 0; j < n; ++j) {
            std::uint64_t h = high[j], l = low[j];
            add(a[j], scale[j], h, l);
            add(b[j], scale[j], h, l);
            add(c[j], scale[j], h, l);
            add(d[j], scale[j], h, l);
            high[j] = h;
            low[j] = l;
        }
    }
    for (; n_rows > 0; --n_rows, rows += stride) {
        for (std::size_t j = 0; j < n; ++j) {
            add(rows[j], scale[j], high[j], low[j]);
        }
    }
}

Int128 join(std::uint64_t high, std::uint64_t low, std::size_t n_rows) {
    const std::uint64_t excess = static_cast<std::uint64_t>(n_rows) * rounder_bits;
    const auto signed_high = static_cast<std::int64_t>(high - excess),
               signed_low = static_cast<std::int64_t>(low - excess);
    return static_cast<Int128>(signed_high) * (Int128{1} << low_bits) + signed_low;
}

/// The e of a magnitude's bits. Subnormal numbers are below 2^-1022, and nothing asks how far.
std::int16_t exponent_of(std::int64_t magnitude_bits) {
    constexpr std::int64_t bias = 1022, infinite = 0x7ff;
    if (magnitude_bits == 0) {
        return all_zero;
    }
    const std::int64_t biased = magnitude_bits >> 52U;
    return biased == infinite ? not_finite : static_cast<std::int16_t>(biased - bias);
}

/// 2^k for -1022 <= k <= 1023.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::int64_t>(k + 1023) << 52U); }

} // namespace

std::vector<std::int16_t> largest_exponents(std::span<const double> rows, std::size_t n_entries) {
    std::vector<std::int16_t> exponents(n_entries, all_zero);
    if (rows.empty()) {
        return exponents;
    }
    for (std::size_t begin = 0; begin < n_entries; begin += tile) {
        const std::size_t n = std::min(tile, n_entries - begin);
        std::array<std::int64_t, tile> largest{};
        take_largest(rows.data() + begin, n_entries, rows.size() / n_entries, largest.data(), n);
        std::transform(largest.begin(), largest.begin() + n, exponents.begin() + static_cast<std::ptrdiff_t>(begin),
                       exponent_of);
    }
    return exponents;
}

std::vector<Int128> fixed_point_sums(std::span<const double> rows, std::size_t n_entries,
                                     std::span<const std::int16_t> exponents) {
    std::vector<Int128> totals(n_entries, 0);
    const std::size_t n_rows = n_entries == 0 ? 0 : rows.size() / n_entries;
    for (std::size_t begin = 0; begin < n_entries; begin += tile) {
        const std::size_t n = std::min(tile, n_entries - begin);
        std::array<double, tile> scale{};
        for (std::size_t j = 0; j < n; ++j) {
            const std::int16_t e = exponents[begin + j];
            scale[j] = e == not_finite ? 0.0 : power_of_two(high_bits - std::max(e, least_exponent));
        }
        for (std::size_t row = 0; row < n_rows; row += rows_a_fold) {
            const std::size_t n_now = std::min(rows_a_fold, n_rows - row);
            Limbs limbs;
            add_rows(rows.data() + row * n_entries + begin, n_entries, n_now, scale.data(), limbs.high.data(),
                     limbs.low.data(), n);
            for (std::size_t j = 0; j < n; ++j) {
                totals[begin + j] += exponents[begin + j] == not_finite ? 0 : join(limbs.high[j], limbs.low[j], n_now);
            }
        }
    }
    return totals;
}

double from_fixed_point(Int128 total, std::int16_t exponent) {
    if (exponent == not_finite) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    // Only the conversion rounds: the unit is at least 2^-1074, so a subnormal result has too few bits to need it.
    return std::ldexp(static_cast<double>(total), std::max(exponent, least_exponent) - high_bits - low_bits);
}

void check_n_contributions(Int128 n) {
    constexpr std::int64_t most = std::int64_t{1} << 31U;
    if (n > most) {
        throw InputError{fmt::format("exact_sum: one update adds {} contributions (more than 2^31 = {} may overflow "
                                     "its 128-bit sums); use a smaller batch_size, or sum = \"plain\"",
                                     static_cast<std::int64_t>(n), most)};
    }
}

} // namespace rondo::comm
