#pragma once

#include <rondo/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rondo::model {

/// Where kernels are evaluated.
struct Point {
    double t = 0;
    std::vector<double> x, p, c, seed;
};

/// A point of `absorption` (specs.hpp) on the steep side of both conditions, or on the other.
inline Point absorption_point(bool later) {
    return {.t = later ? 1.7 : 0.4,
            .x = {3.1, later ? 9.0 : 2.2},
            .p = {1.3, 0.4, 8.0, 0.9, 0.7, 0.2},
            .c = {3, 61.0, 4.2},
            .seed = {}};
}

inline std::vector<double> seeds(std::size_t n) {
    std::vector<double> seed;
    for (std::size_t i = 0; i < n; ++i) {
        seed.push_back(std::sin(1.0 + 2.0 * static_cast<double>(i)));
    }
    return seed;
}

/// Number of entries that a kernel writes.
inline std::size_t length(const Model& model, KernelKind kind) {
    const std::size_t n = model.n_states(), m = model.n_active(), o = model.n_observables(), e = model.n_amounts;
    const std::size_t lengths[n_kernel_kinds] = {n,           n * n,       (1 + m) * n, n,           m,           n,
                                                 (1 + m) * n, 2 * o,       n + m,       e,           (1 + m) * e, n + m,
                                                 n,           (1 + m) * n, n + m,       (1 + m) * n, n + m};
    return lengths[static_cast<std::size_t>(kind)];
}

/// True for kernels that add to a part of what they are given.
inline bool adds(KernelKind kind) {
    return kind == KernelKind::outputs_adjoint || kind == KernelKind::adjoint || kind == KernelKind::time_adjoint ||
           kind == KernelKind::second_adjoint;
}

/// What a kernel writes (or adds to zeros); an entry it leaves alone stays NaN.
inline std::vector<double> evaluate(const Model& model, KernelKind kind, const Point& at) {
    std::vector<double> out(length(model, kind), NAN);
    if (adds(kind)) {
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(model.n_states()), out.end(), 0.0);
    }
    model.kernel(kind)({&at.t, at.x.data(), at.p.data(), at.c.data(), at.seed.data()}, out.data());
    return out;
}

/// d out / d variable by central differences; `variable` points into `at`.
inline std::vector<double> difference(const Model& model, KernelKind kind, Point& at, double& variable) {
    const double centre = variable;
    const double h = 1e-5 * std::fmax(1.0, std::abs(centre));
    variable = centre + h;
    const auto above = evaluate(model, kind, at);
    variable = centre - h;
    auto slope = evaluate(model, kind, at);
    variable = centre;
    for (std::size_t i = 0; i < slope.size(); ++i) {
        slope[i] = (above[i] - slope[i]) / (2 * h);
    }
    return slope;
}

} // namespace rondo::model
