#include "events_table.hpp"

#include "checks.hpp"
#include "columns.hpp"
#include "events.hpp"

#include <rondo/store/csv.hpp>

#include <algorithm>
#include <utility>

namespace rondo::ensemble {
namespace {

using Owned = std::pair<std::int64_t, Event>; // trajectory, event

EventLists by_trajectory(std::vector<Owned> owned, std::size_t n_trajectories) {
    std::ranges::stable_sort(owned, {}, &Owned::first);
    EventLists lists;
    lists.offset.assign(n_trajectories + 1, 0);
    lists.events.reserve(owned.size());
    for (const auto& [trajectory, event] : owned) {
        lists.events.push_back(event);
        ++lists.offset[static_cast<std::size_t>(trajectory) + 1];
    }
    for (std::size_t i = 1; i < lists.offset.size(); ++i) {
        lists.offset[i] += lists.offset[i - 1];
    }
    return lists;
}

} // namespace

EventLists read_events_table(const Source& source, Labels& labels) {
    const store::Table table = store::read_csv(source.events_file);
    const std::vector<std::string> known{"trajectory", "time", "state", "amount", "action"};
    refuse_unknown_columns(table, known);
    const std::size_t time = table.require("time"), state = table.require("state"), amount = table.require("amount");
    const auto action = table.find("action");
    TrajectoryColumn trajectory{table, labels, NewLabels::refuse};
    std::vector<Owned> owned;
    owned.reserve(table.n_rows());
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        const std::string where = place(table, row);
        Event event;
        event.time = table.number(row, time);
        refuse(where, time_fault(source, event.time));
        event.state = state_number(source, table.cell(row, state), where);
        event.value = table.number(row, amount);
        if (action && !table.cell(row, *action).empty()) {
            event.action = action_from(table.cell(row, *action), where);
        }
        owned.emplace_back(trajectory.number(row), event);
    }
    return by_trajectory(std::move(owned), labels.size());
}

} // namespace rondo::ensemble
