#include <rondo/base/error.hpp>
#include <rondo/base/random.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/exact_sum.hpp>

#include "comm/fixed_point.hpp"
#include "exact_reference.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace rondo::comm {
namespace {

using Rows = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint64_t> bits(std::span<const double> values) {
    std::vector<std::uint64_t> all;
    for (const double value : values) {
        all.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return all;
}

/// n rows of normal numbers times 2^k, k uniform in +-spread; the same on all ranks.
Rows random_rows(std::uint64_t seed, std::size_t n_rows, std::size_t n_entries, double spread) {
    const RandomKey key{seed, RandomPurpose::noise};
    Rows rows(n_rows * n_entries);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int k = static_cast<int>(spread * (2 * random_uniform(key, i, 1) - 1));
        rows[i] = std::ldexp(random_normal(key, i, 0), k);
    }
    return rows;
}

/// This rank's rows when the rows, shuffled in round `round`, are dealt at random; some ranks may get none.
Rows deal(const Comm& comm, const Rows& rows, std::size_t n_entries, std::uint64_t round) {
    const RandomKey key{5, RandomPurpose::shuffle};
    std::vector<std::int64_t> order(rows.size() / n_entries);
    std::iota(order.begin(), order.end(), 0);
    random_shuffle(key, round, order);
    Rows mine;
    for (const std::int64_t row : order) {
        const auto owner =
            static_cast<int>(random_uniform(key, round, 1000000U + static_cast<std::uint32_t>(row)) * comm.size());
        if (owner == comm.rank()) {
            const auto begin = rows.begin() + row * static_cast<std::int64_t>(n_entries);
            mine.insert(mine.end(), begin, begin + static_cast<std::int64_t>(n_entries));
        }
    }
    return mine;
}

Rows column(const Rows& rows, std::size_t n_entries, std::size_t j) {
    Rows values;
    for (std::size_t i = j; i < rows.size(); i += n_entries) {
        values.push_back(rows[i]);
    }
    return values;
}

/// The sum of one entry whose contributions lie on the ranks in turn.
double sum_of(const Comm& comm, const Rows& contributions) {
    Rows mine;
    for (std::size_t i = 0; i < contributions.size(); ++i) {
        if (static_cast<int>(i) % comm.size() == comm.rank()) {
            mine.push_back(contributions[i]);
        }
    }
    return exact_sum(comm, mine, 1).at(0);
}

class ExactSum : public testing::Test {
protected:
    const Comm comm = Comm::world();
};

TEST_F(ExactSum, has_the_same_bits_for_every_order_distribution_and_algorithm) {
    for (const std::size_t n_entries : {1U, 3U, 300U}) {
        const Rows rows = random_rows(n_entries, 101, n_entries, 200);
        const auto alone = bits(exact_sum(Comm::self(), rows, n_entries));
        for (std::uint64_t round = 0; round < 5; ++round) {
            const Rows mine = deal(comm, rows, n_entries, round);
            EXPECT_EQ(bits(exact_sum(comm, mine, n_entries)), alone);
            EXPECT_EQ(bits(exact_sum(comm, mine, n_entries, {Algorithm::ring, 32})), alone);
            EXPECT_EQ(bits(exact_sum(comm, mine, n_entries, {Algorithm::mpi, 0})), alone);
        }
    }
}

TEST_F(ExactSum, one_rank_may_hold_everything) {
    const Rows rows = random_rows(3, 50, 7, 10);
    const auto alone = bits(exact_sum(Comm::self(), rows, 7));
    EXPECT_EQ(bits(exact_sum(comm, comm.rank() == comm.size() - 1 ? rows : Rows{}, 7)), alone);
}

TEST_F(ExactSum, without_rows_or_entries_is_zero_or_empty) {
    EXPECT_EQ(bits(exact_sum(comm, {}, 3)), bits(Rows{0.0, 0.0, 0.0}));
    EXPECT_TRUE(exact_sum(comm, {}, 0).empty());
}

TEST_F(ExactSum, is_correctly_rounded_where_all_contributions_are_converted_exactly) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Rows rows = random_rows(seed, 1000, 2, 12); // within 2^44 of each other, or nearly
        const std::vector<double> sums = exact_sum(comm, deal(comm, rows, 2, seed), 2);
        for (std::size_t j = 0; j < 2; ++j) {
            EXPECT_EQ(bits({{sums[j]}}), bits({{exact_reference(column(rows, 2, j))}})) << "seed " << seed;
        }
    }
}

