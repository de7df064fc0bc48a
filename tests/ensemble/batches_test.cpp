#include <rondo/base/error.hpp>
#include <rondo/ensemble/batches.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

namespace rondo::ensemble {
namespace {

std::vector<std::int64_t> iota(std::int64_t n) {
    std::vector<std::int64_t> v(static_cast<std::size_t>(n));
    std::iota(v.begin(), v.end(), std::int64_t{0});
    return v;
}

/// Costs of a heavy-tailed ensemble, from a small linear congruential generator.
std::vector<std::int64_t> uneven_costs(std::size_t n, std::uint64_t seed) {
    std::vector<std::int64_t> costs(n);
    for (std::int64_t& cost : costs) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto u = static_cast<std::int64_t>((seed >> 40U) % 1000);
        cost = 1 + u * u * u / 1000;
    }
    return costs;
}

void expect_covers_once(const std::vector<std::vector<std::size_t>>& shards, std::size_t n) {
    std::vector<int> seen(n, 0);
    for (const auto& shard : shards) {
        EXPECT_TRUE(std::ranges::is_sorted(shard));
        for (const std::size_t position : shard) {
            ASSERT_LT(position, n);
            ++seen[position];
        }
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
}

TEST(Split, parts_are_disjoint_increasing_and_cover_for_any_seed) {
    for (const std::int64_t n : {1, 2, 3, 10, 101}) {
        for (const double fraction : {0.0, 0.1, 0.5, 0.99, 1.0}) {
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                SCOPED_TRACE(testing::Message() << "n " << n << ", fraction " << fraction << ", seed " << seed);
                const Split parts = split(n, fraction, seed);
                EXPECT_TRUE(std::ranges::is_sorted(parts.training));
                EXPECT_TRUE(std::ranges::is_sorted(parts.validation));
                std::vector<std::int64_t> all = parts.training;
                all.insert(all.end(), parts.validation.begin(), parts.validation.end());
                std::ranges::sort(all);
                EXPECT_EQ(all, iota(n));
                EXPECT_GE(parts.training.size(), 1U);
            }
        }
    }
}

TEST(Split, holds_out_the_rounded_fraction) {
    EXPECT_EQ(split(10, 0.26, 1).validation.size(), 3U);
    EXPECT_EQ(split(10, 0.24, 1).validation.size(), 2U);
    EXPECT_EQ(split(10, 0.0, 1).validation.size(), 0U);
    EXPECT_EQ(split(10, 1.0, 1).validation.size(), 9U);
}

TEST(Split, is_chosen_by_the_seed) {
    EXPECT_EQ(split(50, 0.5, 3).validation, split(50, 0.5, 3).validation);
    EXPECT_NE(split(50, 0.5, 3).validation, split(50, 0.5, 4).validation);
}

TEST(Split, holds_out_each_trajectory_about_equally_often) {
    std::vector<int> held_out(10, 0);
    constexpr int n_seeds = 2000;
    for (int seed = 0; seed < n_seeds; ++seed) {
        for (const std::int64_t i : split(10, 0.3, static_cast<std::uint64_t>(seed)).validation) {
            ++held_out[static_cast<std::size_t>(i)];
        }
    }
    for (const int times : held_out) {
        EXPECT_NEAR(times, 0.3 * n_seeds, 5 * 0.46 * 45); // five standard deviations of a binomial
    }
}

TEST(EpochOrder, keeps_the_order_without_shuffle) {
    const std::vector<std::int64_t> training{2, 5, 7};
    EXPECT_EQ(epoch_order(training, false, 1, 3), training);
}

TEST(EpochOrder, is_a_permutation_that_depends_on_seed_and_epoch_alone) {
    const std::vector<std::int64_t> training = iota(40);
    const auto order = epoch_order(training, true, 1, 3);
    EXPECT_EQ(order, epoch_order(training, true, 1, 3));
    EXPECT_NE(order, epoch_order(training, true, 2, 3));
    EXPECT_NE(order, epoch_order(training, true, 1, 4));
    for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
        auto sorted = epoch_order(training, true, 1, epoch);
        std::ranges::sort(sorted);
        EXPECT_EQ(sorted, training);
    }
}

TEST(Batches, take_everything_and_the_last_takes_the_rest) {
    for (const std::int64_t n : {0, 1, 5, 6, 7}) {
        const std::vector<std::int64_t> order = iota(n);
        std::vector<std::int64_t> joined;
        for (std::int64_t b = 0; b < n_batches(n, 3); ++b) {
            const auto batch = batch_of(order, 3, b);
            EXPECT_GE(batch.size(), 1U);
            EXPECT_LE(batch.size(), 3U);
            joined.insert(joined.end(), batch.begin(), batch.end());
        }
        EXPECT_EQ(joined, order);
    }
    EXPECT_EQ(n_batches(7, 3), 3);
    EXPECT_EQ(n_batches(6, 3), 2);
    EXPECT_EQ(n_batches(0, 3), 0);
}

