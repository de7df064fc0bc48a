#include <optimise/cholesky.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace rondo::optimise {
namespace {

TEST(SolvePositive, solves_a_three_by_three_system) {
    // [4 2 0; 2 5 2; 0 2 5] (1, 2, 3) = (8, 18, 19)
    const auto z = solve_positive({4, 2, 0, 2, 5, 2, 0, 2, 5}, std::vector<double>{8, 18, 19});
    ASSERT_TRUE(z);
    EXPECT_NEAR((*z)[0], 1.0, 1e-14);
    EXPECT_NEAR((*z)[1], 2.0, 1e-14);
    EXPECT_NEAR((*z)[2], 3.0, 1e-14);
}

TEST(SolvePositive, refuses_singular_indefinite_and_broken_matrices) {
    const std::vector<double> right{1, 1};
    EXPECT_FALSE(solve_positive({1, 1, 1, 1}, right));
    EXPECT_FALSE(solve_positive({1, 2, 2, 1}, right));
    EXPECT_FALSE(solve_positive({0, 0, 0, 1}, right));
    EXPECT_FALSE(solve_positive({std::numeric_limits<double>::quiet_NaN(), 0, 0, 1}, right));
}

TEST(SolvePositive, nothing_to_solve_is_solved) { EXPECT_TRUE(solve_positive({}, {})); }

} // namespace
} // namespace rondo::optimise