TEST_F(ExactSum, keeps_its_error_bound_over_a_huge_range_and_under_cancellation) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rows rows = random_rows(seed, 500, 1, 300);
        const Rows negated = [&] {
            Rows all = rows;
            std::ranges::transform(all, all.begin(), [](double x) { return -x; });
            return all;
        }();
        rows.insert(rows.end(), negated.begin(), negated.end() - 1); // all but the last cancel
        const double largest = std::fabs(*std::ranges::max_element(rows, {}, [](double x) { return std::fabs(x); }));
        const double sum = exact_sum(comm, deal(comm, rows, 1, seed), 1).at(0);
        const double reference = exact_reference(rows);
        const double bound = std::ldexp(largest * static_cast<double>(rows.size()), -96);
        EXPECT_LE(std::fabs(sum - reference), bound + std::ldexp(std::fabs(reference), -53)) << "seed " << seed;
    }
}

TEST_F(ExactSum, survives_the_classic_cancellations) {
    EXPECT_EQ(sum_of(comm, {1e16, 1.0, -1e16}), 1.0);
    EXPECT_EQ(sum_of(comm, {1.0, 0x1p-80, -1.0}), 0x1p-80);
    EXPECT_EQ(sum_of(comm, {0x1p1000, 1.0, -0x1p1000}), 0.0);                   // beyond the 96 bits
    EXPECT_EQ(sum_of(comm, {1.0, 0x1p-53, 0x1p-90}), std::nextafter(1.0, 2.0)); // just over half way
    EXPECT_EQ(sum_of(comm, {1.0, 0x1p-53}), 1.0);                               // half way: to even
}

TEST_F(ExactSum, is_exact_for_the_smallest_and_right_for_the_largest_numbers) {
    constexpr double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
    EXPECT_EQ(sum_of(comm, {tiny, tiny, tiny}), 3 * tiny);
    EXPECT_EQ(sum_of(comm, {0x1p-1022, -tiny}), 0x1p-1022 - tiny);
    EXPECT_EQ(sum_of(comm, {0x1p-979, tiny, -0x1p-979}), tiny);
    EXPECT_EQ(sum_of(comm, {huge}), huge);
    EXPECT_EQ(sum_of(comm, {huge, huge, -huge}), huge);
    EXPECT_EQ(sum_of(comm, {huge, huge}), infinity);
    EXPECT_EQ(sum_of(comm, {-huge, -huge}), -infinity);
}

TEST_F(ExactSum, of_subnormals_is_correctly_rounded) {
    const Rows rows = random_rows(9, 300, 1, 20);
    Rows small(rows.size());
    std::ranges::transform(rows, small.begin(), [](double x) { return std::ldexp(x, -1040); });
    EXPECT_EQ(sum_of(comm, small), exact_reference(small));
}

TEST_F(ExactSum, of_zeros_is_plus_zero) {
    EXPECT_EQ(bits({{sum_of(comm, {-0.0, -0.0, 0.0})}}), bits({{0.0}}));
    EXPECT_EQ(bits({{sum_of(comm, {3.5, -3.5})}}), bits({{0.0}}));
}

TEST_F(ExactSum, of_nan_or_infinity_is_nan_in_that_entry_only_and_on_all_ranks) {
    for (const double bad : {not_a_number, -not_a_number, infinity, -infinity}) {
        Rows mine{1.0, 2.0, 3.0, 1.0, 2.0, 3.0};
        if (comm.rank() == comm.size() - 1) {
            mine[1] = bad;
        }
        const std::vector<double> sums = exact_sum(comm, mine, 3);
        EXPECT_EQ(bits(sums), bits(Rows{2.0 * comm.size(), not_a_number, 6.0 * comm.size()}));
    }
}

TEST_F(ExactSum, of_opposite_infinities_and_of_many_nans_is_nan) {
    EXPECT_TRUE(std::isnan(sum_of(comm, {infinity, -infinity})));
    EXPECT_TRUE(std::isnan(sum_of(comm, Rows(5000, not_a_number))));
}

