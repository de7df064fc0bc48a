#include <rondo/optimise/transform.hpp>

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace rondo::optimise {

const std::vector<std::string>& scale_names() {
    static const std::vector<std::string> names{"linear", "log", "log10"};
    return names;
}

std::optional<Scale> scale_from(std::string_view name) { return value_named<Scale>(scale_names(), name); }

std::string_view name_of(Scale scale) { return scale_names()[static_cast<std::size_t>(scale)]; }

double to_scaled(Scale scale, double natural) {
    switch (scale) {
    case Scale::log:
        return std::log(natural);
    case Scale::log10:
        return std::log10(natural);
    case Scale::linear:
        break;
    }
    return natural;
}

double from_scaled(Scale scale, double scaled) {
    switch (scale) {
    case Scale::log:
        return std::exp(scaled);
    case Scale::log10:
        return std::pow(10.0, scaled);
    case Scale::linear:
        break;
    }
    return scaled;
}

double scale_slope(Scale scale, double natural) {
    switch (scale) {
    case Scale::log:
        return natural;
    case Scale::log10:
        return natural * std::numbers::ln10;
    case Scale::linear:
        break;
    }
    return 1.0;
}

namespace {

/// The bounds on the scale; infinite where there is none.
struct Bounds {
    double lower;
    double upper;
    [[nodiscard]] bool has_lower() const { return std::isfinite(lower); }
    [[nodiscard]] bool has_upper() const { return std::isfinite(upper); }
    // Halved before they are combined: bounds near the largest double must not overflow.
    [[nodiscard]] double middle() const { return 0.5 * lower + 0.5 * upper; }
    [[nodiscard]] double half() const { return 0.5 * upper - 0.5 * lower; }
};

Bounds scaled_bounds(const Transform& transform) {
    const bool is_unbounded_below = transform.scale != Scale::linear && transform.lower <= 0;
    return {is_unbounded_below ? -std::numeric_limits<double>::infinity() : to_scaled(transform.scale, transform.lower),
            to_scaled(transform.scale, transform.upper)};
}

/// log(1 + exp(x)) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

/// The inverse of softplus; 0 and less, which softplus never gives, count as the smallest normal number.
double softplus_inverse(double y) {
    const double above = std::max(y, std::numeric_limits<double>::min());
    return above + std::log(-std::expm1(-above));
}

/// d softplus / dx.
double sigmoid(double x) { return x >= 0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x)); }

/// d tanh / dx, without the cancellation in 1 - tanh^2.
double tanh_slope(double x) {
    const double inverse = 1.0 / std::cosh(x);
    return inverse * inverse;
}

} // namespace

double to_coordinate(const Transform& transform, double natural) {
    const Bounds bounds = scaled_bounds(transform);
    const double scaled = to_scaled(transform.scale, natural);
    if (bounds.has_lower() && bounds.has_upper()) {
        constexpr double nearly_one = 1.0 - std::numeric_limits<double>::epsilon() / 2;
        const double part = std::clamp((scaled - bounds.middle()) / bounds.half(), -nearly_one, nearly_one);
        return bounds.middle() + bounds.half() * std::atanh(part);
    }
    if (bounds.has_lower()) {
        return bounds.lower + softplus_inverse(scaled - bounds.lower);
    }
    if (bounds.has_upper()) {
        return bounds.upper - softplus_inverse(bounds.upper - scaled);
    }
    return scaled;
}

double from_coordinate(const Transform& transform, double coordinate) {
    const Bounds bounds = scaled_bounds(transform);
    double scaled = coordinate;
    if (bounds.has_lower() && bounds.has_upper()) {
        scaled = bounds.middle() + bounds.half() * std::tanh((coordinate - bounds.middle()) / bounds.half());
    } else if (bounds.has_lower()) {
        scaled = bounds.lower + softplus(coordinate - bounds.lower);
    } else if (bounds.has_upper()) {
        scaled = bounds.upper - softplus(bounds.upper - coordinate);
    }
    return std::min(std::max(from_scaled(transform.scale, scaled), transform.lower), transform.upper);
}

double scaled_slope(const Transform& transform, double coordinate) {
    const Bounds bounds = scaled_bounds(transform);
    if (bounds.has_lower() && bounds.has_upper()) {
        return tanh_slope((coordinate - bounds.middle()) / bounds.half());
    }
    if (bounds.has_lower()) {
        return sigmoid(coordinate - bounds.lower);
    }
    if (bounds.has_upper()) {
        return sigmoid(bounds.upper - coordinate);
    }
    return 1.0;
}

double coordinate_slope(const Transform& transform, double coordinate) {
    return scale_slope(transform.scale, from_coordinate(transform, coordinate)) * scaled_slope(transform, coordinate);
}

void validate(const Transform& transform, double natural, const std::string& where) {
    const auto text = [](double value) { return number_text(value); };
    if (!(transform.lower < transform.upper)) {
        throw InputError{
            fmt::format("{}: the bounds lower = {} and upper = {} leave no room between them (lower must be "
                        "less than upper); correct them, or give a plain number to fix the parameter",
                        where, text(transform.lower), text(transform.upper))};
    }
    const bool is_logarithmic = transform.scale != Scale::linear;
    if (is_logarithmic && transform.upper <= 0) {
        throw InputError{
            fmt::format("{}: upper = {} cannot be reached on the scale {} (its values are positive); choose "
                        "the scale linear or a positive bound",
                        where, text(transform.upper), name_of(transform.scale))};
    }
    if (is_logarithmic && !(natural > 0)) {
        throw InputError{
            fmt::format("{}: initial = {} does not go with the scale {} (its values are positive); choose the "
                        "scale linear or a positive value",
                        where, text(natural), name_of(transform.scale))};
    }
    if (!std::isfinite(natural) || !(natural > transform.lower && natural < transform.upper)) {
        throw InputError{fmt::format("{}: initial = {} is not inside its bounds (allowed: {} < initial < {}); move the "
                                     "value or the bounds",
                                     where, text(natural), text(transform.lower), text(transform.upper))};
    }
}

} // namespace rondo::optimise
