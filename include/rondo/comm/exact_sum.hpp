#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/comm/reduce.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace rondo::comm {

/// Sum of all rows of all ranks, entry by entry: the same bits for every distribution of the rows over ranks and every
/// order.
///
/// Floating-point addition depends on its order; integer addition does not. For each entry, let e be the smallest
/// integer with |x| < 2^e for all contributions x of all ranks (one all-reduce of maxima), but at least -978. Every
/// contribution becomes the integer
///         q(x) = nearest integer to x 2^(96 - e),   |q| <= 2^96,
/// a function of x and e alone. Up to 2^31 of them add without overflow in 128 bits, in any order (one all-reduce of
/// integers), and the total times 2^(e - 96) is rounded once to the nearest double.
///
/// Error   A contribution of at least 2^-44 times the largest is converted exactly; any other with an error of at most
///         half a unit. So N contributions of largest magnitude M give, before the one rounding to double, an error of
///         at most N 2^-96 M; cancellation costs nothing beyond that. Where e = -978 (all below 2^-978, subnormal
///         numbers included) the unit is 2^-1074 and nothing is lost.
/// Special A NaN or infinity in any contribution makes the entry NaN on all ranks. A total beyond the largest double
///         becomes an infinity of its sign. A zero sum is +0.
/// Shapes  rows [n_local x n_entries], row by row; n_local may be 0 and differ between ranks, n_entries is the same on
///         all.
/// Ranks   **collective**; every rank returns the same bits.
/// Cost    two passes over the rows (80 ns for a row of 252 entries in cache, AVX-512); to reduce, 2 and then 16 bytes
///         an entry.
///
/// @return [n_entries] the sums
/// @throws ContractError  rows is no whole number of rows
/// @throws InputError     on all ranks, if there are more than 2^31 rows in total
/// @throws CommError      MPI failed
/// Tests   tests/comm/exact_sum_test.cpp: permutations and distributions, an exact reference, range, cancellation, NaN.
[[nodiscard]] std::vector<double> exact_sum(const Comm& comm, std::span<const double> rows, std::size_t n_entries,
                                            const ReduceOptions& options = {});

/// The same sum in ordinary doubles: each rank adds its rows in order, then the ranks' sums are all-reduced. The last
/// bits depend on the order and on the rank count. Shapes, ranks and errors as for exact_sum.
[[nodiscard]] std::vector<double> plain_sum(const Comm& comm, std::span<const double> rows, std::size_t n_entries,
                                            const ReduceOptions& options = {});

} // namespace rondo::comm