TEST_F(ExactSum, of_many_rows_folds_its_limbs_in_time) {
    // The largest limbs there are: 2^44 above for both, 2^51 below for y.
    const double x = 1.0 - 0x1p-53, y = -1.0 + 0x1p-45;
    constexpr std::size_t n = 20000;
    Rows mine;
    for (std::size_t i = 0; i < n; ++i) {
        mine.insert(mine.end(), {x, y, 0x1.00000000007ffp-1});
    }
    const std::vector<double> sums = exact_sum(comm, mine, 3);
    const double total = static_cast<double>(n) * comm.size();
    EXPECT_EQ(sums[0], std::fma(total, x, 0.0));
    EXPECT_EQ(sums[1], std::fma(total, y, 0.0));
    EXPECT_EQ(sums[2], std::fma(total, 0x1.00000000007ffp-1, 0.0));
}

TEST_F(ExactSum, refuses_more_contributions_than_its_headroom) {
    EXPECT_NO_THROW(check_n_contributions(Int128{1} << 31U));
    EXPECT_THAT(message_of<InputError>([] { check_n_contributions((Int128{1} << 31U) + 1); }),
                testing::HasSubstr("adds 2147483649 contributions (more than 2^31"));
}

#ifndef RONDO_NO_CONTRACTS
TEST_F(ExactSum, refuses_a_broken_row) {
    const Rows rows(7);
    EXPECT_THAT(message_of<ContractError>([&] { static_cast<void>(exact_sum(comm, rows, 3)); }),
                testing::HasSubstr("rows holds whole rows of n_entries"));
}
#endif

TEST(FixedPoint, finds_the_largest_exponent_in_every_row) {
    for (std::size_t row = 0; row < 7; ++row) {
        Rows rows(14, 0.25);
        rows[2 * row + 1] = -1.0;
        EXPECT_EQ(largest_exponents(rows, 2), (std::vector<std::int16_t>{-1, 1})) << "row " << row;
    }
    EXPECT_EQ(largest_exponents({{0.0, -0.0}}, 1), std::vector<std::int16_t>{all_zero});
    EXPECT_EQ(largest_exponents({{1.0, not_a_number, infinity}}, 1), std::vector<std::int16_t>{not_finite});
    EXPECT_EQ(largest_exponents({{0x1.fp1023, 0x1p-1022}}, 2), (std::vector<std::int16_t>{1024, -1021}));
}

TEST(FixedPoint, converts_back_to_the_nearest_double) {
    EXPECT_EQ(from_fixed_point(0, all_zero), 0.0);
    EXPECT_EQ(from_fixed_point(Int128{1} << 96U, 0), 1.0);
    EXPECT_EQ(from_fixed_point(-((Int128{1} << 96U) + (Int128{1} << 43U)), 0), -1.0);               // half: to even
    EXPECT_EQ(from_fixed_point(-((Int128{1} << 96U) + (Int128{1} << 43U) + 1), 0), -1.0 - 0x1p-52); // over half
    EXPECT_EQ(from_fixed_point((Int128{1} << 96U) + 3 * (Int128{1} << 43U), 0), 1.0 + 0x1p-51);     // half: to even
    EXPECT_EQ(from_fixed_point(((Int128{1} << 126U) - 1) * 2 + 1, least_exponent), std::ldexp(1.0, 127 - 1074));
}

class PlainSum : public testing::Test {
protected:
    const Comm comm = Comm::world();
};

TEST_F(PlainSum, is_near_the_exact_sum) {
    const Rows rows = random_rows(1, 200, 5, 3);
    const Rows mine = deal(comm, rows, 5, 0);
    for (const Algorithm algorithm : {Algorithm::ring, Algorithm::mpi}) {
        const std::vector<double> plain = plain_sum(comm, mine, 5, {algorithm, 8});
        const std::vector<double> exact = exact_sum(comm, mine, 5);
        for (std::size_t j = 0; j < 5; ++j) {
            EXPECT_NEAR(plain[j], exact[j], 1e-12);
        }
    }
}

TEST_F(PlainSum, passes_nan_and_infinity_on) {
    const double bad = comm.rank() == 0 ? infinity : 1.0;
    EXPECT_EQ(plain_sum(comm, {{bad}}, 1).at(0), infinity);
}

} // namespace
} // namespace rondo::comm
