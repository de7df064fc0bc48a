#include "solve/timeline.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::solve {
namespace {

using ensemble::Action;
using ensemble::Event;

std::vector<Stop> stops_for(const std::vector<double>& times, const std::vector<double>& event_times) {
    std::vector<Event> events;
    events.reserve(event_times.size());
    for (const double time : event_times) {
        events.push_back({time, 0, Action::add, -1, 1.0});
    }
    ensemble::Trajectory trajectory;
    trajectory.times = times;
    trajectory.events = events;
    return stops_of(trajectory);
}

void expect_stop(const Stop& stop, double time, std::size_t row_begin, std::size_t row_end, std::size_t event_begin,
                 std::size_t event_end) {
    EXPECT_EQ(stop.time, time);
    EXPECT_EQ(stop.row_begin, row_begin);
    EXPECT_EQ(stop.row_end, row_end);
    EXPECT_EQ(stop.event_begin, event_begin);
    EXPECT_EQ(stop.event_end, event_end);
}

TEST(StopsOf, replicates_share_a_stop) {
    const auto stops = stops_for({0.0, 1.0, 1.0, 1.0, 2.0}, {});

    ASSERT_EQ(stops.size(), 3U);
    expect_stop(stops[0], 0.0, 0, 1, 0, 0);
    expect_stop(stops[1], 1.0, 1, 4, 0, 0);
    expect_stop(stops[2], 2.0, 4, 5, 0, 0);
}

TEST(StopsOf, events_come_between_and_at_points) {
    const auto stops = stops_for({1.0, 2.0, 3.0}, {0.0, 1.5, 2.0, 2.0});

    ASSERT_EQ(stops.size(), 5U);
    expect_stop(stops[0], 0.0, 0, 0, 0, 1);
    expect_stop(stops[1], 1.0, 0, 1, 1, 1);
    expect_stop(stops[2], 1.5, 1, 1, 1, 2);
    expect_stop(stops[3], 2.0, 1, 2, 2, 4);
    expect_stop(stops[4], 3.0, 2, 3, 4, 4);
}

TEST(StopsOf, events_from_the_last_point_on_are_left_out) {
    const auto stops = stops_for({1.0, 2.0}, {2.0, 3.0});

    ASSERT_EQ(stops.size(), 2U);
    EXPECT_FALSE(stops[1].has_events());
}

TEST(StopsOf, no_points_no_stops) { EXPECT_TRUE(stops_for({}, {1.0}).empty()); }

TEST(SegmentsOf, end_at_events_and_at_the_last_stop) {
    const auto segments = segments_of(stops_for({0.0, 1.0, 2.0, 3.0, 4.0}, {0.0, 2.0}), 0.0);

    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].first, 1U);
    EXPECT_EQ(segments[0].last, 2U);
    EXPECT_EQ(segments[1].first, 3U);
    EXPECT_EQ(segments[1].last, 4U);
}

TEST(SegmentsOf, a_stop_after_the_initial_time_is_in_the_first_segment) {
    const auto segments = segments_of(stops_for({1.0}, {}), 0.0);

    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].first, 0U);
    EXPECT_TRUE(segments_of(stops_for({0.0}, {}), 0.0).empty());
    EXPECT_TRUE(segments_of({}, 0.0).empty());
}

} // namespace
} // namespace rondo::solve
