#pragma once

#include <rondo/optimise/update.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace rondo::optimise {

/// Loss, gradient and, for least squares, Gauss-Newton matrix at one point.
struct Sample {
    double loss = 0.0;
    std::vector<double> gradient = {};
    std::vector<double> gauss_newton = {};
    bool failed = false;

    [[nodiscard]] Evaluation evaluation() const { return {loss, gradient, gauss_newton, failed}; }
};

using Problem = std::function<Sample(std::span<const double>)>;

/// offset + factor sum r^2 from residuals r and their Jacobian [n_residuals x m].
inline Sample least_squares(const std::vector<double>& r, const std::vector<std::vector<double>>& jacobian,
                            double offset = 0.0, double factor = 1.0) {
    const std::size_t m = jacobian.front().size();
    Sample sample{offset, std::vector<double>(m, 0.0), std::vector<double>(m * m, 0.0), false};
    for (std::size_t k = 0; k < r.size(); ++k) {
        sample.loss += factor * r[k] * r[k];
        for (std::size_t i = 0; i < m; ++i) {
            sample.gradient[i] += 2.0 * factor * r[k] * jacobian[k][i];
            for (std::size_t j = 0; j < m; ++j) {
                sample.gauss_newton[i * m + j] += 2.0 * factor * jacobian[k][i] * jacobian[k][j];
            }
        }
    }
    return sample;
}

/// The chained Rosenbrock function as residuals 10 (x_{i+1} - x_i^2) and 1 - x_i; minimum 0 at (1, ..., 1).
inline Sample rosenbrock(std::span<const double> x) {
    const std::size_t m = x.size();
    std::vector<double> r;
    std::vector<std::vector<double>> jacobian;
    for (std::size_t i = 0; i + 1 < m; ++i) {
        r.push_back(10.0 * (x[i + 1] - x[i] * x[i]));
        jacobian.emplace_back(m, 0.0);
        jacobian.back()[i] = -20.0 * x[i];
        jacobian.back()[i + 1] = 10.0;
        r.push_back(1.0 - x[i]);
        jacobian.emplace_back(m, 0.0);
        jacobian.back()[i] = -1.0;
    }
    return least_squares(r, jacobian);
}

/// sum_i c_i x_i^2 / 2 with c_i spaced geometrically from 1 to `condition`; minimum `offset` at 0.
inline Problem quadratic(double condition, double offset = 0.0) {
    return [condition, offset](std::span<const double> x) {
        Sample sample{offset, {}, {}, false};
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double part = x.size() > 1 ? static_cast<double>(i) / static_cast<double>(x.size() - 1) : 0.0;
            const double c = std::pow(condition, part);
            sample.loss += 0.5 * c * x[i] * x[i];
            sample.gradient.push_back(c * x[i]);
        }
        return sample;
    };
}

/// `problem`, but every point beyond `edge` in its first coordinate fails.
inline Problem failing_beyond(double edge, const Problem& problem) {
    return [edge, problem](std::span<const double> x) {
        Sample sample = problem(x);
        if (x[0] > edge) {
            sample = {std::numeric_limits<double>::quiet_NaN(), {}, {}, true};
        }
        return sample;
    };
}

/// How one rule ended.
struct Outcome {
    State state;
    Progress last;
    int n_evaluations = 0;
    double loss = 0.0; ///< at the best point
};

/// Feed evaluations until the rule ends or `most` were made.
inline Outcome minimise(const Options& options, const Problem& problem, const std::vector<double>& from,
                        int most = 1000, double rate = 0.1) {
    Outcome outcome{start(options, from), {}, 0, 0.0};
    while (outcome.n_evaluations < most && !outcome.last.converged) {
        const Sample sample = problem(outcome.state.point);
        outcome.last = advance(options, outcome.state, sample.evaluation(), rate);
        ++outcome.n_evaluations;
    }
    outcome.loss = problem(best_point(outcome.state)).loss;
    return outcome;
}

inline double distance(std::span<const double> a, std::span<const double> b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
    }
    return most;
}

} // namespace rondo::optimise
