#pragma once

#include <rondo/gradient/evaluate.hpp>

#include <span>
#include <vector>

namespace rondo::train {

/// An evaluation's derivatives in the optimiser's coordinates.
struct InCoordinates {
    std::vector<double> gradient;     ///< [m]
    std::vector<double> gauss_newton; ///< [m x m] or empty
};

/// Chain rule through scales and bounds: g_k dtheta_k/dz_k and H_kl dtheta_k/dz_k dtheta_l/dz_l.
[[nodiscard]] InCoordinates to_coordinates(const gradient::Evaluation& evaluation, std::span<const double> slopes);

} // namespace rondo::train
