#include "problems.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

const Options lm{.rule = Rule::levenberg_marquardt};

/// Residuals of  a exp(-b t) + c  against data made with a = 2, b = 0.7, c = 0.5, at t = 0, 0.5, ..., 5.
Problem exponential_fit(double offset = 0.0, double factor = 1.0) {
    return [offset, factor](std::span<const double> x) {
        std::vector<double> r;
        std::vector<std::vector<double>> jacobian;
        for (int k = 0; k <= 10; ++k) {
            const double t = 0.5 * k;
            const double decayed = std::exp(-x[1] * t);
            r.push_back(x[0] * decayed + x[2] - (2.0 * std::exp(-0.7 * t) + 0.5));
            jacobian.push_back({decayed, -x[0] * t * decayed, 1.0});
        }
        return least_squares(r, jacobian, offset, factor);
    };
}

const std::vector<double> truth{2.0, 0.7, 0.5};

TEST(LevenbergMarquardt, fits_an_exponential) {
    const Outcome outcome = minimise(lm, exponential_fit(), {1.0, 0.1, 0.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), truth), 1e-7);
    EXPECT_LT(outcome.n_evaluations, 30);
}

TEST(LevenbergMarquardt, offset_and_factor_of_the_loss_change_nothing_but_rounding) {
    const Outcome plain = minimise(lm, exponential_fit(), {1.0, 0.1, 0.0}, 6);
    const Outcome shifted = minimise(lm, exponential_fit(-3.0, 0.125), {1.0, 0.1, 0.0}, 6);
    EXPECT_LT(distance(best_point(plain.state), best_point(shifted.state)), 1e-9);
}

TEST(LevenbergMarquardt, the_units_of_a_parameter_do_not_matter) {
    const double unit = 1024.0; // a power of two, so that even the bits must agree
    const auto rescaled = [unit](std::span<const double> x) {
        Sample sample = exponential_fit()(std::vector<double>{x[0] / unit, x[1], x[2]});
        sample.gradient[0] /= unit;
        for (std::size_t i = 0; i < 3; ++i) {
            sample.gauss_newton[i] /= unit;
            sample.gauss_newton[3 * i] /= unit;
        }
        return sample;
    };
    const Outcome plain = minimise(lm, exponential_fit(), {1.0, 0.1, 0.0}, 5);
    const Outcome other = minimise(lm, rescaled, {unit, 0.1, 0.0}, 5);
    EXPECT_EQ(best_point(other.state)[0], unit * best_point(plain.state)[0]);
    EXPECT_EQ(best_point(other.state)[1], best_point(plain.state)[1]);
}

