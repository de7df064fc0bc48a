#pragma once

#include <rondo/comm/int128.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rondo::comm {

// The local arithmetic of exact_sum; its docstring says what e and q are. Rows are [n_rows x n_entries], row by row.

/// Stand-in for the exponent of an entry that holds a NaN or an infinity somewhere.
inline constexpr std::int16_t not_finite = std::numeric_limits<std::int16_t>::max();
/// Stand-in for the exponent of an entry that is zero in all rows, or has none.
inline constexpr std::int16_t all_zero = std::numeric_limits<std::int16_t>::min();
/// At this exponent the unit of the fixed point is the smallest double, 2^-1074.
inline constexpr std::int16_t least_exponent = -978;

/// Per entry the smallest e with |x| < 2^e for all rows (no less than -1022), or one of the two stand-ins.
[[nodiscard]] std::vector<std::int16_t> largest_exponents(std::span<const double> rows, std::size_t n_entries);

/// Per entry the sum of q(x) over the rows, given the exponents of all ranks; 0 where not finite.
[[nodiscard]] std::vector<Int128> fixed_point_sums(std::span<const double> rows, std::size_t n_entries,
                                                   std::span<const std::int16_t> exponents);

/// The double nearest to total 2^(e - 96); NaN where not finite.
[[nodiscard]] double from_fixed_point(Int128 total, std::int16_t exponent);

/// @throws InputError  more than 2^31 contributions: their sum may not fit
void check_n_contributions(Int128 n);

} // namespace rondo::comm
