#include <rondo/optimise/update.hpp>

#include <rondo/base/contract.hpp>

#include "convergence.hpp"
#include "rules.hpp"
#include "vectors.hpp"

#include <cmath>

namespace rondo::optimise {

State start(const Options& options, std::span<const double> point) {
    State state;
    state.point.assign(point.begin(), point.end());
    switch (options.rule) {
    case Rule::lbfgs:
        start_lbfgs(options, state);
        break;
    case Rule::levenberg_marquardt:
        start_levenberg_marquardt(options, state);
        break;
    default:
        start_first_order(options, state);
    }
    return state;
}

Progress advance(const Options& options, State& state, const Evaluation& evaluation, double rate) {
    const std::size_t m = state.point.size();
    expects(evaluation.failed || evaluation.gradient.size() == m, "the gradient has one entry for each coordinate");
    expects(evaluation.failed || needs(options.rule) == Needs::gradient || evaluation.gauss_newton.size() == m * m,
            "levenberg_marquardt is fed the Gauss-Newton matrix");
    expects(std::isfinite(rate) && rate >= 0, "the learning rate is not negative");
    Progress progress;
    switch (options.rule) {
    case Rule::lbfgs:
        progress = has_ended(state) ? ended_before(state) : advance_lbfgs(options, state, evaluation, rate);
        break;
    case Rule::levenberg_marquardt:
        progress = has_ended(state) ? ended_before(state) : advance_levenberg_marquardt(options, state, evaluation);
        break;
    default:
        progress = advance_first_order(options, state, evaluation, rate);
    }
    ++state.update;
    return progress;
}

std::span<const double> best_point(const State& state) {
    const auto accepted = state.memory.find("accepted_point");
    return accepted == state.memory.end() ? state.point : accepted->second;
}

std::vector<double>& array_of(State& state, const std::string& name) {
    const auto found = state.memory.find(name);
    expects(found != state.memory.end(), "the state has the arrays of its rule");
    return found->second;
}

double& number_of(State& state, const std::string& name) {
    const auto found = state.scalars.find(name);
    expects(found != state.scalars.end(), "the state has the numbers of its rule");
    return found->second;
}

bool is_usable(const Evaluation& evaluation) {
    return !evaluation.failed && std::isfinite(evaluation.loss) && is_finite(evaluation.gradient) &&
           is_finite(evaluation.gauss_newton);
}

std::vector<double> decayed_gradient(const Options& options, const State& state, const Evaluation& evaluation) {
    std::vector<double> gradient(evaluation.gradient.begin(), evaluation.gradient.end());
    if (options.weight_decay > 0) {
        add_scaled(options.weight_decay, state.point, gradient);
    }
    return gradient;
}

double decayed_loss(const Options& options, const State& state, const Evaluation& evaluation) {
    return options.weight_decay > 0 ? evaluation.loss + 0.5 * options.weight_decay * dot(state.point, state.point)
                                    : evaluation.loss;
}

} // namespace rondo::optimise
