#include <rondo/base/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rondo {
namespace {

// The known answers of Random123's kat_vectors (philox4x32-10).
TEST(Philox, gives_the_known_answers) {
    using Words = std::array<std::uint32_t, 4>;
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomUniform, has_the_moments_of_a_uniform) {
    const RandomKey key{7, RandomPurpose::covariate};
    constexpr int n = 100000;
    double sum = 0, square = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random_uniform(key, static_cast<std::uint64_t>(i), 0);
        ASSERT_GT(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        square += u * u;
    }
    EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(square / n, 1.0 / 3, 0.01);
}

TEST(RandomNormal, has_the_moments_of_a_standard_normal) {
    const RandomKey key{7, RandomPurpose::covariate};
    constexpr int n = 100000;
    double sum = 0, square = 0, fourth = 0;
    for (int i = 0; i < n; ++i) {
        const double z = random_normal(key, static_cast<std::uint64_t>(i), 3);
        sum += z;
        square += z * z;
        fourth += z * z * z * z;
    }
    EXPECT_NEAR(sum / n, 0.0, 5 / std::sqrt(n));
    EXPECT_NEAR(square / n, 1.0, 0.03);
    EXPECT_NEAR(fourth / n, 3.0, 0.15);
}

TEST(Random, purposes_and_seeds_give_different_numbers) {
    const double a = random_uniform({1, RandomPurpose::shuffle}, 5, 0);
    EXPECT_NE(a, random_uniform({1, RandomPurpose::validation}, 5, 0));
    EXPECT_NE(a, random_uniform({2, RandomPurpose::shuffle}, 5, 0));
    EXPECT_NE(a, random_uniform({1, RandomPurpose::shuffle}, 6, 0));
    EXPECT_EQ(a, random_uniform({1, RandomPurpose::shuffle}, 5, 0));
}

TEST(RandomShuffle, is_a_permutation_that_depends_on_the_round) {
    std::vector<std::int64_t> first(100), second(100);
    std::iota(first.begin(), first.end(), 0);
    second = first;
    random_shuffle({1, RandomPurpose::shuffle}, 0, first);
    random_shuffle({1, RandomPurpose::shuffle}, 1, second);
    EXPECT_NE(first, second);
    std::ranges::sort(first);
    for (std::int64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(first[static_cast<std::size_t>(i)], i);
    }
}

} // namespace
} // namespace rondo
