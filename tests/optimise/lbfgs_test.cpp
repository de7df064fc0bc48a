#include "problems.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

const Options lbfgs{.rule = Rule::lbfgs};

TEST(Lbfgs, finds_the_minimum_of_rosenbrock_in_two_dimensions) {
    const Outcome outcome = minimise(lbfgs, rosenbrock, {-1.2, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-7);
    EXPECT_LT(outcome.n_evaluations, 80);
}

TEST(Lbfgs, finds_the_minimum_of_rosenbrock_in_ten_dimensions) {
    const Outcome outcome = minimise(lbfgs, rosenbrock, std::vector<double>(10, 0.5));
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(10, 1.0)), 1e-7);
    EXPECT_LT(outcome.n_evaluations, 150);
}

TEST(Lbfgs, solves_ill_conditioned_quadratics) {
    // The counts of a well-known implementation (L-BFGS-B of scipy 1.10, no bounds) are 93 and 776.
    for (const auto& [condition, most] : {std::pair{1e2, 130}, std::pair{1e4, 1000}}) {
        const Outcome outcome = minimise(lbfgs, quadratic(condition), std::vector<double>(20, 1.0), 5000);
        EXPECT_TRUE(outcome.last.converged);
        EXPECT_LT(outcome.loss, 1e-12);
        EXPECT_LT(outcome.n_evaluations, most);
    }
}

TEST(Lbfgs, a_learning_rate_far_off_costs_few_evaluations) {
    for (const double rate : {0.0, 1e-6, 1.0, 100.0}) {
        const Outcome outcome = minimise(lbfgs, rosenbrock, {-1.2, 1.0}, 1000, rate);
        EXPECT_LT(outcome.loss, 1e-12) << rate;
        EXPECT_LT(outcome.n_evaluations, 100) << rate;
    }
}

TEST(Lbfgs, accepted_losses_only_fall) {
    State state = start(lbfgs, std::vector<double>{-1.2, 1.0});
    double lowest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60; ++i) {
        const Sample sample = rosenbrock(state.point);
        if (advance(lbfgs, state, sample.evaluation(), 0.1).accepted) {
            const double loss = rosenbrock(best_point(state)).loss;
            EXPECT_LE(loss, lowest);
            lowest = loss;
        }
    }
    EXPECT_LT(lowest, 1e-12);
}

TEST(Lbfgs, walks_around_a_region_where_the_evaluation_fails) {
    // The minimum is at 1; everything beyond 1.02 fails, and a first trial of length 10 starts out there.
    const Outcome outcome = minimise(lbfgs, failing_beyond(1.02, rosenbrock), {-1.2, 1.0}, 1000, 10.0);
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-7);
}

