#include <rondo/comm/collective.hpp>
#include <rondo/gradient/compare.hpp>

#include <support/small_problems.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::gradient {
namespace {

using testing::HasSubstr;
namespace decay = test::decay;

const std::vector<double> somewhere{0.8, decay::b_true, 1.7};

TEST(Compare, forward_adjoint_and_differences_agree) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 5});
    const auto all = test::first_positions(5);
    const auto forward = per_trajectory(world, small.problem, all, somewhere, Way::forward);
    for (const Way way : {Way::adjoint, Way::differences}) {
        const auto other = per_trajectory(world, small.problem, all, somewhere, way);
        const Comparison comparison = compare(world, small.problem, somewhere, Way::forward, forward, way, other);
        EXPECT_EQ(comparison.n_compared, 5) << name_of(way);
        EXPECT_EQ(comparison.n_disagree, 0) << name_of(way);
        EXPECT_LE(comparison.worst, comparison.tolerance) << name_of(way);
        EXPECT_DOUBLE_EQ(comparison.tolerance, 1000.0 * small.problem.solver.rtol);
        EXPECT_TRUE(comparison.worst_trajectories.empty());
    }
}

TEST(Compare, a_wrong_gradient_is_named_by_trajectory_and_parameter) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 5});
    const auto all = test::first_positions(5);
    const auto one = per_trajectory(world, small.problem, all, somewhere, Way::forward);
    auto wrong = one;
    for (std::size_t i = 0; i < wrong.trajectories.size(); ++i) {
        if (wrong.trajectories[i] == 3) {
            wrong.gradient[i * 2 + 1] *= 1.1; // d/da of the fourth
        }
        if (wrong.trajectories[i] == 1) {
            wrong.gradient[i * 2] += 1e3; // d/dk of the second, much more
        }
    }
    const Comparison comparison = compare(world, small.problem, somewhere, Way::forward, one, Way::adjoint, wrong);
    EXPECT_EQ(comparison.n_compared, 5);
    EXPECT_EQ(comparison.n_disagree, 2);
    EXPECT_GT(comparison.worst, 0.1);
    if (world.rank() == 0) {
        ASSERT_EQ(comparison.worst_trajectories.size(), 2U);
        EXPECT_THAT(comparison.worst_trajectories[0], HasSubstr("trajectory \"t2\": d loss/d k is "));
        EXPECT_THAT(comparison.worst_trajectories[0], HasSubstr(" by forward, "));
        EXPECT_THAT(comparison.worst_trajectories[1], HasSubstr("trajectory \"t4\": d loss/d a is "));
    } else {
        EXPECT_TRUE(comparison.worst_trajectories.empty());
    }
}

TEST(Compare, a_gradient_that_is_no_number_disagrees) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 3});
    const auto all = test::first_positions(3);
    const auto one = per_trajectory(world, small.problem, all, somewhere, Way::forward);
    auto wrong = one;
    for (std::size_t i = 0; i < wrong.trajectories.size(); ++i) {
        wrong.gradient[i * 2] = wrong.trajectories[i] == 2 ? std::nan("") : wrong.gradient[i * 2];
    }
    const Comparison comparison = compare(world, small.problem, somewhere, Way::forward, one, Way::adjoint, wrong);
    EXPECT_EQ(comparison.n_disagree, 1);
    EXPECT_TRUE(std::isinf(comparison.worst));
}

TEST(Compare, a_difference_within_the_estimated_error_is_none) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 3});
    const auto all = test::first_positions(3);
    const auto one = per_trajectory(world, small.problem, all, somewhere, Way::forward);
    auto rough = one;
    for (std::size_t i = 0; i < rough.gradient.size(); ++i) {
        rough.gradient[i] += 0.5;
        rough.error[i] = 0.6;
    }
    EXPECT_EQ(compare(world, small.problem, somewhere, Way::forward, one, Way::differences, rough).n_disagree, 0);
    rough.error.assign(rough.error.size(), 0.4);
    EXPECT_EQ(compare(world, small.problem, somewhere, Way::forward, one, Way::differences, rough).n_disagree, 3);
}

TEST(Compare, a_failed_trajectory_is_not_compared) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 3, .bursting = {0}});
    const auto all = test::first_positions(3);
    const std::vector<double> low_k{0.3, decay::b_true, 3.0};
    const auto one = per_trajectory(world, small.problem, all, low_k, Way::forward);
    const auto other = per_trajectory(world, small.problem, all, low_k, Way::adjoint);
    const Comparison comparison = compare(world, small.problem, low_k, Way::forward, one, Way::adjoint, other);
    EXPECT_EQ(comparison.n_compared, 2);
    EXPECT_EQ(comparison.n_disagree, 0);
}

} // namespace
} // namespace rondo::gradient
