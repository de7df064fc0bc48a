#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/gradient/evaluate.hpp>

#include <support/small_problems.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rondo::gradient {
namespace {

using test::SmallProblem;
using testing::HasSubstr;
namespace decay = test::decay;

const std::vector<double> low_k{0.3, decay::b_true, 3.0}; // x(0) > k: a bursting trajectory blows up

Evaluation evaluate(const comm::Comm& comm, const Problem& problem) {
    const auto all = test::first_positions(problem.ensemble->size());
    return Evaluator{comm, problem}.evaluate({.trajectories = all, .natural = low_k, .want = solve::Want::curvature});
}

/// The text that require_solved throws, "" if none.
std::string complaint(const comm::Comm& comm, const Problem& problem, const Evaluation& evaluation) {
    try {
        require_solved(comm, problem, evaluation);
    } catch (const SolveError& error) {
        EXPECT_TRUE(comm::is_agreed(error));
        return error.what();
    }
    return {};
}

TEST(Failures, a_dropped_trajectory_is_counted_and_leaves_the_mean_over_the_rest) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 7, .bursting = {2}});
    small.problem.options.on_failure = OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.2;
    const auto exact = decay::exact_mean(small.ensemble, {0, 1, 3, 4, 5, 6}, low_k[0], low_k[2]);
    const Evaluation evaluation = evaluate(world, small.problem);
    EXPECT_EQ(evaluation.n_asked, 7);
    EXPECT_EQ(evaluation.n_solved, 6);
    EXPECT_EQ(evaluation.n_failed, 1);
    EXPECT_FALSE(evaluation.too_many_failed);
    EXPECT_NEAR(evaluation.loss, exact.loss, 1e-6 * exact.loss);
    EXPECT_NEAR(evaluation.gradient[0], exact.gradient[0], 1e-6 * std::abs(exact.gradient[0]));
    EXPECT_NEAR(evaluation.curvature[0], exact.curvature[0], 1e-6 * exact.curvature[0]);
    EXPECT_EQ(complaint(world, small.problem, evaluation), "");
}

TEST(Failures, a_sum_with_a_dropped_trajectory_stands_for_all_asked) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 7, .bursting = {2}});
    small.problem.options = {.reduction = Reduction::sum, .on_failure = OnFailure::drop, .max_failed_fraction = 0.2};
    const auto exact = decay::exact_mean(small.ensemble, {0, 1, 3, 4, 5, 6}, low_k[0], low_k[2]);
    const Evaluation evaluation = evaluate(world, small.problem);
    EXPECT_NEAR(evaluation.loss, 7.0 * exact.loss, 1e-5 * exact.loss);
    EXPECT_NEAR(evaluation.gradient[1], 7.0 * exact.gradient[1], 1e-5 * std::abs(exact.gradient[1]));
}

TEST(Failures, the_bits_with_a_dropped_trajectory_are_those_of_one_rank) {
    const auto world = comm::Comm::world();
    const auto self = comm::Comm::self();
    SmallProblem small = decay::make({.n = 7, .bursting = {2, 5}});
    small.problem.options.on_failure = OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.5;
    const Evaluation together = evaluate(world, small.problem), alone = evaluate(self, small.problem);
    EXPECT_EQ(together.loss, alone.loss);
    EXPECT_EQ(together.gradient, alone.gradient);
    EXPECT_EQ(together.n_failed, 2);
}

TEST(Failures, stop_throws_the_first_trajectorys_text_on_all_ranks) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 7, .bursting = {5, 2}});
    const Evaluation evaluation = evaluate(world, small.problem);
    EXPECT_TRUE(evaluation.too_many_failed);
    const std::string text = complaint(world, small.problem, evaluation);
    EXPECT_THAT(text, HasSubstr("trajectory \"t3\" (number 3) stopped at time "));
    EXPECT_THAT(text,
                HasSubstr("; 2 of 7 trajectories failed (write [solver] on_failure = \"drop\" to go on without them)"));
    EXPECT_EQ(comm::broadcast(world, text), text);
}

TEST(Failures, more_than_the_fraction_is_an_error_also_where_they_are_dropped) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 8, .bursting = {1, 4}});
    small.problem.options.on_failure = OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.25;
    EXPECT_EQ(complaint(world, small.problem, evaluate(world, small.problem)), "");
    small.problem.options.max_failed_fraction = 0.24;
    EXPECT_THAT(complaint(world, small.problem, evaluate(world, small.problem)),
                HasSubstr("2 of 8 trajectories failed, more than [solver] max_failed_fraction = 0.24 allows"));
}

TEST(Failures, where_all_fail_nothing_looks_like_a_fit) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 2, .bursting = {0, 1}});
    small.problem.options.on_failure = OnFailure::drop;
    small.problem.options.max_failed_fraction = 1.0;
    const Evaluation evaluation = evaluate(world, small.problem);
    EXPECT_TRUE(std::isnan(evaluation.loss));
    EXPECT_TRUE(std::isnan(evaluation.gradient[0]));
    EXPECT_TRUE(evaluation.too_many_failed);
    EXPECT_THAT(complaint(world, small.problem, evaluation),
                HasSubstr("2 of 2 trajectories failed, none is left to go on with"));
}

TEST(Failures, a_failed_trajectory_says_how_far_it_came) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 4, .bursting = {3}});
    const auto mine = failures_of(evaluate(world, small.problem).shard);
    const auto all = gather_failures(world, mine);
    if (world.rank() != 0) {
        EXPECT_TRUE(all.empty());
        return;
    }
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].trajectory, 3);
    const double x0 = low_k[2] * decay::size_of(3), k = low_k[0];
    EXPECT_NEAR(all[0].outcome.time_reached, std::log(x0 / (x0 - k)) / k,
                1e-2); // where the closed form becomes infinite
    EXPECT_GE(all[0].outcome.attempts, 1);
    EXPECT_FALSE(all[0].outcome.reason.empty());
}

TEST(Failures, gathering_keeps_every_field_and_of_two_the_later) {
    const auto world = comm::Comm::world();
    const Failure shared{.trajectory = 1000,
                         .outcome = {.attempts = 3,
                                     .method = solve::Method::bdf,
                                     .n_steps = 12,
                                     .n_rhs = 34,
                                     .time_reached = 0.1 + world.rank(),
                                     .wall_s = 1.0 / 3.0,
                                     .reason = "CV_ERR_FAILURE (-3): two words"},
                         .update = 100 - world.rank()};
    const Failure own{.trajectory = world.rank(), .outcome = {.time_reached = std::nan("")}};
    const Failure mine[] = {shared, own};
    const auto all = gather_failures(world, mine);
    if (world.rank() != 0) {
        return;
    }
    ASSERT_EQ(all.size(), static_cast<std::size_t>(world.size()) + 1);
    EXPECT_EQ(all[0].trajectory, 0);
    EXPECT_TRUE(std::isnan(all[0].outcome.time_reached));
    EXPECT_EQ(all[0].outcome.reason, "");
    const Failure& kept = all.back();
    EXPECT_EQ(kept.update, 100);
    EXPECT_EQ(kept.outcome.time_reached, 0.1);
    EXPECT_EQ(kept.outcome.wall_s, 1.0 / 3.0);
    EXPECT_EQ(kept.outcome.attempts, 3);
    EXPECT_EQ(kept.outcome.method, solve::Method::bdf);
    EXPECT_EQ(kept.outcome.n_steps, 12);
    EXPECT_EQ(kept.outcome.n_rhs, 34);
    EXPECT_EQ(kept.outcome.reason, "CV_ERR_FAILURE (-3): two words");
}

} // namespace
} // namespace rondo::gradient
