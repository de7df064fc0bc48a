#include "events.hpp"

#include "checks.hpp"
#include "events_table.hpp"
#include "formulas.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rondo::ensemble {
namespace {

const std::array<std::string, 3>& action_names() {
    static const std::array<std::string, 3> names{"add", "multiply", "replace"};
    return names;
}

/// The job's rules: one event a time, the times as formulas.
struct RuleEvents {
    std::vector<Formula> times;
    std::vector<Event> events; ///< one a formula, times to be filled in
};

RuleEvents flatten(const Source& source) {
    RuleEvents all;
    for (const EventRule& rule : source.events) {
        expects(rule.state >= 0 && std::cmp_less(rule.state, source.states.size()), "an event of a known state");
        for (const Formula& time : rule.times) {
            all.times.push_back(time);
            all.events.push_back(
                {.time = 0, .state = rule.state, .action = rule.action, .amount = rule.amount, .value = 0});
        }
    }
    return all;
}

/// The events given by a file: of the events table, or already in the ensemble from a data set.
EventLists given_events(Ensemble& ensemble, const Source& source) {
    if (source.events_file.empty()) {
        EventLists given{std::move(ensemble.event_offset), std::move(ensemble.events)};
        if (given.offset.empty()) {
            given.offset.assign(ensemble.labels.size() + 1, 0);
        }
        return given;
    }
    if (!ensemble.events.empty()) {
        throw InputError{
            fmt::format("{}: the data set {} holds events, too (they would happen twice); leave out the table",
                        source.events_file.string(), source.data_file.string())};
    }
    Labels labels;
    for (const std::string& label : ensemble.labels) {
        labels.add(label);
    }
    return read_events_table(source, labels);
}

} // namespace

const std::string& action_name(Action action) { return action_names()[static_cast<std::size_t>(action)]; }

Action action_from(std::string_view name, const std::string& where) {
    const auto found = std::ranges::find(action_names(), name);
    if (found == action_names().end()) {
        throw InputError{
            fmt::format("{}: action \"{}\" is unknown{}", where, name, known_words_hint(name, action_names()))};
    }
    return static_cast<Action>(found - action_names().begin());
}

std::int32_t state_number(const Source& source, const std::string& name, const std::string& where) {
    const auto found = std::ranges::find(source.states, name);
    if (found == source.states.end()) {
        throw InputError{
            fmt::format("{}: state \"{}\" is unknown{}", where, name, known_words_hint(name, source.states))};
    }
    return static_cast<std::int32_t>(found - source.states.begin());
}

void add_events(Ensemble& ensemble, const Source& source) {
    const EventLists given = given_events(ensemble, source);
    const RuleEvents rules = flatten(source);
    Formulas formulas{rules.times, ensemble.covariate_names, FormulaKind::times};
    std::vector<double> times(formulas.size());
    ensemble.events.clear();
    ensemble.events.reserve(given.events.size() + ensemble.labels.size() * rules.events.size());
    ensemble.event_offset.assign(1, 0);
    ensemble.event_offset.reserve(ensemble.labels.size() + 1);
    for (std::size_t i = 0; i < ensemble.labels.size(); ++i) {
        if (!rules.times.empty()) {
            const std::size_t n_covariates = ensemble.covariate_names.size();
            formulas.evaluate(static_cast<std::int64_t>(i), {&ensemble.covariates[i * n_covariates], n_covariates},
                              source.initial_time, source.seed, times);
        }
        for (std::size_t k = 0; k < times.size(); ++k) {
            if (const std::string fault = time_fault(source, times[k]); !fault.empty()) {
                refuse(fmt::format("{}: trajectory \"{}\"", rules.times[k].where, ensemble.labels[i]), fault);
            }
            ensemble.events.push_back(rules.events[k]);
            ensemble.events.back().time = times[k];
        }
        const auto from = given.events.begin() + given.offset[i], to = given.events.begin() + given.offset[i + 1];
        ensemble.events.insert(ensemble.events.end(), from, to);
        std::stable_sort(ensemble.events.begin() + ensemble.event_offset.back(), ensemble.events.end(),
                         [](const Event& a, const Event& b) { return a.time < b.time; });
        ensemble.event_offset.push_back(static_cast<std::int64_t>(ensemble.events.size()));
    }
}

} // namespace rondo::ensemble
