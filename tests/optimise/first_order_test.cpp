#include "problems.hpp"

#include <rondo/base/error.hpp>

#include <gtest/gtest.h>

namespace rondo::optimise {
namespace {

/// The point after feeding these gradients of one coordinate, from x = 1 with rate 0.1.
double point_after(const Options& options, const std::vector<double>& gradients) {
    State state = start(options, std::vector<double>{1.0});
    for (const double g : gradients) {
        const std::vector<double> gradient{g};
        advance(options, state, {.loss = 0.0, .gradient = gradient}, 0.1);
    }
    return state.point[0];
}

TEST(Sgd, steps_down_the_gradient) {
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::sgd}, {2.0}), 0.8);
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::sgd}, {2.0, -1.0}), 0.9);
}

TEST(Momentum, adds_the_remembered_velocity) {
    // v = 2, then 0.9 * 2 - 1 = 0.8
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::momentum}, {2.0}), 0.8);
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::momentum}, {2.0, -1.0}), 0.8 - 0.08);
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::momentum, .momentum = 0.5}, {2.0, -1.0}), 0.8);
}

TEST(Nesterov, looks_one_step_ahead) {
    // v = 2, step 2 + 0.9 * 2 = 3.8; then v = 0.8, step -1 + 0.9 * 0.8 = -0.28
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::nesterov}, {2.0}), 0.62);
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::nesterov}, {2.0, -1.0}), 0.648);
}

TEST(Adagrad, divides_by_the_root_of_the_summed_squares) {
    // sums 9, then 25: steps 0.1 * 3 / (3 + 1) and 0.1 * 4 / (5 + 1)
    const Options options{.rule = Rule::adagrad, .epsilon = 1.0};
    EXPECT_DOUBLE_EQ(point_after(options, {3.0}), 1.0 - 0.075);
    EXPECT_DOUBLE_EQ(point_after(options, {3.0, 4.0}), 1.0 - 0.075 - 0.4 / 6.0);
}

TEST(Rmsprop, divides_by_the_root_of_the_mean_square) {
    // rho = 0.75: means 0.25 * 4 = 1, then 0.75 + 0.25 * 9 = 3
    const Options options{.rule = Rule::rmsprop, .rho = 0.75, .epsilon = 1.0};
    EXPECT_DOUBLE_EQ(point_after(options, {2.0}), 1.0 - 0.1 * 2.0 / 2.0);
    EXPECT_DOUBLE_EQ(point_after(options, {2.0, 3.0}), 0.9 - 0.3 / (std::sqrt(3.0) + 1.0));
}

TEST(Adam, corrects_the_bias_of_both_moments) {
    // t = 1: both corrected moments are the gradient's own, so the step is the rate.
    // t = 2: m = 0.9 * 0.2 - 0.1 = 0.08 over 0.19; a = 0.999 * 0.004 + 0.001 = 0.004996 over 0.001999
    const Options options{.rule = Rule::adam};
    EXPECT_NEAR(point_after(options, {2.0}), 1.0 - 0.1 * 2.0 / (2.0 + 1e-8), 1e-15);
    const double second = 0.1 * (0.08 / 0.19) / (std::sqrt(0.004996 / 0.001999) + 1e-8);
    EXPECT_NEAR(point_after(options, {2.0, -1.0}), 1.0 - 0.2 / (2.0 + 1e-8) - second, 1e-14);
}

TEST(Adam, every_constant_has_an_effect) {
    const double usual = point_after({.rule = Rule::adam}, {2.0, -1.0});
    EXPECT_NE(point_after({.rule = Rule::adam, .beta1 = 0.5}, {2.0, -1.0}), usual);
    EXPECT_NE(point_after({.rule = Rule::adam, .beta2 = 0.5}, {2.0, -1.0}), usual);
    EXPECT_NE(point_after({.rule = Rule::adam, .epsilon = 0.5}, {2.0, -1.0}), usual);
}

TEST(WeightDecay, is_decoupled_in_adamw_only) {
    // adamw: the adam step plus 0.1 * 0.5 * 1; sgd: the gradient becomes 2 + 0.5 * 1;
    // adam: a larger gradient leaves the first step as it is.
    EXPECT_NEAR(point_after({.rule = Rule::adamw, .weight_decay = 0.5}, {2.0}), 0.9 - 0.05, 1e-9);
    EXPECT_DOUBLE_EQ(point_after({.rule = Rule::sgd, .weight_decay = 0.5}, {2.0}), 0.75);
    EXPECT_NEAR(point_after({.rule = Rule::adam, .weight_decay = 0.5}, {2.0}), 0.9, 1e-9);
}

TEST(FirstOrder, every_rule_minimises_a_quadratic) {
    for (const Rule rule :
         {Rule::sgd, Rule::momentum, Rule::nesterov, Rule::adagrad, Rule::rmsprop, Rule::adam, Rule::adamw}) {
        const Outcome outcome = minimise({.rule = rule}, quadratic(4.0), {1.0, -1.0}, 2000, 0.01);
        EXPECT_LT(outcome.loss, rule == Rule::adagrad ? 1.0 : 1e-3) << name_of(rule);
        EXPECT_FALSE(outcome.last.converged);
        EXPECT_EQ(outcome.state.update, 2000);
    }
}

TEST(FirstOrder, reports_the_length_of_the_step) {
    State state = start({.rule = Rule::sgd}, std::vector<double>{1.0, 1.0});
    const std::vector<double> gradient{3.0, 4.0};
    const Progress progress = advance({.rule = Rule::sgd}, state, {.loss = 1.0, .gradient = gradient}, 0.1);
    EXPECT_TRUE(progress.accepted);
    EXPECT_NEAR(progress.step_norm, 0.5, 1e-15);
    EXPECT_EQ(best_point(state).data(), state.point.data());
}

TEST(FirstOrder, refuses_a_failed_evaluation_and_a_gradient_of_another_size) {
    State state = start({.rule = Rule::adam}, std::vector<double>{1.0});
    const std::vector<double> two{1.0, 2.0};
    EXPECT_THROW(advance({.rule = Rule::adam}, state, {.loss = 0.0, .gradient = {}, .failed = true}, 0.1),
                 ContractError);
    EXPECT_THROW(advance({.rule = Rule::adam}, state, {.loss = 0.0, .gradient = two}, 0.1), ContractError);
}

TEST(FirstOrder, refuses_the_state_of_another_rule) {
    State state = start({.rule = Rule::sgd}, std::vector<double>{1.0});
    const std::vector<double> gradient{1.0};
    EXPECT_THROW(advance({.rule = Rule::adam}, state, {.loss = 0.0, .gradient = gradient}, 0.1), ContractError);
}

} // namespace
} // namespace rondo::optimise
