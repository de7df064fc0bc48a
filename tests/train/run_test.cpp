// Training against hand-written loops and known optima.
#include "problem.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rondo::train {
namespace {

using test::short_run;
using testing::HasSubstr;
namespace decay = test::decay;

TEST(Run, adam_is_the_hand_written_loop_on_the_closed_form) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 5});
    const auto run = test::run(world, small.problem, short_run(20), test::all_train(small.problem));

    // The coordinates: log k, and a's between its bounds; both through the tested transforms.
    const auto& parameters = small.problem.parameters;
    auto c = gradient::initial_coordinates(parameters);
    double m[2] = {}, v[2] = {};
    const auto all = test::first_positions(5);
    for (int t = 1; t <= 20; ++t) {
        const auto p = gradient::natural_values(parameters, c);
        const auto exact = decay::exact_mean(small.ensemble, all, p[0], p[2]);
        const auto slopes = gradient::coordinate_slopes(parameters, c);
        const auto& row = run.state.history[static_cast<std::size_t>(t - 1)];
        EXPECT_NEAR(row.loss, exact.loss, 1e-6 * exact.loss) << "update " << t;
        EXPECT_NEAR(row.gradient_norm, std::hypot(exact.gradient[0] * slopes[0], exact.gradient[1] * slopes[1]),
                    1e-5 * row.gradient_norm);
        for (std::size_t k = 0; k < 2; ++k) {
            const double g = exact.gradient[k] * slopes[k];
            m[k] = 0.9 * m[k] + 0.1 * g;
            v[k] = 0.999 * v[k] + 0.001 * g * g;
            c[k] -= 0.05 * (m[k] / (1.0 - std::pow(0.9, t))) / (std::sqrt(v[k] / (1.0 - std::pow(0.999, t))) + 1e-8);
        }
    }
    EXPECT_THAT(run.state.optimiser.point, testing::Pointwise(testing::DoubleNear(1e-6), c));
    EXPECT_EQ(run.summary.ending, Ending::finished);
    EXPECT_EQ(run.summary.reason, "all 20 epochs are done");
}

TEST(Run, history_has_a_row_an_update_as_documented) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 7});
    Options options = short_run(2);
    options.batch_size = 3;
    options.schedule = {.kind = optimise::ScheduleKind::step, .initial = 0.1, .decay = 0.5, .every = 4};
    std::vector<HistoryRow> told;
    const Hooks hooks{.on_update = [&](const HistoryRow& row) { told.push_back(row); }};
    const auto run = test::run(world, small.problem, options, {{0, 1, 2, 3, 4, 5, 6}, {}}, hooks);
    ASSERT_EQ(run.state.history.size(), 6U); // batches of 3, 3 and 1, twice
    double wall_s = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        const HistoryRow& row = run.state.history[i];
        EXPECT_EQ(row.update, static_cast<std::int64_t>(i));
        EXPECT_EQ(row.epoch, i < 3 ? 0 : 1);
        EXPECT_EQ(row.n_solved, i % 3 == 2 ? 1 : 3);
        EXPECT_EQ(row.n_failed, 0);
        EXPECT_DOUBLE_EQ(row.learning_rate, i < 4 ? 0.1 : 0.05);
        EXPECT_TRUE(std::isnan(row.validation_loss));
        EXPECT_GE(row.wall_s, wall_s);
        wall_s = row.wall_s;
        EXPECT_EQ(told[i].update, row.update);
        EXPECT_EQ(told[i].loss, row.loss);
    }
    EXPECT_GE(run.state.wall_s, wall_s);
    EXPECT_EQ(run.state.epoch, 2);
    EXPECT_EQ(run.state.position, 0);
}

TEST(Run, the_first_loss_of_an_epoch_is_that_of_its_shuffled_batch) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 7});
    Options options = short_run(1);
    options.batch_size = 3;
    options.seed = 9;
    const auto all = test::first_positions(7);
    for (const bool shuffle : {true, false}) {
        options.shuffle = shuffle;
        const auto run = test::run(world, small.problem, options, {all, {}});
        const auto order = ensemble::epoch_order(all, shuffle, 9, 0);
        const auto exact = decay::exact_mean(small.ensemble, {order[0], order[1], order[2]}, 1.0, 1.0);
        EXPECT_NEAR(run.state.history[0].loss, exact.loss, 1e-6 * exact.loss) << "shuffle " << shuffle;
    }
}

