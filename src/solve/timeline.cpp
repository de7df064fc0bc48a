#include "timeline.hpp"

namespace rondo::solve {

std::vector<Stop> stops_of(const ensemble::Trajectory& trajectory) {
    const auto& times = trajectory.times;
    const auto& events = trajectory.events;
    std::vector<Stop> stops;
    stops.reserve(times.size());
    std::size_t row = 0, event = 0;
    while (row < times.size()) {
        Stop stop{times[row], row, row, event, event};
        if (event < events.size() && events[event].time < stop.time) {
            stop.time = events[event].time;
        }
        while (row < times.size() && times[row] == stop.time) {
            ++row;
        }
        stop.row_end = row;
        if (row < times.size()) {
            while (event < events.size() && events[event].time == stop.time) {
                ++event;
            }
        }
        stop.event_end = event;
        stops.push_back(stop);
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