TEST(Batches, one_batch_may_be_larger_than_the_order) { EXPECT_EQ(batch_of(iota(4), 100, 0).size(), 4U); }

TEST(Balance, names_read_back) {
    for (std::size_t i = 0; i < balance_names().size(); ++i) {
        EXPECT_EQ(balance_from(balance_names()[i]), static_cast<Balance>(i));
    }
    EXPECT_EQ(balance_from("cost"), Balance::cost);
    EXPECT_EQ(balance_from("block"), Balance::block);
    EXPECT_EQ(balance_from("costs"), std::nullopt);
}

TEST(Assign, covers_every_position_once_for_any_number_of_ranks) {
    for (const Balance balance : {Balance::cost, Balance::cyclic, Balance::block}) {
        for (const std::int64_t n : {0, 1, 2, 7, 100}) {
            for (const int n_ranks : {1, 2, 3, 8, 150}) {
                const auto batch = iota(n);
                const auto costs = uneven_costs(static_cast<std::size_t>(n), 5);
                const auto shards = assign(batch, costs, n_ranks, balance);
                EXPECT_EQ(shards.size(), static_cast<std::size_t>(n_ranks));
                expect_covers_once(shards, static_cast<std::size_t>(n));
            }
        }
    }
}

TEST(Assign, blocks_are_consecutive_and_differ_by_at_most_one) {
    using Shards = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(assign(iota(7), {}, 3, Balance::block), (Shards{{0, 1, 2}, {3, 4}, {5, 6}}));
}

TEST(Assign, cyclic_deals_positions_in_turn) {
    using Shards = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(assign(iota(7), {}, 3, Balance::cyclic), (Shards{{0, 3, 6}, {1, 4}, {2, 5}}));
}

TEST(Assign, cost_is_cyclic_before_anything_was_solved) {
    const std::vector<std::int64_t> costs(7, 0);
    EXPECT_EQ(assign(iota(7), costs, 3, Balance::cost), assign(iota(7), costs, 3, Balance::cyclic));
}

TEST(Assign, cost_gives_the_longest_first_to_the_least_loaded_rank) {
    // By falling cost: 7 -> rank 0, 5 -> 1, 4 -> 1 (9), 3 -> 0 (10), 1 -> 1 (10).
    const std::vector<std::int64_t> costs{3, 7, 1, 5, 4};
    using Shards = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(assign(iota(5), costs, 2, Balance::cost), (Shards{{0, 1}, {2, 3, 4}}));
}

TEST(Assign, costs_are_looked_up_by_trajectory_not_by_position) {
    const std::vector<std::int64_t> costs{1, 1, 1, 100};
    const std::vector<std::int64_t> batch{0, 3, 1};
    using Shards = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(assign(batch, costs, 2, Balance::cost), (Shards{{1}, {0, 2}}));
}

TEST(Assign, unsolved_trajectories_among_solved_ones_are_spread) {
    std::vector<std::int64_t> costs(100, 0);
    costs[0] = 50;
    const auto shards = assign(iota(100), costs, 4, Balance::cost);
    for (const auto& shard : shards) {
        EXPECT_EQ(shard.size(), 25U);
    }
}

TEST(Assign, the_slowest_rank_stays_within_grahams_bound) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const int n_ranks : {2, 3, 16}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", ranks " << n_ranks);
            const auto costs = uneven_costs(500, seed);
            const auto shards = assign(iota(500), costs, n_ranks, Balance::cost);
            double slowest = 0;
            for (const auto& shard : shards) {
                double load = 0;
                for (const std::size_t position : shard) {
                    load += static_cast<double>(costs[position]);
                }
                slowest = std::max(slowest, load);
            }
            const double total = static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::int64_t{0}));
            const double longest = static_cast<double>(std::ranges::max(costs));
            const double best = std::max(total / n_ranks, longest); // no assignment can beat this
            EXPECT_LE(slowest, total / n_ranks + (1 - 1.0 / n_ranks) * longest);
            EXPECT_LE(slowest, 1.05 * best); // 500 trajectories even out well
        }
    }
}

TEST(Assign, a_million_positions_on_a_thousand_ranks) {
    const auto shards = assign(iota(1'000'000), uneven_costs(1'000'000, 2), 1000, Balance::cost);
    expect_covers_once(shards, 1'000'000);
}

} // namespace
} // namespace rondo::ensemble
