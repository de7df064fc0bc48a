#pragma once

#include <rondo/optimise/prior.hpp>
#include <rondo/optimise/transform.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::gradient {

/// One parameter of the model as the job declares it.
struct Parameter {
    std::string name;
    double initial = 0;  ///< natural value; also of a fixed one
    bool estimated = false;
    optimise::Transform transform;         ///< scale and bounds; of estimated ones
    std::optional<optimise::Prior> prior;  ///< on the scaled value
};

/// Indices of the estimated parameters, increasing: the active ones of the model.
[[nodiscard]] std::vector<std::size_t> estimated(std::span<const Parameter> parameters);

/// The optimiser's coordinates [m] of the initial values.
[[nodiscard]] std::vector<double> initial_coordinates(std::span<const Parameter> parameters);

/// Natural values [P] of all parameters at coordinates [m]; fixed ones keep their initial value.
[[nodiscard]] std::vector<double> natural_values(std::span<const Parameter> parameters, std::span<const double> coordinates);

/// d natural / d coordinate [m].
[[nodiscard]] std::vector<double> coordinate_slopes(std::span<const Parameter> parameters, std::span<const double> coordinates);

/// Negative log prior at natural values [P], and its derivative added to `gradient` [m] (natural).
[[nodiscard]] double add_priors(std::span<const Parameter> parameters, std::span<const double> natural, std::span<double> gradient);

} // namespace rondo::gradient
