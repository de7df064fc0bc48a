#include <rondo/base/error.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/train/checkpoint.hpp>
#include <rondo/train/run.hpp>

#include "support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace rondo::train {
namespace {

using test::TempDirectory;
using testing::HasSubstr;
namespace decay = test::decay;

/// A state with something in every field.
State full_state(std::int64_t update) {
    State state;
    state.optimiser = {.point = {0.1, -2.0},
                       .update = update,
                       .memory = {{"m", {1.0, 1.0 / 3.0}}, {"v", {5e-324, -0.0}}},
                       .scalars = {{"damping", 1e-3}}};
    state.epoch = 3;
    state.position = 4;
    state.epoch_loss = 0.7;
    state.epoch_solved = 8;
    state.best = {.loss = 0.25, .epoch = 2, .coordinates = {0.5, 0.6}};
    state.costs = {10, 20, 30};
    state.running_costs = {11, 0, 31};
    state.history = {{.update = 0,
                      .epoch = 0,
                      .loss = 2.0,
                      .gradient_norm = 3.0,
                      .learning_rate = 0.1,
                      .wall_s = 0.5,
                      .n_solved = 2,
                      .n_failed = 1},
                     {.update = 1,
                      .epoch = 1,
                      .loss = 1.0,
                      .validation_loss = 1.5,
                      .gradient_norm = 2.0,
                      .learning_rate = 0.2,
                      .wall_s = 0.6,
                      .n_solved = 3}};
    state.failures[2] = {.trajectory = 2,
                         .outcome = {.attempts = 3,
                                     .method = solve::Method::bdf,
                                     .n_steps = 7,
                                     .n_rhs = 9,
                                     .time_reached = 1.25,
                                     .wall_s = 0.1,
                                     .reason = "too stiff"},
                         .update = 5};
    state.failed_at_accepted = 1;
    state.wall_s = 12.5;
    state.ended = true;
    return state;
}

store::Provenance provenance() {
    return {.kind = store::to_text(store::FileKind::checkpoint), .rondo_version = "0", .job = "title = \"a\""};
}

const std::vector<gradient::Parameter>& parameters() {
    static const std::vector<gradient::Parameter> all{
        {.name = "p", .estimated = true}, {.name = "fixed", .initial = 7.0}, {.name = "q", .estimated = true}};
    return all;
}

void write(const TempDirectory& directory, std::int64_t update, int keep = 100) {
    write_checkpoint(directory.path(), keep, provenance(), parameters(), 0xfedcba9876543210U, full_state(update));
}

std::vector<std::string> names_in(const TempDirectory& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{directory.path()}) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

TEST(Checkpoint, written_and_read_back_is_the_same) {
    const TempDirectory directory;
    write(directory, 17);
    const Checkpoint read = read_checkpoint(directory.path() / "checkpoint_17.h5");
    const State state = full_state(17);
    test::expect_same(read.state, state);
    EXPECT_EQ(read.state.wall_s, state.wall_s);
    EXPECT_EQ(read.state.history[1].wall_s, 0.6);
    EXPECT_EQ(read.state.running_costs, state.running_costs);
    EXPECT_EQ(read.state.failed_at_accepted, 1);
    EXPECT_TRUE(std::signbit(read.state.optimiser.memory.at("v")[1]));
    ASSERT_EQ(read.state.failures.size(), 1U);
    const auto& failure = read.state.failures.at(2);
    EXPECT_EQ(failure.update, 5);
    EXPECT_EQ(failure.outcome.time_reached, 1.25);
    EXPECT_EQ(failure.outcome.reason, "too stiff");
    EXPECT_EQ(failure.outcome.method, solve::Method::bdf);
    EXPECT_EQ(failure.outcome.attempts, 3);
    EXPECT_EQ(failure.outcome.n_steps, 7);
    EXPECT_EQ(failure.outcome.n_rhs, 9);
    EXPECT_EQ(read.data_hash, 0xfedcba9876543210U);
    EXPECT_EQ(read.provenance.job, "title = \"a\"");
    EXPECT_EQ(read.names, (std::vector<std::string>{"p", "fixed", "q"}));
    EXPECT_EQ(read.values, (std::vector<double>{0.1, 7.0, -2.0}));
}

TEST(Checkpoint, its_parameters_can_be_read_alone) {
    const TempDirectory directory;
    write(directory, 1);
    const auto read = read_parameters(directory.path() / "checkpoint_1.h5");
    EXPECT_EQ(read.names, (std::vector<std::string>{"p", "fixed", "q"}));
    EXPECT_EQ(read.values, (std::vector<double>{0.1, 7.0, -2.0}));
}

TEST(Checkpoint, only_the_newest_stay) {
    const TempDirectory directory;
    for (const std::int64_t update : {5, 10, 100, 20}) {
        write(directory, update, update == 20 ? 2 : 100);
    }
    // 100 was not there to be replaced: a run that went on from 10 found it unreadable.
    EXPECT_THAT(names_in(directory), testing::ElementsAre("checkpoint_10.h5", "checkpoint_100.h5", "checkpoint_20.h5"));
    write(directory, 100, 1);
    EXPECT_THAT(names_in(directory), testing::ElementsAre("checkpoint_100.h5"));
}

TEST(Checkpoint, a_damaged_newer_one_does_not_push_out_the_good) {
    const TempDirectory directory;
    write(directory, 10);
    std::ofstream{directory.path() / "checkpoint_20.h5"} << "cut short";
    write(directory, 15, 1);
    const auto newest = newest_checkpoint(directory.path());
    ASSERT_TRUE(newest.checkpoint);
    EXPECT_EQ(newest.checkpoint->state.optimiser.update, 15);
}

TEST(Checkpoint, the_newest_good_one_passes_over_truncated_and_foreign_files) {
    const TempDirectory directory;
    for (const std::int64_t update : {10, 20, 30}) {
        write(directory, update);
    }
    const auto truncated = directory.path() / "checkpoint_30.h5";
    std::filesystem::resize_file(truncated, std::filesystem::file_size(truncated) / 2);
    std::ofstream{directory.path() / "checkpoint_40.h5"} << "not ours";
    store::FileWriter other{directory.path() / "checkpoint_50.h5"};
    store::write_provenance(other, {.kind = store::to_text(store::FileKind::result)});
    other.close();
    const auto newest = newest_checkpoint(directory.path());
    ASSERT_TRUE(newest.checkpoint);
    EXPECT_EQ(newest.checkpoint->file.filename(), "checkpoint_20.h5");
    ASSERT_EQ(newest.rejected.size(), 3U);
    EXPECT_THAT(newest.rejected[0], HasSubstr("checkpoint_50.h5"));
    EXPECT_THAT(newest.rejected[1], HasSubstr("checkpoint_40.h5"));
    EXPECT_THAT(newest.rejected[2], HasSubstr("checkpoint_30.h5"));
}

TEST(Checkpoint, an_empty_or_missing_directory_has_none) {
    const TempDirectory directory;
    EXPECT_FALSE(newest_checkpoint(directory.path()).checkpoint);
    EXPECT_TRUE(newest_checkpoint(directory.path() / "missing").rejected.empty());
}

TEST(Checkpoint, a_file_of_another_kind_is_refused_with_its_kind) {
    const TempDirectory directory;
    store::FileWriter other{directory.path() / "data.h5"};
    store::write_provenance(other, {.kind = store::to_text(store::FileKind::dataset)});
    other.close();
    EXPECT_THAT(test::message_of<InputError>([&] { (void)read_checkpoint(directory.path() / "data.h5"); }),
                HasSubstr("dataset"));
    EXPECT_THAT(
        test::message_of<InputError>([&] { (void)read_parameters(directory.path() / "data.h5"); }),
        HasSubstr("is a file of kind \"dataset\", which holds no fitted parameters; give a checkpoint or a result"));
    EXPECT_THAT(test::message_of<InputError>([&] { (void)read_checkpoint(directory.path() / "nothing.h5"); }),
                HasSubstr("nothing.h5"));
}

TEST(Checkpoint, a_damaged_file_and_a_missing_directory_are_store_errors) {
    const TempDirectory directory;
    write(directory, 30);
    const auto file = directory.path() / "checkpoint_30.h5";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_THAT(test::message_of<StoreError>([&] { (void)read_checkpoint(file); }), HasSubstr("checkpoint_30.h5"));
    EXPECT_THAT(test::message_of<StoreError>([&] {
                    write_checkpoint(directory.path() / "gone", 1, provenance(), parameters(), 0, full_state(1));
                }),
                HasSubstr("gone"));
}

} // namespace
} // namespace rondo::train
