#include <rondo/gradient/parameters.hpp>

#include <rondo/base/contract.hpp>

namespace rondo::gradient {

std::vector<std::size_t> estimated(std::span<const Parameter> parameters) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].estimated) {
            active.push_back(i);
        }
    }
    return active;
}

std::vector<double> initial_coordinates(std::span<const Parameter> parameters) {
    std::vector<double> coordinates;
    for (const std::size_t i : estimated(parameters)) {
        coordinates.push_back(optimise::to_coordinate(parameters[i].transform, parameters[i].initial));
    }
    return coordinates;
}

std::vector<double> natural_values(std::span<const Parameter> parameters, std::span<const double> coordinates) {
    std::vector<double> natural;
    natural.reserve(parameters.size());
    std::size_t k = 0;
    for (const Parameter& parameter : parameters) {
        natural.push_back(parameter.estimated ? optimise::from_coordinate(parameter.transform, coordinates[k++])
                                              : parameter.initial);
    }
    ensures(k == coordinates.size(), "there is one coordinate for each estimated parameter");
    return natural;
}

std::vector<double> coordinate_slopes(std::span<const Parameter> parameters, std::span<const double> coordinates) {
    std::vector<double> slopes;
    std::size_t k = 0;
    for (const std::size_t i : estimated(parameters)) {
        slopes.push_back(optimise::coordinate_slope(parameters[i].transform, coordinates[k++]));
    }
    return slopes;
}

double add_priors(std::span<const Parameter> parameters, std::span<const double> natural, std::span<double> gradient) {
    double loss = 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].estimated) {
            continue;
        }
        if (parameters[i].prior) {
            const double scaled = optimise::to_scaled(parameters[i].transform.scale, natural[i]);
            loss += optimise::negative_log(*parameters[i].prior, scaled);
            if (!gradient.empty()) {
                gradient[k] += optimise::negative_log_slope(*parameters[i].prior, scaled) /
                               optimise::scale_slope(parameters[i].transform.scale, natural[i]);
            }
        }
        ++k;
    }
    return loss;
}

} // namespace rondo::gradient
