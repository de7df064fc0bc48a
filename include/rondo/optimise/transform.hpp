#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::optimise {

/// The scale on which a parameter is estimated and its prior is stated.
enum class Scale { linear, log, log10 };

/// Every scale's name as a job file spells it, in the order of the enum.
[[nodiscard]] const std::vector<std::string>& scale_names();
[[nodiscard]] std::optional<Scale> scale_from(std::string_view name);
[[nodiscard]] std::string_view name_of(Scale scale);

/// From the natural value to the scale: x, log x or log10 x.
[[nodiscard]] double to_scaled(Scale scale, double natural);
/// The inverse of to_scaled().
[[nodiscard]] double from_scaled(Scale scale, double scaled);
/// d natural / d scaled at a natural value: 1, x or x log 10.
[[nodiscard]] double scale_slope(Scale scale, double natural);

/// How the optimiser sees a parameter: its scale and its bounds.
struct Transform {
    Scale scale = Scale::linear;
    double lower = -std::numeric_limits<double>::infinity(); ///< natural; on a log scale 0 or less is no bound
    double upper = std::numeric_limits<double>::infinity();  ///< natural
};

/// From the natural value to the optimiser's coordinate c, which has no bounds.
///
/// With s the scaled value and l, u the scaled bounds,
///
///     no bounds   s = c, exactly
///     both        s = mid + half tanh((c - mid) / half),  mid = (l + u) / 2,  half = (u - l) / 2
///     lower only  s = l + log(1 + exp(c - l))
///     upper only  s = u - log(1 + exp(u - c))
///
/// so that ds/dc is 1 in the middle or far from the only bound, and a learning rate keeps its meaning.
/// A value on a bound, or beyond it, becomes a finite coordinate whose value is the bound to rounding.
///
/// Tests  tests/optimise/transform_test.cpp: round trips, slopes against differences, extremes.
[[nodiscard]] double to_coordinate(const Transform& transform, double natural);

/// The inverse of to_coordinate(); never outside [lower, upper].
[[nodiscard]] double from_coordinate(const Transform& transform, double coordinate);

/// d scaled / d coordinate.
[[nodiscard]] double scaled_slope(const Transform& transform, double coordinate);

/// d natural / d coordinate.
[[nodiscard]] double coordinate_slope(const Transform& transform, double coordinate);

/// Check a transform together with the value it starts from.
/// @param natural  the initial value: strictly inside the bounds, and positive on a log scale
/// @param where    begins the message: file, table and parameter
/// @throws InputError  bounds crossed or equal, an upper bound a log scale cannot reach, or a value outside; the text
///                     names value and range
void validate(const Transform& transform, double natural, const std::string& where);

} // namespace rondo::optimise
