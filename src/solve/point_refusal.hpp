#pragma once

#include <rondo/model/model.hpp>

#include <cstddef>
#include <string>

namespace rondo::solve {

/// Why a trajectory fails whose loss is not finite at a point.
[[nodiscard]] std::string point_refusal(const model::Model& model, std::size_t column, double time, double output,
                                        double sigma, double datum);

} // namespace rondo::solve
