#pragma once

#include "labels.hpp"

#include <rondo/ensemble/build.hpp>

#include <cstdint>
#include <vector>

namespace rondo::ensemble {

/// Events with the trajectories they happen to, flat with offsets as in Ensemble.
struct EventLists {
    std::vector<std::int64_t> offset; ///< [N + 1]
    std::vector<Event> events;        ///< each trajectory's in file order
};

/// Read the events table: trajectory, time, state, amount and optionally action (where it is empty: add).
///
/// @throws InputError  names file, line and what will not do
[[nodiscard]] EventLists read_events_table(const Source& source, Labels& labels);

} // namespace rondo::ensemble