TEST(Run, levenberg_marquardt_and_lbfgs_reach_the_known_optimum_and_end) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 6, .noise = 0.0});
    for (const auto rule : {optimise::Rule::levenberg_marquardt, optimise::Rule::lbfgs}) {
        const auto run = test::run(world, small.problem, short_run(200, rule), test::all_train(small.problem));
        const auto p = test::natural(small.problem, run.state);
        EXPECT_NEAR(p[0], decay::k_true, 1e-4) << optimise::name_of(rule);
        EXPECT_NEAR(p[2], decay::a_true, 1e-4) << optimise::name_of(rule);
        EXPECT_EQ(run.summary.ending, Ending::converged) << optimise::name_of(rule);
        EXPECT_LT(run.state.optimiser.update, 100) << optimise::name_of(rule);
        EXPECT_TRUE(run.state.ended);
    }
}

TEST(Run, every_rank_count_gives_the_bits_of_one_rank_alone) {
    const auto world = comm::Comm::world();
    const auto self = comm::Comm::self();
    const test::SmallProblem small = decay::make({.n = 9});
    const ensemble::Split split{{0, 1, 2, 4, 5, 7, 8}, {3, 6}};
    for (const auto rule : {optimise::Rule::adam, optimise::Rule::lbfgs, optimise::Rule::levenberg_marquardt}) {
        SCOPED_TRACE(optimise::name_of(rule));
        Options options = short_run(4, rule);
        options.batch_size = rule == optimise::Rule::adam ? 3 : 0;
        const auto together = test::run(world, small.problem, options, split),
                   alone = test::run(self, small.problem, options, split);
        test::expect_same(together.state, alone.state);
        EXPECT_EQ(together.summary.reason, alone.summary.reason);
    }
}

TEST(Run, clipping_limits_the_step_and_not_the_reported_norm) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 4});
    Options options = short_run(1, optimise::Rule::sgd, 1.0);
    const auto free = test::run(world, small.problem, options, test::all_train(small.problem));
    options.optimiser.clip_norm = 1e-3;
    const auto clipped = test::run(world, small.problem, options, test::all_train(small.problem));
    const auto from = gradient::initial_coordinates(small.problem.parameters);
    const auto step = [&](const State& state) {
        return std::hypot(state.optimiser.point[0] - from[0], state.optimiser.point[1] - from[1]);
    };
    EXPECT_NEAR(step(clipped.state), 1e-3, 1e-12);
    EXPECT_NEAR(step(free.state), free.state.history[0].gradient_norm, 1e-9);
    EXPECT_GT(free.state.history[0].gradient_norm, 0.1);
    EXPECT_EQ(clipped.state.history[0].gradient_norm, free.state.history[0].gradient_norm);
}

TEST(Run, ranks_that_begin_apart_are_told) {
    const auto world = comm::Comm::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "needs two ranks";
    }
    const test::SmallProblem small = decay::make({.n = 2});
    const Options options = short_run(1);
    State state = start(options, small.problem);
    state.optimiser.point[1] += world.rank() == 1 ? 1e-16 + 1e-10 : 0.0;
    EXPECT_THAT(test::message_of<CommError>(
                    [&] { (void)test::go_on(world, small.problem, options, test::all_train(small.problem), state); }),
                HasSubstr("the parameters at the start"));
}

TEST(Run, a_trajectory_that_begins_to_fail_is_dropped_and_in_the_ledger) {
    const auto world = comm::Comm::world();
    // x(0) = a size = 0.5 .. : at k = 2 the fifth decays, on the way to k = 0.5 it blows up.
    test::SmallProblem small = decay::make({.n = 6, .k = 2.0, .a = 1.0, .bursting = {4}});
    small.problem.options.on_failure = gradient::OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.2;
    Options options = short_run(30, optimise::Rule::adam, 0.1);
    const auto run = test::run(world, small.problem, options, test::all_train(small.problem));
    EXPECT_EQ(run.state.history.front().n_failed, 0);
    EXPECT_EQ(run.state.history.back().n_failed, 1);
    EXPECT_EQ(run.state.history.back().n_solved, 5);
    if (world.rank() == 0) {
        ASSERT_EQ(run.state.failures.size(), 1U);
        const auto& failure = run.state.failures.at(4);
        std::int64_t last = -1;
        for (const HistoryRow& row : run.state.history) {
            last = row.n_failed > 0 ? row.update : last;
        }
        EXPECT_EQ(failure.update, last);
        EXPECT_FALSE(failure.outcome.reason.empty());
    }
}

