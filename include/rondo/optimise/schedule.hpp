#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::optimise {

/// How the learning rate falls while updates pass.
enum class ScheduleKind { constant, step, cosine, exponential, inverse_time };

/// Every schedule's name as a job file spells it, in the order of the enum.
[[nodiscard]] const std::vector<std::string>& schedule_names();
[[nodiscard]] std::optional<ScheduleKind> schedule_from(std::string_view name);
[[nodiscard]] std::string_view name_of(ScheduleKind kind);

/// A learning rate as a function of the update; see learning_rate() for the formulas.
struct Schedule {
    ScheduleKind kind = ScheduleKind::constant;
    double initial = 1e-2;       ///< the rate after the warm-up
    double decay = 0.5;          ///< factor of step and exponential, coefficient of inverse_time
    std::int64_t every = 100;    ///< updates a decay step takes (step, exponential, inverse_time)
    std::int64_t total = 0;      ///< updates over which cosine falls, counted after the warm-up; at least 1 for cosine
    double final_fraction = 0.0; ///< where cosine ends, as a fraction of initial
    std::int64_t warmup = 0;     ///< updates of linear warm-up before the schedule begins
};

/// The learning rate of one update.
///
/// While u < warmup the rate is  initial (u + 1) / warmup.  Afterwards, with v = u - warmup,
///
///     constant       initial
///     step           initial decay^floor(v / every)
///     exponential    initial decay^(v / every)
///     inverse_time   initial / (1 + decay v / every)
///     cosine         initial (f + (1 - f) (1 + cos(pi min(v, total) / total)) / 2),  f = final_fraction
///
/// @param schedule  as validate() accepts it
/// @param update    u = 0, 1, ...
///
/// Tests  tests/optimise/schedule_test.cpp: each formula at hand-computed updates.
[[nodiscard]] double learning_rate(const Schedule& schedule, std::int64_t update);

/// Check every number of a schedule that its kind uses.
/// @param where  begins the message: file and table
/// @throws InputError  a number is out of its range; the text names key, value and range
void validate(const Schedule& schedule, const std::string& where);

} // namespace rondo::optimise
