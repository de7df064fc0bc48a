#include "coordinates.hpp"

#include <cstddef>

namespace rondo::train {

InCoordinates to_coordinates(const gradient::Evaluation& evaluation, std::span<const double> slopes) {
    const std::size_t m = slopes.size();
    InCoordinates result{.gradient = evaluation.gradient, .gauss_newton = evaluation.curvature};
    for (std::size_t k = 0; k < m; ++k) {
        result.gradient[k] *= slopes[k];
    }
    for (std::size_t i = 0; i < result.gauss_newton.size(); ++i) {
        result.gauss_newton[i] *= slopes[i / m] * slopes[i % m];
    }
    return result;
}

} // namespace rondo::train
