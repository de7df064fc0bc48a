#pragma once

#include <rondo/ensemble/build.hpp>

#include <string>
#include <string_view>

namespace rondo::ensemble {

/// The word for an action in tables and files: add, multiply or replace.
[[nodiscard]] const std::string& action_name(Action action);

/// @throws InputError  `where: action "..." is unknown`, with the nearest known
[[nodiscard]] Action action_from(std::string_view name, const std::string& where);

/// Number of a state.
/// @throws InputError  `where: state "..." is unknown`, with the nearest known
[[nodiscard]] std::int32_t state_number(const Source& source, const std::string& name, const std::string& where);

/// Put together the events of each trajectory, by time; at one time those of the job's rules come first, in the order
/// of the rules, then those of the events table or data set in its order. Needs labels and covariates.
///
/// @throws InputError  a row of the events table or the time of a rule will not do; events stand in both files
void add_events(Ensemble& ensemble, const Source& source);

} // namespace rondo::ensemble
