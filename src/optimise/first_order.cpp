#include <rondo/base/contract.hpp>

#include "rules.hpp"
#include "vectors.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace rondo::optimise {
namespace {

/// Exponential mean in place: mean = keep mean + (1 - keep) value.
void remember(double& mean, double keep, double value) { mean = keep * mean + (1.0 - keep) * value; }

/// v = mu v + g; the step is r v, or r (g + mu v) where the rule looks ahead.
void take_momentum_step(const Options& options, State& state, std::span<const double> gradient, double rate) {
    std::vector<double>& velocity = array_of(state, "velocity");
    const bool looks_ahead = options.rule == Rule::nesterov;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        velocity[i] = options.momentum * velocity[i] + gradient[i];
        state.point[i] -= rate * (looks_ahead ? gradient[i] + options.momentum * velocity[i] : velocity[i]);
    }
}

/// adagrad and rmsprop: the gradient over the root of its summed or mean square.
void take_scaled_step(const Options& options, State& state, std::span<const double> gradient, double rate) {
    std::vector<double>& squares = array_of(state, "squares");
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        if (options.rule == Rule::adagrad) {
            squares[i] += gradient[i] * gradient[i];
        } else {
            remember(squares[i], options.rho, gradient[i] * gradient[i]);
        }
        state.point[i] -= rate * gradient[i] / (std::sqrt(squares[i]) + options.epsilon);
    }
}

void take_adam_step(const Options& options, State& state, std::span<const double> gradient, double rate) {
    std::vector<double>& first = array_of(state, "first_moment");
    std::vector<double>& second = array_of(state, "second_moment");
    const double t = static_cast<double>(state.update + 1);
    const double first_weight = 1.0 - std::pow(options.beta1, t);
    const double second_weight = 1.0 - std::pow(options.beta2, t);
    const double decay = options.rule == Rule::adamw ? options.weight_decay : 0.0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        remember(first[i], options.beta1, gradient[i]);
        remember(second[i], options.beta2, gradient[i] * gradient[i]);
        const double step = (first[i] / first_weight) / (std::sqrt(second[i] / second_weight) + options.epsilon);
        state.point[i] -= rate * (step + decay * state.point[i]);
    }
}

} // namespace

void start_first_order(const Options& options, State& state) {
    const std::vector<double> zeros(state.point.size(), 0.0);
    switch (options.rule) {
    case Rule::momentum:
    case Rule::nesterov:
        state.memory["velocity"] = zeros;
        break;
    case Rule::adagrad:
    case Rule::rmsprop:
        state.memory["squares"] = zeros;
        break;
    case Rule::adam:
    case Rule::adamw:
        state.memory["first_moment"] = zeros;
        state.memory["second_moment"] = zeros;
        break;
    default:
        break;
    }
}

Progress advance_first_order(const Options& options, State& state, const Evaluation& evaluation, double rate) {
    expects(is_usable(evaluation), "a rule without trials is fed only evaluations that succeeded");
    const std::vector<double> before = state.point;
    const bool is_decoupled = options.rule == Rule::adamw;
    const std::vector<double> gradient =
        is_decoupled ? std::vector<double>(evaluation.gradient.begin(), evaluation.gradient.end())
                     : decayed_gradient(options, state, evaluation);
    switch (options.rule) {
    case Rule::momentum:
    case Rule::nesterov:
        take_momentum_step(options, state, gradient, rate);
        break;
    case Rule::adagrad:
    case Rule::rmsprop:
        take_scaled_step(options, state, gradient, rate);
        break;
    case Rule::adam:
    case Rule::adamw:
        take_adam_step(options, state, gradient, rate);
        break;
    default:
        add_scaled(-rate, gradient, state.point);
    }
    std::vector<double> step = state.point;
    add_scaled(-1.0, before, step);
    return {.accepted = true, .converged = false, .step_norm = norm(step)};
}

} // namespace rondo::optimise
