#include <rondo/base/random.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/reduce.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

namespace rondo::comm {
namespace {

constexpr RandomKey key{11, RandomPurpose::noise};

/// Entry i of rank r: known to all ranks.
double real(int r, std::size_t i) { return random_uniform(key, i, static_cast<std::uint32_t>(r)) - 0.5; }
std::int64_t whole(int r, std::size_t i) { return static_cast<std::int64_t>(real(r, i) * 0x1p50); }

std::vector<std::size_t> lengths(const Comm& comm) {
    const auto p = static_cast<std::size_t>(comm.size());
    std::vector<std::size_t> all{0, 1, p - 1, p, p + 1, 2 * p + 1, 97};
    for (std::uint32_t k = 0; k < 10; ++k) {
        all.push_back(static_cast<std::size_t>(2000 * random_uniform(key, 1000, k)));
    }
    return all;
}

class AllreduceSum : public testing::TestWithParam<std::tuple<Algorithm, std::size_t>> {
protected:
    const Comm comm = Comm::world();
    const ReduceOptions options{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(AllreduceSum, of_integers_is_the_serial_sum) {
    for (const std::size_t n : lengths(comm)) {
        std::vector<std::int64_t> data(n), expected(n);
        for (std::size_t i = 0; i < n; ++i) {
            data[i] = whole(comm.rank(), i);
            for (int r = 0; r < comm.size(); ++r) {
                expected[i] += whole(r, i);
            }
        }
        allreduce_sum(comm, data, options);
        EXPECT_EQ(data, expected) << "n " << n;
    }
}

TEST_P(AllreduceSum, of_128_bit_integers_carries_into_the_upper_half) {
    for (const std::size_t n : lengths(comm)) {
        std::vector<Int128> data(n), expected(n);
        const auto entry = [](int r, std::size_t i) { return static_cast<Int128>(whole(r, i)) * whole(r + 100, i); };
        for (std::size_t i = 0; i < n; ++i) {
            data[i] = entry(comm.rank(), i);
            for (int r = 0; r < comm.size(); ++r) {
                expected[i] += entry(r, i);
            }
        }
        allreduce_sum(comm, data, options);
        EXPECT_TRUE(data == expected) << "n " << n;
    }
}

TEST_P(AllreduceSum, of_doubles_is_near_the_serial_sum_and_has_the_same_bits_on_all_ranks) {
    for (const std::size_t n : lengths(comm)) {
        std::vector<double> data(n);
        for (std::size_t i = 0; i < n; ++i) {
            data[i] = real(comm.rank(), i);
        }
        allreduce_sum(comm, data, options);
        for (std::size_t i = 0; i < n; ++i) {
            double expected = 0;
            for (int r = 0; r < comm.size(); ++r) {
                expected += real(r, i);
            }
            EXPECT_NEAR(data[i], expected, 1e-15 * comm.size()) << "n " << n << ", i " << i;
        }
        const std::vector<double> of_rank_0 = broadcast(comm, data);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_EQ(std::bit_cast<std::uint64_t>(data[i]), std::bit_cast<std::uint64_t>(of_rank_0[i]));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, AllreduceSum,
                         testing::Values(std::tuple{Algorithm::ring, std::size_t{1} << 22U},
                                         std::tuple{Algorithm::ring,
                                                    std::size_t{64}}, // many segments, the last one short
                                         std::tuple{Algorithm::ring, std::size_t{1}}, // one entry a segment
                                         std::tuple{Algorithm::mpi, std::size_t{1} << 22U}),
                         [](const auto& test) {
                             return (std::get<0>(test.param) == Algorithm::ring ? "ring_" : "mpi_") +
                                    std::to_string(std::get<1>(test.param));
                         });

TEST(AllreduceSum, of_a_long_vector_spans_segments_of_the_default_size) {
    const Comm comm = Comm::world();
    std::vector<std::int64_t> data(3000001, comm.rank() + 1);
    allreduce_sum(comm, data, ReduceOptions{});
    EXPECT_EQ(data, std::vector<std::int64_t>(data.size(), comm.size() * (comm.size() + 1) / 2));
}

TEST(AllreduceSum, of_one_rank_is_the_identity) {
    std::vector<double> data{1.0, -0.0, 3.0};
    allreduce_sum(Comm::self(), data);
    EXPECT_EQ(data, (std::vector<double>{1.0, -0.0, 3.0}));
    EXPECT_TRUE(std::signbit(data[1]));
}

TEST(AllreduceMax, is_the_largest_of_all_ranks) {
    const Comm comm = Comm::world();
    std::vector<double> reals{-1.0 - comm.rank(), comm.rank() * 0.5};
    std::vector<std::int64_t> wholes{-comm.rank(), std::int64_t{comm.rank()} << 40U};
    std::vector<std::int16_t> shorts{static_cast<std::int16_t>(comm.rank()), -32768};
    allreduce_max(comm, reals);
    allreduce_max(comm, wholes);
    allreduce_max(comm, shorts);
    EXPECT_EQ(reals, (std::vector<double>{-1.0, (comm.size() - 1) * 0.5}));
    EXPECT_EQ(wholes, (std::vector<std::int64_t>{0, std::int64_t{comm.size() - 1} << 40U}));
    EXPECT_EQ(shorts, (std::vector<std::int16_t>{static_cast<std::int16_t>(comm.size() - 1), -32768}));
    std::vector<double> empty;
    allreduce_max(comm, empty);
}

} // namespace
} // namespace rondo::comm
