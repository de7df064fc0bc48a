#include "vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rondo::optimise {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

double norm(std::span<const double> a) {
    const double unit = largest(a);
    if (unit == 0 || !std::isfinite(unit)) {
        return unit;
    }
    double sum = 0;
    for (const double entry : a) {
        sum += (entry / unit) * (entry / unit);
    }
    return unit * std::sqrt(sum);
}

double largest(std::span<const double> a) {
    double most = 0;
    for (const double entry : a) {
        const double magnitude = std::abs(entry);
        most = magnitude <= most ? most : magnitude; // written so that a NaN gets in ...
        if (std::isnan(most)) {
            return most; // ... and stays
        }
    }
    return most;
}

bool is_finite(std::span<const double> a) {
    return std::ranges::all_of(a, [](double entry) { return std::isfinite(entry); });
}

void add_scaled(double factor, std::span<const double> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] += factor * x[i];
    }
}

} // namespace rondo::optimise