TEST(LevenbergMarquardt, finds_the_minimum_of_rosenbrock) {
    const Outcome outcome = minimise(lm, rosenbrock, {-1.2, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-8);
    EXPECT_LT(outcome.n_evaluations, 50);
}

TEST(LevenbergMarquardt, takes_the_gauss_newton_step_of_a_linear_problem) {
    // residuals x - 1 and 2 (y + 3): with hardly any damping one step lands on (1, -3).
    const auto linear = [](std::span<const double> x) {
        return least_squares({x[0] - 1.0, 2.0 * (x[1] + 3.0)}, {{1.0, 0.0}, {0.0, 2.0}});
    };
    const Options options{.rule = Rule::levenberg_marquardt, .initial_damping = 1e-12};
    State state = start(options, std::vector<double>{0.0, 0.0});
    const Sample sample = linear(state.point);
    advance(options, state, sample.evaluation(), 0.1);
    EXPECT_NEAR(state.point[0], 1.0, 1e-11);
    EXPECT_NEAR(state.point[1], -3.0, 1e-11);
}

TEST(LevenbergMarquardt, halves_the_step_with_a_damping_of_one) {
    // one residual x - 4: H = 2 and D = 2, so d = 8 / (2 + 2) = 2; the loss falls from 16 to 4, predicted 12: gain 1.
    const auto linear = [](std::span<const double> x) { return least_squares({x[0] - 4.0}, {{1.0}}); };
    const Options options{.rule = Rule::levenberg_marquardt, .initial_damping = 1.0};
    State state = start(options, std::vector<double>{0.0});
    const Sample first = linear(state.point);
    advance(options, state, first.evaluation(), 0.1);
    EXPECT_DOUBLE_EQ(state.point[0], 2.0);
    const Sample second = linear(state.point);
    const Progress progress = advance(options, state, second.evaluation(), 0.1);
    EXPECT_TRUE(progress.accepted);
    EXPECT_DOUBLE_EQ(progress.step_norm, 2.0);
    EXPECT_DOUBLE_EQ(state.scalars.at("damping"), 1.0 / 3.0);
}

TEST(LevenbergMarquardt, a_rejected_trial_doubles_and_redoubles_the_damping) {
    const Options options{.rule = Rule::levenberg_marquardt, .initial_damping = 1.0};
    State state = start(options, std::vector<double>{0.0});
    const Sample first = least_squares({-4.0}, {{1.0}});
    advance(options, state, first.evaluation(), 0.1);
    const Sample worse{17.0, {0.0}, {0.0}, false};
    for (const double damping : {2.0, 8.0, 64.0}) {
        const Progress progress = advance(options, state, worse.evaluation(), 0.1);
        EXPECT_FALSE(progress.accepted);
        EXPECT_DOUBLE_EQ(state.scalars.at("damping"), damping);
        EXPECT_EQ(best_point(state)[0], 0.0);
    }
}

TEST(LevenbergMarquardt, goes_to_a_minimum_of_a_rank_deficient_problem) {
    // only x + y is seen, and z not at all: z must stay where it was.
    const auto deficient = [](std::span<const double> x) {
        return least_squares({x[0] + x[1] - 3.0, 2.0 * (x[0] + x[1] - 3.0)}, {{1.0, 1.0, 0.0}, {2.0, 2.0, 0.0}}, 1.0);
    };
    const Outcome outcome = minimise(lm, deficient, {5.0, -1.0, 0.25});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_NEAR(best_point(outcome.state)[0] + best_point(outcome.state)[1], 3.0, 1e-8);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>{4.5, -1.5, 0.25}), 1e-3);
    EXPECT_EQ(best_point(outcome.state)[2], 0.25);
}

