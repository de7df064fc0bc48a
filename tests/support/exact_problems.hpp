#pragma once

#include <rondo/model/spec.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace rondo::testing {

/// A model whose solution is known: states x_i(t; p) and sensitivities dx_i/dp_k.
struct ExactProblem {
    model::Spec spec;
    std::vector<double> parameters;
    std::function<double(std::size_t i, double t, const std::vector<double>& p)> state;
    std::function<double(std::size_t i, std::size_t k, double t, const std::vector<double>& p)> sensitivity;

    [[nodiscard]] std::vector<std::size_t> all_parameters() const {
        std::vector<std::size_t> all(parameters.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
            all[k] = k;
        }
        return all;
    }
};

/// A model from names and texts: each state with its rate and its initial value.
struct Equation {
    std::string state, rate, initial;
};

inline model::Spec make_spec(const std::vector<Equation>& equations, std::vector<std::string> parameters) {
    model::Spec spec;
    spec.where = "test";
    spec.parameters = std::move(parameters);
    spec.covariates = {"index"};
    for (const Equation& equation : equations) {
        spec.states.push_back(equation.state);
        spec.rates.push_back({equation.state, equation.rate, "test: " + equation.state});
        spec.initial.push_back({equation.state, equation.initial, "test: " + equation.state});
    }
    return spec;
}

/// x' = -k x, x(0) = a:  x = a exp(-k t).
inline ExactProblem decay() {
    return {make_spec({{"x", "-k*x", "a"}}, {"k", "a"}),
            {0.7, 2.0},
            [](std::size_t, double t, const auto& p) { return p[1] * std::exp(-p[0] * t); },
            [](std::size_t, std::size_t k, double t, const auto& p) {
                const double e = std::exp(-p[0] * t);
                return k == 0 ? -t * p[1] * e : e;
            }};
}

/// x' = r x (1 - x / K), x(0) = a:  x = K / (1 + (K/a - 1) exp(-r t)).
inline ExactProblem logistic() {
    return {
        make_spec({{"x", "r*x*(1 - x/K)", "a"}}, {"r", "K", "a"}),
        {1.3, 5.0, 0.4},
        [](std::size_t, double t, const auto& p) { return p[1] / (1.0 + (p[1] / p[2] - 1.0) * std::exp(-p[0] * t)); },
        [](std::size_t, std::size_t k, double t, const auto& p) {
            const double e = std::exp(-p[0] * t), c = p[1] / p[2] - 1.0, d = 1.0 + c * e;
            switch (k) {
            case 0:
                return p[1] * c * t * e / (d * d);
            case 1:
                return 1.0 / d - p[1] / p[2] * e / (d * d);
            default:
                return p[1] * p[1] / (p[2] * p[2]) * e / (d * d);
            }
        }};
}

/// x' = v, v' = -w^2 x, x(0) = a, v(0) = 0:  x = a cos(w t), v = -a w sin(w t).
inline ExactProblem oscillator() {
    return {make_spec({{"x", "v", "a"}, {"v", "-w^2*x", "0"}}, {"w", "a"}),
            {1.7, 0.8},
            [](std::size_t i, double t, const auto& p) {
                return i == 0 ? p[1] * std::cos(p[0] * t) : -p[1] * p[0] * std::sin(p[0] * t);
            },
            [](std::size_t i, std::size_t k, double t, const auto& p) {
                const double c = std::cos(p[0] * t), s = std::sin(p[0] * t);
                if (k == 0) {
                    return i == 0 ? -p[1] * t * s : -p[1] * s - p[1] * p[0] * t * c;
                }
                return i == 0 ? c : -p[0] * s;
            }};
}

} // namespace rondo::testing
