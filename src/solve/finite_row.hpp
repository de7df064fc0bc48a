#pragma once

#include <rondo/model/model.hpp>
#include <rondo/solve/engine.hpp>

#include <span>

namespace rondo::solve {

/// A gradient that is not finite is no gradient: the outcome of a solved trajectory whose row holds a number that is not
/// finite becomes a failure that names it.
void require_finite(const model::Model& model, std::span<const double> row, Outcome& outcome);

} // namespace rondo::solve
