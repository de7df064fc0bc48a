#include "readers.hpp"

#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rondo::job {

using optimise::ScheduleKind;

const TableKeys& learning_rate_keys() {
    static const optimise::Schedule defaults;
    static const TableKeys keys{
        "train.learning_rate",
        {
            number("initial", defaults.initial, above(0), "The rate after the warm-up."),
            word("schedule", std::string{optimise::name_of(defaults.kind)}, optimise::schedule_names(),
                 "How the rate falls while updates pass."),
            number("decay", defaults.decay, above(0), "step, exponential: factor; inverse_time: coefficient."),
            whole("every", defaults.every, at_least(1), "step, exponential, inverse_time: updates one decay takes."),
            shown_as(
                whole("total", defaults.total, at_least(1), "cosine: updates over which it falls, after the warm-up."),
                "none: cosine needs it"),
            number("final_fraction", defaults.final_fraction, from_to(0, 1),
                   "cosine: where it ends, as a part of initial."),
            whole("warmup", defaults.warmup, at_least(0), "Updates in which the rate rises to initial."),
        }};
    return keys;
}

namespace {

struct ScheduleKey {
    const char* key;
    std::vector<ScheduleKind> schedules; ///< that use it
};

const std::vector<ScheduleKey>& schedule_keys() {
    static const std::vector<ScheduleKind> decaying{ScheduleKind::step, ScheduleKind::exponential,
                                                    ScheduleKind::inverse_time};
    static const std::vector<ScheduleKey> keys{{"decay", decaying},
                                               {"every", decaying},
                                               {"total", {ScheduleKind::cosine}},
                                               {"final_fraction", {ScheduleKind::cosine}}};
    return keys;
}

void refuse_unused(const TableReader& reader, ScheduleKind kind) {
    for (const auto& [key, schedules] : schedule_keys()) {
        std::vector<std::string> users;
        for (const ScheduleKind user : schedules) {
            users.emplace_back(optimise::name_of(user));
        }
        if (std::ranges::find(schedules, kind) == schedules.end()) {
            reader.refuse(
                key,
                fmt::format("schedule = \"{}\" does not use it; used by: {}", optimise::name_of(kind), join(users)),
                "leave it out or choose another schedule");
        }
    }
}

void read_schedule(TableReader& reader, optimise::Schedule& schedule) {
    schedule.kind = *optimise::schedule_from(reader.word("schedule"));
    refuse_unused(reader, schedule.kind);
    if (schedule.kind == ScheduleKind::cosine) {
        reader.require("total", ", the updates over which the rate falls,");
    }
    schedule.initial = reader.number("initial");
    schedule.decay = reader.number("decay");
    schedule.every = reader.whole("every");
    schedule.total = reader.whole("total");
    schedule.final_fraction = reader.number("final_fraction");
    schedule.warmup = reader.whole("warmup");
    optimise::validate(schedule, reader.table_subject());
    reader.finish();
}

} // namespace

void read_learning_rate(TableReader& train, Job& job) {
    const toml::node* node = train.node("learning_rate");
    const bool is_table = node != nullptr && node->is_table();
    TableReader reader{train.context(), learning_rate_keys(), is_table ? node : nullptr};
    read_schedule(reader, job.train.schedule);
    if (node == nullptr || is_table) {
        return;
    }
    const std::optional<double> rate = finite_number(*node);
    if (!rate && !node->is_number()) {
        train.wrong_type("learning_rate");
    }
    if (!rate || !(*rate > 0)) {
        throw InputError{fmt::format("{} = {} is {} (a number above 0 is wanted, or a table with a schedule)",
                                     train.subject("learning_rate"), shown(*node),
                                     rate ? "out of range" : "not finite")};
    }
    job.train.schedule.initial = *rate;
    train.context().record("train.learning_rate", "initial", number_text(*rate));
}

} // namespace rondo::job
