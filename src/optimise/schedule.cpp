#include <rondo/optimise/schedule.hpp>

#include <rondo/base/contract.hpp>

#include "ranges.hpp"
#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace rondo::optimise {

const std::vector<std::string>& schedule_names() {
    static const std::vector<std::string> names{"constant", "step", "cosine", "exponential", "inverse_time"};
    return names;
}

std::optional<ScheduleKind> schedule_from(std::string_view name) {
    return value_named<ScheduleKind>(schedule_names(), name);
}

std::string_view name_of(ScheduleKind kind) { return schedule_names()[static_cast<std::size_t>(kind)]; }

double learning_rate(const Schedule& schedule, std::int64_t update) {
    expects(update >= 0, "updates count from 0");
    if (update < schedule.warmup) {
        return schedule.initial * (static_cast<double>(update + 1) / static_cast<double>(schedule.warmup));
    }
    const std::int64_t passed = update - schedule.warmup;
    switch (schedule.kind) {
    case ScheduleKind::constant:
        break;
    case ScheduleKind::step:
        expects(schedule.every >= 1, "a step schedule steps");
        return schedule.initial * std::pow(schedule.decay, static_cast<double>(passed / schedule.every));
    case ScheduleKind::cosine: {
        expects(schedule.total >= 1, "a cosine schedule has a length");
        const double phase =
            static_cast<double>(std::min(passed, schedule.total)) / static_cast<double>(schedule.total);
        const double left = 0.5 * (1.0 + std::cos(std::numbers::pi * phase));
        return schedule.initial * (schedule.final_fraction + (1.0 - schedule.final_fraction) * left);
    }
    case ScheduleKind::exponential:
        expects(schedule.every >= 1, "an exponential schedule decays");
        return schedule.initial *
               std::pow(schedule.decay, static_cast<double>(passed) / static_cast<double>(schedule.every));
    case ScheduleKind::inverse_time:
        expects(schedule.every >= 1, "an inverse time schedule decays");
        return schedule.initial /
               (1.0 + schedule.decay * (static_cast<double>(passed) / static_cast<double>(schedule.every)));
    }
    return schedule.initial;
}

void validate(const Schedule& schedule, const std::string& where) {
    const bool is_positive = std::isfinite(schedule.initial) && schedule.initial > 0;
    require(is_positive, where, "initial", schedule.initial, "positive numbers",
            "give the learning rate after the warm-up");
    require(schedule.warmup >= 0, where, "warmup", static_cast<double>(schedule.warmup), "0, 1, 2, ...",
            "give the updates of the warm-up, 0 for none");
    const bool is_multiplied = schedule.kind == ScheduleKind::step || schedule.kind == ScheduleKind::exponential;
    if (is_multiplied) {
        require(schedule.decay > 0 && schedule.decay <= 1, where, "decay", schedule.decay, "0 < decay <= 1",
                "give the factor of one decay step, for instance 0.5");
    }
    if (schedule.kind == ScheduleKind::inverse_time) {
        require(std::isfinite(schedule.decay) && schedule.decay >= 0, where, "decay", schedule.decay, "decay >= 0",
                "give the coefficient of inverse_time, for instance 1");
    }
    if (is_multiplied || schedule.kind == ScheduleKind::inverse_time) {
        require(schedule.every >= 1, where, "every", static_cast<double>(schedule.every), "1, 2, ...",
                "give the updates that one decay step takes");
    }
    if (schedule.kind == ScheduleKind::cosine) {
        require(schedule.total >= 1, where, "total", static_cast<double>(schedule.total), "1, 2, ...",
                "give the updates over which the cosine falls");
        require(schedule.final_fraction >= 0 && schedule.final_fraction <= 1, where, "final_fraction",
                schedule.final_fraction, "0 <= final_fraction <= 1",
                "give where the cosine ends as a fraction of the initial rate");
    }
}

} // namespace rondo::optimise
