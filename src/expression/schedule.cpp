#include "schedule.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace rondo::expression {

Schedule make_schedule(const Graph& graph, const Program& program) {
    Schedule schedule;
    schedule.n_rows = program.outputs.size();
    schedule.columns = program.columns;
    if (program.columns > 0) {
        schedule.matrix = program.matrix;
        schedule.offsets = program.offsets;
    }
    for (const Entry& entry : schedule.matrix) {
        expects(entry.row < schedule.n_rows && entry.column < schedule.n_rows, "a matrix entry lies in [n x n]");
    }
    for (const Entry& entry : schedule.offsets) {
        expects(entry.row < schedule.n_rows && entry.column < schedule.columns, "an offset lies in [n x columns]");
    }
    std::ranges::stable_sort(schedule.matrix, {}, [](const Entry& e) { return std::tuple{e.row, e.column}; });

    std::vector<NodeId> roots = program.outputs;
    for (const Entry& entry : schedule.matrix) {
        roots.push_back(entry.value);
    }
    const std::vector<bool> is_early = reachable(graph, roots);
    const auto is_late = [&](const Entry& entry) { return !is_early[static_cast<std::size_t>(entry.value)]; };
    std::ranges::stable_sort(schedule.offsets, {}, [&](const Entry& e) {
        return std::tuple{is_late(e), e.value, e.column, e.row};
    });
    schedule.n_early_offsets =
        schedule.offsets.size() - static_cast<std::size_t>(std::ranges::count_if(schedule.offsets, is_late));
    for (const Entry& entry : schedule.offsets) {
        roots.push_back(entry.value);
    }
    const std::vector<bool> is_needed = reachable(graph, roots);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (is_needed[i]) {
            (is_early[i] ? schedule.early : schedule.late).push_back(NodeId{narrow<std::uint32_t>(i)});
        }
    }
    return schedule;
}

} // namespace rondo::expression