TEST(Run, a_held_out_trajectory_that_fails_is_in_the_ledger) {
    const auto world = comm::Comm::world();
    test::SmallProblem small = decay::make({.n = 6, .k = 0.3, .a = 3.0, .bursting = {4}});
    small.problem.options.on_failure = gradient::OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.5;
    const auto run = test::run(world, small.problem, short_run(2), {{0, 1, 2, 3}, {4, 5}});
    EXPECT_EQ(run.state.history.back().n_failed, 0);
    if (world.rank() == 0) {
        ASSERT_EQ(run.state.failures.count(4), 1U);
        EXPECT_EQ(run.state.failures.at(4).update, 2);
    }
}

TEST(Run, a_failure_where_the_job_says_stop_ends_the_run_on_all_ranks) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 6, .k = 2.0, .a = 1.0, .bursting = {4}});
    EXPECT_THAT(test::message_of<SolveError>([&] {
                    (void)test::run(world, small.problem, short_run(30, optimise::Rule::adam, 0.1),
                                    test::all_train(small.problem));
                }),
                HasSubstr("trajectory \"t5\" (number 5)"));
}

TEST(Run, a_line_search_steps_back_from_where_trajectories_fail) {
    const auto world = comm::Comm::world();
    // Bursts where a size > k: the optimum of the others is behind that wall.
    const test::SmallProblem small = decay::make({.n = 6, .k = 3.0, .a = 0.5, .bursting = {2, 3, 4}});
    for (const auto rule : {optimise::Rule::lbfgs, optimise::Rule::levenberg_marquardt}) {
        const auto run = test::run(world, small.problem, short_run(30, rule, 2.0), test::all_train(small.problem));
        EXPECT_EQ(run.state.failed_at_accepted, 0) << optimise::name_of(rule);
        EXPECT_TRUE(std::ranges::any_of(run.state.history, [](const HistoryRow& row) { return row.n_failed > 0; }))
            << optimise::name_of(rule) << ": no trial met the wall";
        const auto p = test::natural(small.problem, run.state);
        gradient::Evaluator evaluator{world, small.problem};
        const auto all = test::first_positions(6);
        EXPECT_EQ(evaluator.evaluate({.trajectories = all, .natural = p}).n_failed, 0) << optimise::name_of(rule);
    }
}

TEST(Run, weak_scaling_grows_batch_and_rate_with_the_ranks) {
    Options options;
    options.batch_size = 8;
    options.schedule.initial = 0.1;
    EXPECT_EQ(effective_batch_size(options, 100, 4), 8);
    EXPECT_DOUBLE_EQ(effective_schedule(options, 4).initial, 0.1);
    options.scaling = Scaling::weak;
    EXPECT_EQ(effective_batch_size(options, 100, 4), 32);
    EXPECT_EQ(effective_batch_size(options, 30, 4), 30);
    EXPECT_EQ(effective_batch_size(options, 31, 4), 31);
    options.learning_rate_rule = LearningRateRule::linear;
    EXPECT_DOUBLE_EQ(effective_schedule(options, 4).initial, 0.4);
    options.learning_rate_rule = LearningRateRule::square_root;
    EXPECT_DOUBLE_EQ(effective_schedule(options, 4).initial, 0.2);
    options.learning_rate_rule = LearningRateRule::none;
    EXPECT_DOUBLE_EQ(effective_schedule(options, 4).initial, 0.1);
    options.batch_size = 0;
    EXPECT_EQ(effective_batch_size(options, 100, 4), 100);
    options.batch_size = std::int64_t{1} << 62U;
    EXPECT_EQ(effective_batch_size(options, 100, 4), 100);
}

TEST(Run, weak_scaling_takes_the_batch_of_every_rank_in_an_update) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 9});
    Options options = short_run(1);
    options.batch_size = 2;
    options.scaling = Scaling::weak;
    options.learning_rate_rule = LearningRateRule::linear;
    const auto run = test::run(world, small.problem, options, test::all_train(small.problem));
    EXPECT_EQ(run.state.history[0].n_solved, 2 * world.size());
    EXPECT_DOUBLE_EQ(run.state.history[0].learning_rate, 0.05 * world.size());
    std::int64_t total = 0;
    for (const HistoryRow& row : run.state.history) {
        total += row.n_solved;
    }
    EXPECT_EQ(total, 9);
}

} // namespace
} // namespace rondo::train
