#include "ensemble/files.hpp"

namespace rondo::ensemble {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class Generated : public FilesTest {
protected:
    Generated() {
        source.where = "job.toml";
        source.n_trajectories = 2;
        source.times = {0.0, 0.5, 2.0};
        source.columns = {"x", "y"};
    }
    [[nodiscard]] static Formula target(const std::string& name, const std::string& text) {
        return {name, text, "job.toml: [ensemble] target"};
    }
    Source source;
};

TEST_F(Generated, every_trajectory_has_the_same_times_and_no_values) {
    const Ensemble e = build(source);
    EXPECT_THAT(e.labels, ElementsAre("1", "2"));
    EXPECT_THAT(e.offset, ElementsAre(0, 3, 6));
    EXPECT_THAT(e.time, ElementsAre(0, 0.5, 2, 0, 0.5, 2));
    EXPECT_EQ(e.value.size(), 12U);
    EXPECT_EQ(e.n_points(), 0);
    EXPECT_TRUE(e.sigma.empty());
}

TEST_F(Generated, the_trajectories_table_gives_number_and_labels) {
    source.trajectories_file = write("starts.csv", "trajectory,x0\na,1\nb,2\nc,3\n");
    source.n_trajectories = 0;
    EXPECT_THAT(build(source).labels, ElementsAre("a", "b", "c"));
}

TEST_F(Generated, targets_use_time_index_and_covariates) {
    source.covariates = {{"k", "10 * index", "job.toml: [ensemble.covariates] k"}};
    source.targets = {target("x", "t + index"), target("y", "k * t")};
    EXPECT_THAT(build(source).value, ElementsAre(1, 0, 1.5, 5, 3, 20, 2, 0, 2.5, 10, 4, 40));
}

TEST_F(Generated, a_target_without_name_is_for_every_other_column) {
    source.n_trajectories = 1;
    source.times = {0.0};
    source.targets = {target("", "1"), target("y", "2")};
    EXPECT_THAT(build(source).value, ElementsAre(1, 2));
    source.targets = {target("y", "2"), target("", "1")};
    EXPECT_THAT(build(source).value, ElementsAre(1, 2));
    source.targets = {target("y", "2")};
    EXPECT_THAT(build(source).value, same({nan, 2}));
}

TEST_F(Generated, a_hundred_thousand_trajectories_are_no_trouble) {
    source.n_trajectories = 100000;
    source.targets = {target("", "t * index")};
    const Ensemble e = build(source);
    EXPECT_EQ(e.size(), 100000);
    EXPECT_EQ(e.trajectory(99999).values[4], 200000.0);
}

// Messages.

TEST_F(Generated, refuses_a_number_that_differs_from_the_table) {
    source.trajectories_file = write("starts.csv", "trajectory,x0\na,1\nb,2\nc,3\n");
    EXPECT_THAT(message_of_build(source), testing::AllOf(HasSubstr("job.toml: [ensemble] trajectories = 2, but "),
                                                         HasSubstr("starts.csv has 3 rows")));
}

TEST_F(Generated, refuses_no_trajectories) {
    source.n_trajectories = 0;
    EXPECT_THAT(message_of_build(source), HasSubstr("job.toml: [ensemble] trajectories = 0 (allowed: 1 or more)"));
    source.n_trajectories = -3;
    EXPECT_THAT(message_of_build(source), HasSubstr("job.toml: [ensemble] trajectories = -3 (allowed: 1 or more)"));
}

TEST_F(Generated, refuses_times_that_will_not_do) {
    source.times = {};
    EXPECT_THAT(message_of_build(source), HasSubstr("job.toml: [ensemble] times: there are none"));
    source.times = {1.0, 0.5};
    EXPECT_THAT(message_of_build(source),
                HasSubstr("job.toml: [ensemble] times: 0.5 comes after 1 (times must not decrease)"));
    source.times = {-1.0};
    EXPECT_THAT(message_of_build(source),
                HasSubstr("job.toml: [ensemble] times: time = -1 is before the initial time 0"));
    source.times = {nan};
    EXPECT_THAT(message_of_build(source), HasSubstr("time = nan is not a number"));
}

TEST_F(Generated, refuses_a_target_of_an_unknown_column) {
    source.targets = {target("xx", "1")};
    EXPECT_THAT(message_of_build(source),
                HasSubstr("job.toml: [ensemble] target: observable \"xx\" is unknown (known: x, y)"));
}

TEST_F(Generated, refuses_targets_that_are_no_values) {
    source.targets = {target("", "log(t - 1)")};
    EXPECT_THAT(
        message_of_build(source),
        HasSubstr(
            "job.toml: [ensemble] target: trajectory \"1\", t = 0: x = nan is not a number; correct the expression"));
    source.targets = {target("", "1 / t")};
    EXPECT_THAT(message_of_build(source), HasSubstr("x = inf is not finite"));
    source.targets = {target("", "t")};
    source.needs_positive = true;
    EXPECT_THAT(message_of_build(source), HasSubstr("x = 0 is not positive"));
    source.needs_positive = false;
    source.needs_sigma = true;
    EXPECT_THAT(message_of_build(source), HasSubstr("x = 0 has no sigma"));
}

TEST_F(Generated, targets_take_no_random_numbers) {
    source.targets = {target("", "uniform(0, 1)")};
    EXPECT_THAT(message_of_build(source), HasSubstr("job.toml: [ensemble] target"));
}

} // namespace
} // namespace rondo::ensemble
