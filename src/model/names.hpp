#pragma once

#include <rondo/model/spec.hpp>

#include <string>
#include <vector>

namespace rondo::model {

/// Refuse names that are not identifiers, are reserved words, or stand for two things.
/// @throws InputError
void check_names(const Spec& spec);

/// The definitions ordered like `wanted`, each there once.
/// @param table  `[model.rates]`, for errors; `thing` is what a name there means: `state`
/// @throws InputError  one is missing, doubled or unknown
[[nodiscard]] std::vector<Definition> in_order(const std::vector<Definition>& definitions, const std::vector<std::string>& wanted,
                                               const std::string& where, const std::string& table, const std::string& thing);

} // namespace rondo::model
