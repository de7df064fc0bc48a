#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::ensemble {

/// Which trajectories train and which are held out. Both increasing.
struct Split {
    std::vector<std::int64_t> training;
    std::vector<std::int64_t> validation;
};

/// Hold out round(fraction * n) trajectories, chosen by seed alone; at least one trains.
[[nodiscard]] Split split(std::int64_t n, double validation_fraction, std::uint64_t seed);

/// The order of an epoch: `training` as it is, or shuffled by (seed, epoch) alone.
[[nodiscard]] std::vector<std::int64_t> epoch_order(std::span<const std::int64_t> training, bool shuffle,
                                                    std::uint64_t seed, std::int64_t epoch);

/// Number of batches in an epoch: ceil(n / batch_size). The last batch takes what is left: none is discarded.
[[nodiscard]] std::int64_t n_batches(std::int64_t n, std::int64_t batch_size);

/// Batch number `b` of an order.
[[nodiscard]] std::span<const std::int64_t> batch_of(std::span<const std::int64_t> order, std::int64_t batch_size,
                                                     std::int64_t b);

/// How a batch is divided among ranks.
enum class Balance : std::uint8_t { cost, cyclic, block };
[[nodiscard]] const std::vector<std::string>& balance_names();
[[nodiscard]] std::optional<Balance> balance_from(std::string_view name);

/// The positions in `batch` that each of `n_ranks` solves; increasing within a rank.
///
/// `block`: consecutive positions, sizes differ by at most one. `cyclic`: position mod n_ranks. `cost`: longest first
/// (Graham 1969): positions by falling cost, each to the rank with the least so far (ties: lower rank); cyclic where
/// every cost is 0. A trajectory never solved beside others that were counts as the mean of these. Deterministic.
///
/// Cost    N log N.
/// @param costs  [N] right-hand sides counted at each trajectory's last solve, 0 if never solved; indexed by trajectory
///               (used by `cost` only)
/// Source  Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied Mathematics 17, 1969.
/// Tests   tests/ensemble/batches_test.cpp
[[nodiscard]] std::vector<std::vector<std::size_t>>
assign(std::span<const std::int64_t> batch, std::span<const std::int64_t> costs, int n_ranks, Balance balance);

} // namespace rondo::ensemble
