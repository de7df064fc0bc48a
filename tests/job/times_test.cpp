#include "job/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::SizeIs;

std::vector<double> times_of(const std::string& value) {
    return job_of(with_line(generated, 15, "times = " + value)).data.times;
}

TEST(Times, a_list_is_taken_as_it_is) { EXPECT_THAT(times_of("[0, 0.5, 3]"), ElementsAre(0.0, 0.5, 3.0)); }

TEST(Times, a_step_includes_the_end_within_rounding) {
    const std::vector<double> times = times_of("{ start = 0, stop = 0.3, step = 0.1 }");
    EXPECT_THAT(times, ElementsAre(0.0, 0.1, 0.2, 3 * 0.1)); // 3 * 0.1 is above 0.3 by rounding
    EXPECT_THAT(times_of("{ start = 0.0, stop = 1.0, step = 0.1 }"), SizeIs(11));
}

TEST(Times, each_stepped_time_is_computed_from_the_start) {
    const std::vector<double> times = times_of("{ start = 1, stop = 101, step = 0.1 }");
    ASSERT_THAT(times, SizeIs(1001));
    EXPECT_EQ(times[737], 1.0 + 737.0 * 0.1);
}

TEST(Times, a_step_does_not_go_beyond_the_end) {
    EXPECT_THAT(times_of("{ start = 0, stop = 1, step = 0.4 }"), ElementsAre(0.0, 0.4, 0.8));
    EXPECT_THAT(times_of("{ start = 0, stop = 1, step = 5 }"), ElementsAre(0.0));
}

TEST(Times, a_count_has_both_ends) {
    EXPECT_THAT(times_of("{ start = 0, stop = 1, count = 5 }"), ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0));
}

TEST(Times, logarithmic_times_have_equal_ratios) {
    EXPECT_THAT(times_of("{ start = 0.01, stop = 100, count = 5, spacing = \"log\" }"),
                ElementsAre(0.01, DoubleEq(0.1), DoubleEq(1.0), DoubleEq(10.0), 100.0));
}

} // namespace
} // namespace rondo::job
