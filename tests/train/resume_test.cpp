// A run that was stopped, stored, read and continued ends with the bits of one that was not.
#include "problem.hpp"

#include <rondo/base/error.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/train/checkpoint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::train {
namespace {

using test::short_run;
using testing::HasSubstr;
namespace decay = test::decay;

/// Run until someone asks to stop in update `stop_at` (counted from 1), store, read back.
State stopped_and_read(const comm::Comm& comm, const gradient::Problem& problem, const Options& options,
                       const ensemble::Split& split, std::int64_t stop_at) {
    const test::TempDirectory own;
    const std::filesystem::path directory = comm::broadcast(comm, own.path().string());
    std::int64_t asked = 0;
    std::int64_t written = 0;
    const Hooks hooks{.on_update = {},
                      .on_checkpoint =
                          [&](const State& now) {
                              ++written;
                              write_checkpoint(directory, 3, {.kind = store::to_text(store::FileKind::checkpoint)},
                                               problem.parameters, 5, now);
                          },
                      // Only the last rank hears the request.
                      .stop_requested = [&] { return ++asked == stop_at && comm.rank() + 1 == comm.size(); }};
    const auto stopped = test::run(comm, problem, options, split, hooks);
    EXPECT_EQ(stopped.summary.ending, Ending::interrupted);
    EXPECT_EQ(stopped.state.optimiser.update, stop_at);
    EXPECT_EQ(written, comm.rank() == 0 ? 1 : 0);
    State read;
    comm::barrier(comm);
    const auto newest = newest_checkpoint(directory);
    EXPECT_TRUE(newest.checkpoint);
    read = newest.checkpoint->state;
    test::expect_same(read, stopped.state);
    comm::barrier(comm);
    return read;
}

void expect_the_uninterrupted_run(const test::SmallProblem& small, const Options& options, const ensemble::Split& split,
                                  std::int64_t stop_at) {
    const auto world = comm::Comm::world();
    const auto whole = test::run(world, small.problem, options, split);
    const State middle = stopped_and_read(world, small.problem, options, split, stop_at);
    const auto continued = test::go_on(world, small.problem, options, split, middle);
    test::expect_same(continued.state, whole.state);
    EXPECT_EQ(continued.summary.ending, whole.summary.ending);
    EXPECT_EQ(continued.summary.reason, whole.summary.reason);
    EXPECT_GE(continued.state.wall_s, middle.wall_s);
    const auto alone = test::go_on(comm::Comm::self(), small.problem, options, split, middle); // on another rank count
    test::expect_same(alone.state, whole.state);
}

TEST(Resume, adam_in_the_middle_of_an_epoch) {
    Options options = short_run(4);
    options.batch_size = 2;
    expect_the_uninterrupted_run(decay::make({.n = 7}), options, {{0, 1, 2, 3, 4, 6}, {5}}, 5);
}

TEST(Resume, adam_at_the_end_of_an_epoch) {
    Options options = short_run(4);
    options.batch_size = 4;
    expect_the_uninterrupted_run(decay::make({.n = 7}), options, {test::first_positions(7), {}}, 2);
}

TEST(Resume, lbfgs) {
    expect_the_uninterrupted_run(decay::make({.n = 5}), short_run(12, optimise::Rule::lbfgs), {{0, 1, 2, 3, 4}, {}}, 5);
}

TEST(Resume, levenberg_marquardt) {
    expect_the_uninterrupted_run(decay::make({.n = 5}), short_run(6, optimise::Rule::levenberg_marquardt),
                                 {{0, 1, 2, 3, 4}, {}}, 3);
}

TEST(Resume, with_a_dropped_trajectory) {
    test::SmallProblem small = decay::make({.n = 6, .k = 2.0, .a = 1.0, .bursting = {4}});
    small.problem.options.on_failure = gradient::OnFailure::drop;
    small.problem.options.max_failed_fraction = 0.5;
    Options options = short_run(20, optimise::Rule::adam, 0.1);
    options.batch_size = 4;
    expect_the_uninterrupted_run(small, options, test::all_train(small.problem), 33);
}

TEST(Resume, a_state_that_has_ended_ends_at_once) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 4, .noise = 0.0});
    const Options options = short_run(200, optimise::Rule::levenberg_marquardt);
    const auto first = test::run(world, small.problem, options, test::all_train(small.problem));
    ASSERT_TRUE(first.state.ended);
    bool called = false;
    const Hooks hooks{.on_update = [&](const HistoryRow&) { called = true; },
                      .on_checkpoint = [&](const State&) { called = true; },
                      .stop_requested = {}};
    const auto again = test::go_on(world, small.problem, options, test::all_train(small.problem), first.state, hooks);
    EXPECT_FALSE(called);
    EXPECT_EQ(again.summary.ending, Ending::converged);
    EXPECT_EQ(again.summary.reason, "the run had ended before");
    test::expect_same(again.state, first.state);
}

TEST(Resume, a_run_whose_epochs_are_done_goes_on_when_given_more) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 5});
    const auto split = test::all_train(small.problem);
    const auto half = test::run(world, small.problem, short_run(3), split);
    const auto again = test::go_on(world, small.problem, short_run(3), split, half.state);
    EXPECT_EQ(again.summary.reason, "all 3 epochs are done");
    test::expect_same(again.state, half.state);
    test::expect_same(test::go_on(world, small.problem, short_run(6), split, half.state).state,
                      test::run(world, small.problem, short_run(6), split).state);
}

TEST(Resume, weak_scaling_on_another_rank_count_uses_each_trajectory_once) {
    const auto world = comm::Comm::world();
    const auto self = comm::Comm::self();
    const test::SmallProblem small = decay::make({.n = 9});
    Options options = short_run(1);
    options.batch_size = 2;
    options.scaling = Scaling::weak;
    const auto split = test::all_train(small.problem);
    const State middle = stopped_and_read(self, small.problem, options, split, 3); // 6 of 9 used
    const auto continued = test::go_on(world, small.problem, options, split, middle);
    std::int64_t total = 0;
    for (const HistoryRow& row : continued.state.history) {
        total += row.n_solved;
    }
    EXPECT_EQ(total, 9);
    EXPECT_EQ(continued.state.epoch, 1);
}

TEST(Resume, checkpoints_are_due_every_so_many_updates_and_at_the_end) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 3});
    Options options = short_run(7);
    options.checkpoint.every = 3;
    std::vector<std::int64_t> updates;
    const Hooks hooks{.on_update = {},
                      .on_checkpoint = [&](const State& state) { updates.push_back(state.optimiser.update); },
                      .stop_requested = {}};
    (void)test::run(world, small.problem, options, test::all_train(small.problem), hooks);
    if (world.rank() == 0) {
        EXPECT_THAT(updates, testing::ElementsAre(3, 6, 7));
    } else {
        EXPECT_TRUE(updates.empty());
    }
}

TEST(Resume, a_checkpoint_that_cannot_be_written_is_an_error_on_all_ranks) {
    const auto world = comm::Comm::world();
    const test::SmallProblem small = decay::make({.n = 3});
    Options options = short_run(2);
    options.checkpoint.every = 1;
    const Hooks hooks{
        .on_update = {}, .on_checkpoint = [](const State&) { throw StoreError{"disk: full"}; }, .stop_requested = {}};
    EXPECT_THAT(test::message_of<StoreError>(
                    [&] { (void)test::run(world, small.problem, options, test::all_train(small.problem), hooks); }),
                HasSubstr("disk: full"));
}

} // namespace
} // namespace rondo::train
