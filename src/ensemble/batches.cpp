#include <rondo/base/contract.hpp>
#include <rondo/base/random.hpp>
#include <rondo/ensemble/batches.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

namespace rondo::ensemble {
namespace {

/// Rank of each of `n` positions, in consecutive runs whose lengths differ by at most one.
std::vector<std::size_t> block_owners(std::size_t n, std::size_t n_ranks) {
    std::vector<std::size_t> owner(n);
    const std::size_t least = n / n_ranks, longer = n % n_ranks;
    std::size_t position = 0;
    for (std::size_t rank = 0; rank < n_ranks; ++rank) {
        const std::size_t length = least + (rank < longer ? 1U : 0U);
        std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(position), length, rank);
        position += length;
    }
    return owner;
}

std::vector<std::size_t> cyclic_owners(std::size_t n, std::size_t n_ranks) {
    std::vector<std::size_t> owner(n);
    for (std::size_t position = 0; position < n; ++position) {
        owner[position] = position % n_ranks;
    }
    return owner;
}

/// Costs by position. Those never solved count as the mean of the others, else all of them would go to one rank.
/// Empty where nothing was ever solved.
std::vector<std::int64_t> known_costs(std::span<const std::int64_t> batch, std::span<const std::int64_t> costs) {
    std::vector<std::int64_t> cost(batch.size());
    std::int64_t sum = 0, n_solved = 0;
    for (std::size_t position = 0; position < batch.size(); ++position) {
        expects(std::cmp_less(batch[position], costs.size()) && batch[position] >= 0, "a cost for each trajectory");
        cost[position] = costs[static_cast<std::size_t>(batch[position])];
        expects(cost[position] >= 0, "costs are not negative");
        sum += cost[position];
        n_solved += cost[position] > 0 ? 1 : 0;
    }
    if (n_solved == 0) {
        return {};
    }
    std::ranges::replace(cost, std::int64_t{0}, std::max<std::int64_t>(1, sum / n_solved));
    return cost;
}

std::vector<std::size_t> longest_first_owners(std::span<const std::int64_t> cost, std::size_t n_ranks) {
    std::vector<std::size_t> by_cost(cost.size());
    std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
    std::ranges::stable_sort(by_cost, [&](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });

    using Load = std::pair<std::int64_t, std::size_t>; // cost so far, rank: the least is on top
    std::vector<Load> idle(n_ranks);
    for (std::size_t rank = 0; rank < n_ranks; ++rank) {
        idle[rank] = {0, rank};
    }
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads{std::greater<>{}, std::move(idle)};
    std::vector<std::size_t> owner(cost.size());
    for (const std::size_t position : by_cost) {
        const auto [load, rank] = loads.top();
        loads.pop();
        owner[position] = rank;
        loads.emplace(load + cost[position], rank);
    }
    return owner;
}

std::vector<std::size_t> owners(std::span<const std::int64_t> batch, std::span<const std::int64_t> costs,
                                std::size_t n_ranks, Balance balance) {
    if (balance == Balance::block) {
        return block_owners(batch.size(), n_ranks);
    }
    if (balance == Balance::cost) {
        const std::vector<std::int64_t> cost = known_costs(batch, costs);
        if (!cost.empty()) {
            return longest_first_owners(cost, n_ranks);
        }
    }
    return cyclic_owners(batch.size(), n_ranks);
}

} // namespace

Split split(std::int64_t n, double validation_fraction, std::uint64_t seed) {
    expects(n >= 0 && validation_fraction >= 0 && validation_fraction <= 1, "a count and a fraction");
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto wanted = static_cast<std::int64_t>(std::llround(validation_fraction * static_cast<double>(n)));
    const std::int64_t n_held_out = std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(0, n - 1));
    if (n_held_out == 0) {
        return {std::move(order), {}};
    }
    random_shuffle({seed, RandomPurpose::validation}, 0, order);
    Split result;
    result.validation.assign(order.begin(), order.begin() + n_held_out);
    result.training.assign(order.begin() + n_held_out, order.end());
    std::ranges::sort(result.validation);
    std::ranges::sort(result.training);
    return result;
}

std::vector<std::int64_t> epoch_order(std::span<const std::int64_t> training, bool shuffle, std::uint64_t seed,
                                      std::int64_t epoch) {
    expects(epoch >= 0, "an epoch number");
    std::vector<std::int64_t> order(training.begin(), training.end());
    if (shuffle) {
        random_shuffle({seed, RandomPurpose::shuffle}, static_cast<std::uint64_t>(epoch), order);
    }
    return order;
}

std::int64_t n_batches(std::int64_t n, std::int64_t batch_size) {
    expects(n >= 0 && batch_size > 0, "a count and a batch size");
    return n / batch_size + (n % batch_size != 0 ? 1 : 0);
}

std::span<const std::int64_t> batch_of(std::span<const std::int64_t> order, std::int64_t batch_size, std::int64_t b) {
    const auto n = static_cast<std::int64_t>(order.size());
    expects(b >= 0 && b < n_batches(n, batch_size), "a batch of this order");
    const std::int64_t first = b * batch_size;
    return order.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(batch_size, n - first)));
}

const std::vector<std::string>& balance_names() {
    static const std::vector<std::string> names{"cost", "cyclic", "block"};
    return names;
}

std::optional<Balance> balance_from(std::string_view name) {
    const auto found = std::ranges::find(balance_names(), name);
    if (found == balance_names().end()) {
        return std::nullopt;
    }
    return static_cast<Balance>(found - balance_names().begin());
}

std::vector<std::vector<std::size_t>> assign(std::span<const std::int64_t> batch, std::span<const std::int64_t> costs,
                                             int n_ranks, Balance balance) {
    expects(n_ranks > 0, "at least one rank");
    const auto ranks = static_cast<std::size_t>(n_ranks);
    const std::vector<std::size_t> owner = owners(batch, costs, ranks, balance);
    std::vector<std::size_t> counts(ranks, 0);
    for (const std::size_t rank : owner) {
        ++counts[rank];
    }
    std::vector<std::vector<std::size_t>> shards(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        shards[rank].reserve(counts[rank]);
    }
    for (std::size_t position = 0; position < owner.size(); ++position) {
        shards[owner[position]].push_back(position);
    }
    return shards;
}

} // namespace rondo::ensemble
