#include "problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rondo::train {
namespace {

using test::short_run;
using testing::HasSubstr;
namespace decay = test::decay;

TEST(Stopping, training_loss_without_improvement_ends_the_run) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 4});
    Options options = short_run(500, optimise::Rule::sgd, 1e-12); // no loss falls by min_delta
    options.early_stopping = EarlyStopping{.patience = 3, .min_delta = 1e-3};
    const auto run = test::run(world, small.problem, options, test::all_train(small.problem));
    EXPECT_EQ(run.summary.ending, Ending::stopped_early);
    EXPECT_EQ(run.state.epoch, 4); // the first counts as the best
    EXPECT_TRUE(run.state.ended);
    EXPECT_THAT(run.summary.reason, HasSubstr("(epoch 1) for 3 epochs"));
}

/// Training data of the truth, validation data of another: the validation loss falls, then rises.
struct OtherTruth {
    test::SmallProblem small = decay::make({.n = 6, .k = 2.0, .a = 2.0, .noise = 0.0});
    ensemble::Split split{{0, 1, 2, 3}, {4, 5}};

    OtherTruth() {
        auto& data = small.ensemble;
        for (auto row = static_cast<std::size_t>(data.offset[4]); row < data.time.size(); ++row) {
            const std::int64_t i = static_cast<std::int64_t>(row) < data.offset[5] ? 4 : 5;
            data.value[row] = decay::x(1.0, 2.0, decay::size_of(i), data.time[row]) + decay::b_true;
        }
    }
};

TEST(Stopping, validation_loss_is_in_the_row_that_ended_the_epoch_and_picks_the_best) {
    const auto world = comm::Comm::world();
    const OtherTruth problem;
    Options options = short_run(60, optimise::Rule::adam, 0.05);
    options.batch_size = 2;
    const auto run = test::run(world, problem.small.problem, options, problem.split);
    double least = INFINITY;
    std::int64_t best_epoch = 0;
    for (std::size_t i = 0; i < run.state.history.size(); ++i) {
        const HistoryRow& row = run.state.history[i];
        ASSERT_EQ(std::isnan(row.validation_loss), i % 2 == 0) << "row " << i;
        if (row.validation_loss < least) {
            least = row.validation_loss;
            best_epoch = row.epoch + 1;
        }
    }
    EXPECT_EQ(run.state.best.loss, least);
    EXPECT_EQ(run.state.best.epoch, best_epoch);
    EXPECT_LT(best_epoch, 60);
    const auto reported = reported_coordinates(run.state, problem.split);
    EXPECT_EQ(reported, run.state.best.coordinates);
    const auto p = gradient::natural_values(problem.small.problem.parameters, reported);
    const auto exact = decay::exact_mean(problem.small.ensemble, problem.split.validation, p[0], p[2]);
    EXPECT_NEAR(least, exact.loss, 1e-6 * exact.loss + 1e-10);
}

TEST(Stopping, validation_loss_that_rises_ends_the_run_after_the_patience) {
    const auto world = comm::Comm::world();
    const OtherTruth problem;
    Options options = short_run(500, optimise::Rule::adam, 0.05);
    options.early_stopping = EarlyStopping{.patience = 5};
    const auto run = test::run(world, problem.small.problem, options, problem.split);
    EXPECT_EQ(run.summary.ending, Ending::stopped_early);
    EXPECT_EQ(run.state.epoch, run.state.best.epoch + 5);
    EXPECT_LT(run.state.epoch, 500);
}

TEST(Stopping, validation_happens_every_so_many_epochs_and_at_the_last) {
    const auto world = comm::Comm::world();
    const OtherTruth problem;
    Options options = short_run(8);
    options.validate_every = 3;
    const auto run = test::run(world, problem.small.problem, options, problem.split);
    std::vector<std::int64_t> epochs;
    for (const HistoryRow& row : run.state.history) {
        if (!std::isnan(row.validation_loss)) {
            epochs.push_back(row.epoch + 1);
        }
    }
    EXPECT_THAT(epochs, testing::ElementsAre(3, 6, 8));
}

TEST(Stopping, without_validation_the_last_point_is_reported) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 4});
    const auto run = test::run(world, small.problem, short_run(3), test::all_train(small.problem));
    EXPECT_EQ(reported_coordinates(run.state, test::all_train(small.problem)), run.state.optimiser.point);
}

} // namespace
} // namespace rondo::train