TEST(Lbfgs, ends_at_the_edge_where_the_minimum_lies_in_the_failing_region) {
    const Problem beyond = failing_beyond(-0.5, quadratic(3.0));
    const Outcome outcome = minimise(lbfgs, beyond, {-2.0, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LE(best_point(outcome.state)[0], -0.5);
    EXPECT_GT(best_point(outcome.state)[0], -0.52);
    EXPECT_FALSE(beyond(outcome.state.point).failed);
}

TEST(Lbfgs, takes_a_loss_that_is_not_finite_as_failed) {
    const auto logarithm = [](std::span<const double> x) { // x - log x, not a number for x < 0
        return Sample{x[0] - std::log(x[0]), {1.0 - 1.0 / x[0]}, {}, false};
    };
    const Outcome outcome = minimise(lbfgs, logarithm, {3.0}, 1000, 100.0);
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_NEAR(best_point(outcome.state)[0], 1.0, 1e-7);
}

TEST(Lbfgs, says_that_the_gradient_is_small) {
    const Outcome outcome = minimise(lbfgs, quadratic(1.0), {1.0});
    EXPECT_THAT(outcome.last.reason, HasSubstr("gradient_tolerance"));
}

TEST(Lbfgs, a_loss_in_small_units_does_not_end_it_early) {
    const auto tiny = [](std::span<const double> x) {
        Sample sample = rosenbrock(x);
        sample.loss *= 1e-12;
        for (double& entry : sample.gradient) {
            entry *= 1e-12;
        }
        return sample;
    };
    const Outcome outcome = minimise(lbfgs, tiny, {-1.2, 1.0});
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-5);
}

TEST(Lbfgs, ends_at_once_where_the_gradient_is_zero) {
    const Outcome outcome = minimise(lbfgs, quadratic(5.0), {0.0, 0.0});
    EXPECT_EQ(outcome.n_evaluations, 1);
    EXPECT_TRUE(outcome.last.converged);
}

TEST(Lbfgs, says_that_the_loss_hardly_changes) {
    const Outcome outcome =
        minimise({.rule = Rule::lbfgs, .gradient_tolerance = 0, .step_tolerance = 0, .loss_tolerance = 1e-3},
                 quadratic(100.0, 1.0), {1.0, 1.0, 1.0});
    EXPECT_THAT(outcome.last.reason, HasSubstr("loss_tolerance"));
}

TEST(Lbfgs, says_that_the_step_is_small) {
    const Outcome outcome =
        minimise({.rule = Rule::lbfgs, .gradient_tolerance = 0, .step_tolerance = 0.3, .loss_tolerance = 0},
                 quadratic(1e4, 1.0), {1.0, 1.0, 1.0});
    EXPECT_THAT(outcome.last.reason, HasSubstr("step_tolerance"));
}

TEST(Lbfgs, ends_cleanly_where_the_gradient_is_wrong) {
    const auto uphill = [](std::span<const double> x) { // the gradient points the wrong way
        return Sample{1.0 + x[0] * x[0], {-2.0 * x[0]}, {}, false};
    };
    const Outcome outcome = minimise(lbfgs, uphill, {1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_THAT(outcome.last.reason, HasSubstr("line search cannot improve"));
    EXPECT_EQ(best_point(outcome.state)[0], 1.0);
    EXPECT_EQ(outcome.state.point[0], 1.0);
}

TEST(Lbfgs, ends_cleanly_where_the_loss_is_noisy) {
    const auto noisy = [](std::span<const double> x) { // what a solver's tolerance leaves in a loss
        Sample sample = rosenbrock(x);
        sample.loss += 1.0 + 1e-7 * std::sin(1e9 * (x[0] + 2.0 * x[1]));
        return sample;
    };
    const Outcome outcome = minimise({.rule = Rule::lbfgs, .gradient_tolerance = 1e-14}, noisy, {-1.2, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-2);
}

TEST(Lbfgs, stays_at_rest_after_its_end) {
    Outcome outcome = minimise(lbfgs, rosenbrock, {-1.2, 1.0});
    State before = outcome.state;
    const Sample sample = rosenbrock(outcome.state.point);
    const Progress progress = advance(lbfgs, outcome.state, sample.evaluation(), 0.1);
    EXPECT_TRUE(progress.converged);
    EXPECT_THAT(progress.reason, HasSubstr("ended before"));
    ++before.update;
    EXPECT_EQ(outcome.state, before);
}

TEST(Lbfgs, keeps_no_more_pairs_than_memory) {
    const Outcome outcome = minimise({.rule = Rule::lbfgs, .memory = 3}, rosenbrock, std::vector<double>(10, 0.5), 60);
    EXPECT_EQ(outcome.state.memory.at("steps").size(), 30U);
    EXPECT_EQ(outcome.state.memory.at("gradient_changes").size(), 30U);
}

TEST(Lbfgs, weight_decay_moves_the_minimum) {
    // x^2 / 2 - x has its minimum at 1; with decay 1 at 1 / 2.
    const auto shifted = [](std::span<const double> x) {
        return Sample{0.5 * x[0] * x[0] - x[0], {x[0] - 1.0}, {}, false};
    };
    const Outcome outcome = minimise({.rule = Rule::lbfgs, .weight_decay = 1.0}, shifted, {3.0});
    EXPECT_NEAR(best_point(outcome.state)[0], 0.5, 1e-8);
}

TEST(Lbfgs, refuses_a_starting_point_that_fails) {
    State state = start(lbfgs, std::vector<double>{1.0});
    try {
        advance(lbfgs, state, {.loss = 0.0, .gradient = {}, .failed = true}, 0.1);
        FAIL() << "a failed start was accepted";
    } catch (const SolveError& error) {
        EXPECT_THAT(error.what(), HasSubstr("lbfgs: the evaluation at the starting point failed"));
        EXPECT_THAT(error.what(), HasSubstr("choose other initial values"));
    }
}

} // namespace
} // namespace rondo::optimise
