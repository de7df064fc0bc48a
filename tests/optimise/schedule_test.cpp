#include <rondo/optimise/schedule.hpp>

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

TEST(LearningRate, constant_stays) {
    const Schedule schedule{.initial = 0.25};
    EXPECT_EQ(learning_rate(schedule, 0), 0.25);
    EXPECT_EQ(learning_rate(schedule, 1'000'000), 0.25);
}

TEST(LearningRate, step_falls_at_every_nth_update) {
    const Schedule schedule{.kind = ScheduleKind::step, .initial = 1.0, .decay = 0.5, .every = 10};
    EXPECT_EQ(learning_rate(schedule, 9), 1.0);
    EXPECT_EQ(learning_rate(schedule, 10), 0.5);
    EXPECT_EQ(learning_rate(schedule, 29), 0.25);
}

TEST(LearningRate, exponential_falls_smoothly) {
    const Schedule schedule{.kind = ScheduleKind::exponential, .initial = 2.0, .decay = 0.25, .every = 10};
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 5), 1.0);
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 10), 0.5);
}

TEST(LearningRate, inverse_time_falls_as_one_over_t) {
    const Schedule schedule{.kind = ScheduleKind::inverse_time, .initial = 1.0, .decay = 2.0, .every = 10};
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 0), 1.0);
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 5), 0.5);
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 20), 0.2);
}

TEST(LearningRate, cosine_ends_at_its_final_fraction_and_stays) {
    const Schedule schedule{.kind = ScheduleKind::cosine, .initial = 1.0, .total = 100, .final_fraction = 0.2};
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 0), 1.0);
    EXPECT_NEAR(learning_rate(schedule, 50), 0.6, 1e-15);
    EXPECT_NEAR(learning_rate(schedule, 25), 0.2 + 0.4 * (1.0 + std::sqrt(0.5)), 1e-15);
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 100), 0.2);
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 500), 0.2);
}

TEST(LearningRate, warms_up_before_the_schedule_begins) {
    const Schedule schedule{.kind = ScheduleKind::step, .initial = 1.0, .decay = 0.5, .every = 10, .warmup = 4};
    EXPECT_EQ(learning_rate(schedule, 0), 0.25);
    EXPECT_EQ(learning_rate(schedule, 3), 1.0);
    EXPECT_EQ(learning_rate(schedule, 13), 1.0);
    EXPECT_EQ(learning_rate(schedule, 14), 0.5);
}

TEST(ScheduleNames, name_every_kind_once) {
    for (const std::string& name : schedule_names()) {
        ASSERT_TRUE(schedule_from(name)) << name;
        EXPECT_EQ(name_of(*schedule_from(name)), name);
    }
    EXPECT_EQ(schedule_from("inverse_time"), ScheduleKind::inverse_time);
    EXPECT_EQ(schedule_from("linear"), std::nullopt);
}

std::string complaint(const Schedule& schedule) {
    try {
        validate(schedule, "job.toml: [train]");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ValidateSchedule, accepts_what_its_kind_uses) {
    EXPECT_EQ(complaint({}), "");
    EXPECT_EQ(complaint({.kind = ScheduleKind::constant, .decay = -1, .every = 0}), "");
    EXPECT_EQ(complaint({.kind = ScheduleKind::cosine, .total = 1, .final_fraction = 1}), "");
}

TEST(ValidateSchedule, names_key_value_and_range) {
    EXPECT_EQ(
        complaint({.kind = ScheduleKind::step, .decay = 1.5}),
        "job.toml: [train]: decay = 1.5 is out of range (allowed: 0 < decay <= 1); give the factor of one decay step, "
        "for instance 0.5");
    EXPECT_THAT(complaint({.initial = 0}), HasSubstr("initial = 0 is out of range"));
    EXPECT_THAT(complaint({.initial = std::nan("")}), HasSubstr("initial = nan is out of range"));
    EXPECT_THAT(complaint({.warmup = -1}), HasSubstr("warmup = -1 is out of range"));
    EXPECT_THAT(complaint({.kind = ScheduleKind::inverse_time, .decay = -1}), HasSubstr("decay = -1 is out of range"));
    EXPECT_THAT(complaint({.kind = ScheduleKind::exponential, .every = 0}), HasSubstr("every = 0 is out of range"));
    EXPECT_THAT(complaint({.kind = ScheduleKind::cosine}), HasSubstr("total = 0 is out of range"));
    EXPECT_THAT(complaint({.kind = ScheduleKind::cosine, .total = 5, .final_fraction = 2}),
                HasSubstr("final_fraction = 2 is out of range"));
}

} // namespace
} // namespace rondo::optimise
