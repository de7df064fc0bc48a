#pragma once

#include <string>
#include <string_view>

namespace rondo::optimise {

/// Throw the InputError of one number out of its range, unless it `holds`.
/// The sentence is `where: key = value is out of range (allowed: allowed); advice`.
void require(bool holds, const std::string& where, std::string_view key, double value, std::string_view allowed,
             std::string_view advice);

} // namespace rondo::optimise
