#include <rondo/gradient/differences.hpp>

#include <support/small_problems.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rondo::gradient {
namespace {

namespace decay = test::decay;

TEST(Differences, are_the_closed_form_within_an_honest_error_estimate) {
    const auto world = comm::Comm::world();
    test::SmallProblem small = decay::make({.n = 5});
    small.problem.solver.rtol = 1e-6;
    small.problem.solver.atol = 1e-8;
    const auto all = test::first_positions(5);
    const std::vector<double> natural{0.8, decay::b_true, 1.7};
    const Differences made = differences(world, small.problem, all, natural);
    ASSERT_EQ(made.gradient.size(), made.trajectories.size() * 2);
    for (std::size_t i = 0; i < made.trajectories.size(); ++i) {
        const auto exact = decay::exact(small.ensemble, made.trajectories[i], natural[0], natural[2]);
        EXPECT_NEAR(made.loss[i], exact.loss, 1e-7 * exact.loss);
        for (std::size_t k = 0; k < 2; ++k) {
            const double off = std::abs(made.gradient[i * 2 + k] - exact.gradient[k]);
            EXPECT_LE(off, 1e-6 * (std::abs(exact.gradient[k]) + exact.loss));
            // The estimate is of the extrapolation; the solver's own error at a relative tolerance of 1e-9 comes on
            // top.
            EXPECT_LE(off, 10.0 * made.error[i * 2 + k] + 1e-7 * (std::abs(exact.gradient[k]) + exact.loss))
                << "less than the truth";
            EXPECT_LE(made.error[i * 2 + k], 1e-5 * (std::abs(exact.gradient[k]) + exact.loss))
                << "an estimate that says nothing";
        }
    }
}

TEST(Differences, of_a_trajectory_that_fails_are_no_numbers) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 2, .bursting = {1}});
    const auto all = test::first_positions(2);
    const Differences made = differences(world, small.problem, all, std::vector<double>{0.3, decay::b_true, 3.0});
    for (std::size_t i = 0; i < made.trajectories.size(); ++i) {
        const bool fails = made.trajectories[i] == 1;
        EXPECT_EQ(made.outcomes[i].solved, !fails);
        EXPECT_EQ(std::isnan(made.gradient[i * 2]), fails);
    }
}

TEST(Differences, stay_inside_the_bounds) {
    const auto world = comm::Comm::world();
    test::SmallProblem small = decay::make({.n = 3, .k = 1e-3});
    small.problem.parameters[0].transform = {.scale = optimise::Scale::linear, .lower = 1e-3 - 1e-9, .upper = 1.0};
    const auto all = test::first_positions(3);
    const std::vector<double> natural{1e-3, decay::b_true, 2.0};
    const Differences made = differences(world, small.problem, all, natural);
    for (std::size_t i = 0; i < made.trajectories.size(); ++i) {
        // A step of half a billionth leaves few digits, which the estimate must admit.
        const auto exact = decay::exact(small.ensemble, made.trajectories[i], natural[0], natural[2]);
        EXPECT_LE(std::abs(made.gradient[i * 2] - exact.gradient[0]),
                  10.0 * made.error[i * 2] + 1e-3 * std::abs(exact.gradient[0]));
    }
}

} // namespace
} // namespace rondo::gradient
