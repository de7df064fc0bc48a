#pragma once

#include "labels.hpp"

#include <rondo/ensemble/build.hpp>

namespace rondo::ensemble {

/// Labels and rows of an ensemble without data: the same times for every trajectory, all values NaN.
///
/// @param labels  of the trajectories table; empty where there is none: then "1" to "N"
/// @throws InputError  the number of trajectories or the times will not do
[[nodiscard]] Ensemble generate(const Source& source, const Labels& labels);

/// Fill the values by the job's target expressions, at each time; needs the covariates. A formula named "" is for every
/// column that has none of its own.
///
/// @throws InputError  a target is for no known column, or its value will not do
void fill_targets(Ensemble& ensemble, const Source& source);

} // namespace rondo::ensemble
