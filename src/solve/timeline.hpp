#pragma once

#include <rondo/ensemble/ensemble.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace rondo::solve {

/// A time at which something is read or changed: first the rows (points), then the events, as [begin, end).
struct Stop {
    double time = 0;
    std::size_t row_begin = 0, row_end = 0;
    std::size_t event_begin = 0, event_end = 0;
    [[nodiscard]] bool has_events() const { return event_begin < event_end; }
};

/// How far a trajectory's rows and events have been read.
struct Cursor {
    std::size_t row = 0, event = 0;
    [[nodiscard]] bool is_done(const ensemble::Trajectory& trajectory) const { return row >= trajectory.times.size(); }
};

/// The stop that comes next, if the trajectory is not done; the cursor moves behind it.
[[nodiscard]] Stop next_stop(const ensemble::Trajectory& trajectory, Cursor& cursor);

/// The time at which the segment that follows the cursor ends: of its first events, or of the last row.
[[nodiscard]] double segment_end(const ensemble::Trajectory& trajectory, const Cursor& cursor);

/// The stops of a trajectory by strictly increasing time. Rows of the same time share one; events from the last row's
/// time on are left out, since no point can notice them. No rows: no stops. Tests   tests/solve/timeline_test.cpp
[[nodiscard]] std::vector<Stop> stops_of(const ensemble::Trajectory& trajectory);

/// Stops [first, last] that one integration passes: it begins at the stop before (or at the initial time), where the
/// state may have jumped, and ends at stop `last`, the first with events or the last of all.
struct Segment {
    std::size_t first = 0, last = 0;
};

/// The segments of stops in order. A stop at the initial time itself belongs to none: it is where the first one begins.
[[nodiscard]] std::vector<Segment> segments_of(std::span<const Stop> stops, double initial_time);

} // namespace rondo::solve
