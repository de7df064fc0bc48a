#include "checks.hpp"
#include "data_set.hpp"
#include "events.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rondo::ensemble {

EventLists read_data_set_events(const Source& source, const store::FileReader& file, std::size_t n_trajectories) {
    EventLists lists;
    if (!file.exists("/events")) {
        lists.offset.assign(n_trajectories + 1, 0);
        return lists;
    }
    const auto time = file.read<double>("/events/time");
    for (const char* name : {"/events/state", "/events/action", "/events/value"}) {
        check_shape(file, name, {time.size()});
    }
    lists.offset = file.read<std::int64_t>("/events/offset");
    check_offset(file, "/events/offset", lists.offset, n_trajectories, time.size());
    const auto state = file.read<std::string>("/events/state"), action = file.read<std::string>("/events/action");
    const auto value = file.read<double>("/events/value");
    for (std::size_t k = 0; k < time.size(); ++k) {
        const std::string where = fmt::format("{}: /events, row {}", file.path().string(), k);
        refuse(where, time_fault(source, time[k]));
        refuse(where, std::isfinite(value[k])
                          ? ""
                          : fmt::format("value = {} is not finite; correct it", plain_text(value[k])));
        lists.events.push_back({.time = time[k],
                                .state = state_number(source, state[k], where),
                                .action = action_from(action[k], where),
                                .amount = -1,
                                .value = value[k]});
    }
    return lists;
}

} // namespace rondo::ensemble