TEST(LevenbergMarquardt, walks_around_a_region_where_the_evaluation_fails) {
    const Outcome outcome = minimise(lm, failing_beyond(1.02, rosenbrock), {-1.2, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-7);
}

TEST(LevenbergMarquardt, ends_at_the_edge_where_the_minimum_lies_in_the_failing_region) {
    const auto linear = [](std::span<const double> x) { return least_squares({x[0] - 4.0}, {{1.0}}); };
    const Outcome outcome = minimise(lm, failing_beyond(3.0, linear), {0.5});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LE(best_point(outcome.state)[0], 3.0);
    EXPECT_GT(best_point(outcome.state)[0], 2.9);
    EXPECT_THAT(outcome.last.reason, HasSubstr("after trials without a lower loss"));
}

TEST(LevenbergMarquardt, ends_with_a_misfit_that_remains) {
    // residuals x - 1 and x + 1: minimum 2 at 0
    const auto misfit = [](std::span<const double> x) {
        return least_squares({x[0] - 1.0, x[0] + 1.0}, {{1.0}, {1.0}});
    };
    const Outcome outcome = minimise(lm, misfit, {3.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_NEAR(outcome.loss, 2.0, 1e-12);
}

TEST(LevenbergMarquardt, each_tolerance_ends_it_and_is_named) {
    const auto reason = [](const Options& options) {
        return minimise(options, exponential_fit(1.0), {1.0, 0.1, 0.0}).last.reason;
    };
    const Rule rule = Rule::levenberg_marquardt;
    EXPECT_THAT(reason({.rule = rule, .gradient_tolerance = 1e-3, .step_tolerance = 0, .loss_tolerance = 0}),
                HasSubstr("gradient_tolerance"));
    EXPECT_THAT(reason({.rule = rule, .gradient_tolerance = 0, .step_tolerance = 1e-2, .loss_tolerance = 0}),
                HasSubstr("step_tolerance"));
    EXPECT_THAT(reason({.rule = rule, .gradient_tolerance = 0, .step_tolerance = 0, .loss_tolerance = 1e-3}),
                HasSubstr("loss_tolerance"));
}

TEST(LevenbergMarquardt, ends_where_the_gradient_is_wrong) {
    const auto uphill = [](std::span<const double> x) { // the gradient points the wrong way
        return Sample{1.0 + x[0] * x[0], {-2.0 * x[0]}, {2.0}, false};
    };
    const Outcome outcome = minimise({.rule = Rule::levenberg_marquardt, .step_tolerance = 0.0}, uphill, {1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_EQ(best_point(outcome.state)[0], 1.0);
}

TEST(LevenbergMarquardt, ends_cleanly_where_the_loss_is_noisy) {
    const auto noisy = [](std::span<const double> x) { // what a solver's tolerance leaves in a loss
        Sample sample = rosenbrock(x);
        sample.loss += 1.0 + 1e-7 * std::sin(1e9 * (x[0] + 2.0 * x[1]));
        return sample;
    };
    const Outcome outcome =
        minimise({.rule = Rule::levenberg_marquardt, .gradient_tolerance = 1e-14}, noisy, {-1.2, 1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_LT(outcome.n_evaluations, 80);
    EXPECT_LT(distance(best_point(outcome.state), std::vector<double>(2, 1.0)), 1e-2);
}

TEST(LevenbergMarquardt, says_that_the_damping_is_at_its_limit) {
    const auto uphill = [](std::span<const double> x) {
        return Sample{1e9 * x[0] * x[0], {-1e9 * x[0]}, {1e-9}, false};
    };
    const Outcome outcome = minimise({.rule = Rule::levenberg_marquardt, .step_tolerance = 0.0}, uphill, {1.0});
    EXPECT_TRUE(outcome.last.converged);
    EXPECT_THAT(outcome.last.reason, HasSubstr("the damping is at its limit"));
    EXPECT_EQ(outcome.state.point[0], 1.0);
}

TEST(LevenbergMarquardt, weight_decay_moves_the_minimum) {
    // (x - 3)^2 + 2 x^2 / 2 has its minimum at 3 / 2.
    const auto linear = [](std::span<const double> x) { return least_squares({x[0] - 3.0}, {{1.0}}); };
    const Outcome outcome = minimise({.rule = Rule::levenberg_marquardt, .weight_decay = 2.0}, linear, {0.0});
    EXPECT_NEAR(best_point(outcome.state)[0], 1.5, 1e-8);
}

TEST(LevenbergMarquardt, refuses_a_starting_point_that_fails) {
    State state = start(lm, std::vector<double>{1.0});
    try {
        advance(lm, state, {.loss = 0.0, .gradient = {}, .failed = true}, 0.1);
        FAIL() << "a failed start was accepted";
    } catch (const SolveError& error) {
        EXPECT_THAT(error.what(), HasSubstr("levenberg_marquardt: the evaluation at the starting point failed"));
    }
}

TEST(LevenbergMarquardt, refuses_an_evaluation_without_the_matrix) {
    State state = start(lm, std::vector<double>{1.0});
    const std::vector<double> gradient{1.0};
    EXPECT_THROW(advance(lm, state, {.loss = 0.0, .gradient = gradient}, 0.1), ContractError);
}

// Negative log-likelihood of a normal in z = log(sigma) with mean square 4e4: sigma = 200 is best. At sigma = 10 the expected
// curvature 2 proposes a leap of 200, after which the loss is a little lower and the curvature tells nothing any more.
TEST(LevenbergMarquardt, does_not_leap_from_a_noise_scale_that_is_far_too_small) {
    const Options options{.rule = Rule::levenberg_marquardt};
    const std::vector<double> first{std::log(10.0)};
    State state = start(options, first);
    for (int i = 0; i < 200; ++i) {
        const double z = state.point[0];
        const double square = 4e4 * std::exp(-2.0 * z);
        const std::vector<double> gradient{1.0 - square};
        const std::vector<double> matrix{2.0};
        if (advance(options, state, {.loss = z + 0.5 * square, .gradient = gradient, .gauss_newton = matrix}, 1.0).converged) {
            break;
        }
    }
    EXPECT_NEAR(best_point(state)[0], std::log(200.0), 1e-6);
}

} // namespace
} // namespace rondo::optimise
