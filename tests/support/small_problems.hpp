#pragma once

#include <rondo/ensemble/ensemble.hpp>
#include <rondo/gradient/evaluate.hpp>
#include <rondo/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace rondo::test {

/// A problem with the model and the ensemble it points to.
struct SmallProblem {
    SmallProblem(const model::Spec& spec, ensemble::Ensemble data, std::vector<gradient::Parameter> parameters)
        : model{model::interpreted_model(spec, gradient::estimated(parameters))}, ensemble{std::move(data)} {
        problem.model = &model;
        problem.ensemble = &ensemble;
        problem.parameters = std::move(parameters);
        problem.solver = {.engine = solve::EngineKind::single,
                          .method = solve::Method::bdf,
                          .sensitivity = solve::Sensitivity::forward,
                          .rtol = 1e-9,
                          .atol = 1e-11,
                          .max_steps = 20000};
    }
    SmallProblem(const SmallProblem&) = delete;
    SmallProblem& operator=(const SmallProblem&) = delete;

    model::Model model;
    ensemble::Ensemble ensemble;
    gradient::Problem problem;
};

/// The positions 0 .. n - 1.
inline std::vector<std::int64_t> first_positions(std::int64_t n) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(n));
    std::iota(positions.begin(), positions.end(), 0);
    return positions;
}

/// Decay with a constant background:  dx/dt = -k x + burst x^2,  x(0) = a size,  y = x + b,  loss sum (y - datum)^2;
/// k and a are estimated, b = 0.1. With the covariate burst > 0 a trajectory blows up in finite time where burst x(0) >
/// k.
namespace decay {

inline constexpr double k_true = 0.5, a_true = 2.0, b_true = 0.1;

inline double size_of(std::int64_t i) { return 0.5 + 0.25 * static_cast<double>(i % 5); }

/// The state where burst = 0.
inline double x(double k, double a, double size, double t) { return a * size * std::exp(-k * t); }

struct Setup {
    std::int64_t n = 7;
    double k = 1.0, a = 1.0;              ///< initial values
    double noise = 0.1;                   ///< amplitude of the data's deviation from the truth
    std::vector<std::int64_t> bursting{}; ///< trajectories with burst = 1
};

inline SmallProblem make(const Setup& setup = {}) {
    model::Spec spec{.where = "small.toml",
                     .states = {"x"},
                     .parameters = {"k", "b", "a"},
                     .covariates = {"index", "size", "burst"},
                     .rates = {{"x", "-k*x + burst*x*x", "rates"}},
                     .initial = {{"x", "a*size", "initial"}},
                     .observables = {{"y", "x + b", "observables"}}};
    ensemble::Ensemble data{.covariate_names = spec.covariates, .columns = {"y"}, .offset = {0}, .event_offset = {0}};
    for (std::int64_t i = 0; i < setup.n; ++i) {
        const bool bursts = std::ranges::count(setup.bursting, i) > 0;
        data.labels.push_back("t" + std::to_string(i + 1));
        data.covariates.insert(data.covariates.end(), {static_cast<double>(i + 1), size_of(i), bursts ? 1.0 : 0.0});
        for (std::int64_t j = 0; j < 3 + i % 4; ++j) { // uneven lengths, so uneven costs
            const double t = 0.5 * static_cast<double>(j + 1);
            data.time.push_back(t);
            data.value.push_back(x(k_true, a_true, size_of(i), t) + b_true +
                                 setup.noise * std::sin(7.0 * static_cast<double>(data.time.size())));
        }
        data.offset.push_back(static_cast<std::int64_t>(data.time.size()));
        data.event_offset.push_back(0);
    }
    std::vector<gradient::Parameter> parameters(3);
    parameters[0] = {.name = "k", .initial = setup.k, .estimated = true, .transform = {.scale = optimise::Scale::log}};
    parameters[1] = {.name = "b", .initial = b_true};
    parameters[2] = {.name = "a", .initial = setup.a, .estimated = true, .transform = {.lower = 0.0, .upper = 10.0}};
    return {spec, std::move(data), std::move(parameters)};
}

/// Loss, gradient [2] and Gauss-Newton matrix [2 x 2] of one trajectory in (k, a), in closed form.
struct Exact {
    double loss = 0;
    std::vector<double> gradient{0.0, 0.0}, curvature{0.0, 0.0, 0.0, 0.0};

    void add(const Exact& other, double factor) {
        loss += factor * other.loss;
        for (std::size_t i = 0; i < 2; ++i) {
            gradient[i] += factor * other.gradient[i];
        }
        for (std::size_t i = 0; i < 4; ++i) {
            curvature[i] += factor * other.curvature[i];
        }
    }
};

inline Exact exact(const ensemble::Ensemble& ensemble, std::int64_t i, double k, double a) {
    Exact result;
    const auto trajectory = ensemble.trajectory(i);
    for (std::size_t j = 0; j < trajectory.times.size(); ++j) {
        const double t = trajectory.times[j];
        const double state = x(k, a, size_of(i), t);
        const double r = state + b_true - trajectory.values[j];
        const double slopes[] = {-t * state, state / a};
        result.loss += r * r;
        for (std::size_t p = 0; p < 2; ++p) {
            result.gradient[p] += 2.0 * r * slopes[p];
            for (std::size_t q = 0; q < 2; ++q) {
                result.curvature[p * 2 + q] += 2.0 * slopes[p] * slopes[q];
            }
        }
    }
    return result;
}

/// The mean over trajectories.
inline Exact exact_mean(const ensemble::Ensemble& ensemble, const std::vector<std::int64_t>& trajectories, double k,
                        double a) {
    Exact result;
    for (const std::int64_t i : trajectories) {
        result.add(exact(ensemble, i, k, a), 1.0 / static_cast<double>(trajectories.size()));
    }
    return result;
}

} // namespace decay
} // namespace rondo::test
