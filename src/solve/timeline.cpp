#include "timeline.hpp"

namespace rondo::solve {

Stop next_stop(const ensemble::Trajectory& trajectory, Cursor& cursor) {
    const auto& times = trajectory.times;
    const auto& events = trajectory.events;
    Stop stop{times[cursor.row], cursor.row, cursor.row, cursor.event, cursor.event};
    if (cursor.event < events.size() && events[cursor.event].time < stop.time) {
        stop.time = events[cursor.event].time;
    }
    while (cursor.row < times.size() && times[cursor.row] == stop.time) {
        ++cursor.row;
    }
    stop.row_end = cursor.row;
    if (cursor.row < times.size()) {
        while (cursor.event < events.size() && events[cursor.event].time == stop.time) {
            ++cursor.event;
        }
    }
    stop.event_end = cursor.event;
    return stop;
}

double segment_end(const ensemble::Trajectory& trajectory, const Cursor& cursor) {
    const double last = trajectory.times.back();
    const auto& events = trajectory.events;
    return cursor.event < events.size() && events[cursor.event].time < last ? events[cursor.event].time : last;
}

std::vector<Stop> stops_of(const ensemble::Trajectory& trajectory) {
    std::vector<Stop> stops;
    stops.reserve(trajectory.times.size());
    for (Cursor cursor; !cursor.is_done(trajectory);) {
        stops.push_back(next_stop(trajectory, cursor));
    }
    return stops;
}

std::vector<Segment> segments_of(std::span<const Stop> stops, double initial_time) {
    std::vector<Segment> segments;
    std::size_t next = !stops.empty() && stops[0].time == initial_time ? 1 : 0;
    while (next < stops.size()) {
        Segment segment{next, next};
        while (segment.last + 1 < stops.size() && !stops[segment.last].has_events()) {
            ++segment.last;
        }
        segments.push_back(segment);
        next = segment.last + 1;
    }
    return segments;
}

} // namespace rondo::solve
