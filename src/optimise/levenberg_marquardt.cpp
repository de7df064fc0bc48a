#include <rondo/base/error.hpp>

#include "cholesky.hpp"
#include "convergence.hpp"
#include "rules.hpp"
#include "vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace rondo::optimise {
namespace {

constexpr double least_damping = 1e-15;
constexpr double most_damping = 1e20;

/// Take over the evaluation at `state.point`, and let Marquardt's scaling grow with the diagonal.
void keep_evaluation(const Options& options, State& state, const Evaluation& evaluation, double loss) {
    const std::size_t m = state.point.size();
    state.memory["accepted_gradient"] = decayed_gradient(options, state, evaluation);
    std::vector<double>& matrix = state.memory["accepted_matrix"];
    matrix.assign(evaluation.gauss_newton.begin(), evaluation.gauss_newton.end());
    std::vector<double>& scaling = array_of(state, "scaling");
    for (std::size_t i = 0; i < m; ++i) {
        matrix[i * m + i] += options.weight_decay;
        scaling[i] = std::max(scaling[i], matrix[i * m + i]);
    }
    state.memory["accepted_point"] = state.point;
    state.scalars["accepted_loss"] = loss;
}

/// A step with the reduction of the loss that the Gauss-Newton model predicts for it.
struct Proposal {
    std::vector<double> step;
    double predicted = 0.0;
};

/// Solve (H + damping D) d = -g in the variables z = sqrt(D) d, in which the matrix has a diagonal of at most one.
/// A coordinate that has had no influence so far (D = 0) stays where it is. Nothing where the damping is too small to
/// make the matrix positive definite.
std::optional<Proposal> solve_damped(State& state, double damping) {
    const std::vector<double>& gradient = array_of(state, "accepted_gradient");
    const std::vector<double>& scaling = array_of(state, "scaling");
    const std::size_t m = gradient.size();
    std::vector<double> unit(m);
    for (std::size_t i = 0; i < m; ++i) {
        unit[i] = scaling[i] > 0 ? 1.0 / std::sqrt(scaling[i]) : 0.0;
    }
    std::vector<double> matrix = array_of(state, "accepted_matrix");
    std::vector<double> right(m);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            matrix[i * m + j] *= unit[i] * unit[j];
        }
        matrix[i * m + i] += damping;
        right[i] = -unit[i] * gradient[i];
    }
    const auto solution = solve_positive(std::move(matrix), right);
    if (!solution || !is_finite(*solution)) {
        return std::nullopt;
    }
    Proposal proposal{*solution, 0.0};
    for (std::size_t i = 0; i < m; ++i) {
        proposal.step[i] *= unit[i];
    }
    // -(g.d + d.Hd / 2) with H d = -g - damping D d, so that both terms are positive and nothing cancels.
    proposal.predicted = 0.5 * dot(*solution, right) + 0.5 * damping * dot(*solution, *solution);
    return proposal;
}

/// Propose the next trial from the accepted point, or end.
Progress propose(const Options& options, State& state, Progress progress) {
    double& damping = number_of(state, "damping");
    const bool was_rejected = number_of(state, "damping_factor") > 2.0;
    std::optional<Proposal> proposal = solve_damped(state, damping);
    while (!proposal && damping < most_damping) {
        damping *= 10.0;
        proposal = solve_damped(state, damping);
    }
    if (!proposal || damping >= most_damping) {
        return end(state, Ending::damping, fmt::format("damping {:.3g}", damping), std::move(progress));
    }
    const std::vector<double>& accepted = array_of(state, "accepted_point");
    std::vector<double> trial = accepted;
    add_scaled(1.0, proposal->step, trial);
    if (trial == accepted || is_step_small(options, accepted, proposal->step)) {
        const std::string detail = fmt::format("length {:.3g}{}", norm(proposal->step),
                                               was_rejected ? ", after trials without a lower loss" : "");
        return end(state, Ending::step, detail, std::move(progress));
    }
    number_of(state, "predicted") = proposal->predicted;
    state.point = std::move(trial);
    return progress;
}

Progress accept_first(const Options& options, State& state, const Evaluation& evaluation) {
    if (!is_usable(evaluation)) {
        throw SolveError{
            "levenberg_marquardt: the evaluation at the starting point failed (there is no earlier point to "
            "go back to); choose other initial values"};
    }
    keep_evaluation(options, state, evaluation, decayed_loss(options, state, evaluation));
    const double gradient_norm = largest(array_of(state, "accepted_gradient"));
    state.scalars["first_gradient_norm"] = gradient_norm;
    Progress progress{.accepted = true, .converged = false, .step_norm = 0.0};
    if (is_gradient_small(options, gradient_norm, gradient_norm, number_of(state, "accepted_loss"))) {
        return end(state, Ending::gradient, fmt::format("largest entry {:.3g}", gradient_norm), std::move(progress));
    }
    return propose(options, state, std::move(progress));
}

/// Nielsen's rule: the damping falls by up to three after a good step, and rises ever faster after bad ones.
void move_damping(State& state, bool is_accepted, double gain) {
    double& damping = number_of(state, "damping");
    double& factor = number_of(state, "damping_factor");
    if (is_accepted) {
        damping = std::max(least_damping, damping * std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain - 1.0, 3)));
        factor = 2.0;
    } else {
        damping *= factor;
        factor *= 2.0;
    }
}

} // namespace

void start_levenberg_marquardt(const Options& options, State& state) {
    state.memory["scaling"] = std::vector<double>(state.point.size(), 0.0);
    state.scalars["damping"] = options.initial_damping;
    state.scalars["damping_factor"] = 2.0;
    state.scalars["predicted"] = 0.0;
    state.scalars["ending"] = 0.0;
}

/// A trial that gains less than a twentieth of what the matrix predicts is refused although the loss falls: the matrix is not
/// to be believed over such a step (a noise scale far too small, estimated on a log scale, would leap by hundreds).
constexpr double least_gain = 0.05;

Progress advance_levenberg_marquardt(const Options& options, State& state, const Evaluation& evaluation) {
    if (!state.memory.contains("accepted_point")) {
        return accept_first(options, state, evaluation);
    }
    const bool failed = !is_usable(evaluation);
    const double loss_before = number_of(state, "accepted_loss");
    const double loss = failed ? 0.0 : decayed_loss(options, state, evaluation);
    const double actual = failed ? 0.0 : loss_before - loss;
    const double predicted = number_of(state, "predicted");
    const bool is_accepted = !failed && actual > least_gain * predicted;
    Progress progress;
    move_damping(state, is_accepted, actual / predicted);
    if (is_accepted) {
        std::vector<double> step = state.point;
        add_scaled(-1.0, array_of(state, "accepted_point"), step);
        progress = {.accepted = true, .converged = false, .step_norm = norm(step)};
        keep_evaluation(options, state, evaluation, loss);
        const double gradient_norm = largest(array_of(state, "accepted_gradient"));
        if (is_gradient_small(options, gradient_norm, number_of(state, "first_gradient_norm"), loss)) {
            return end(state, Ending::gradient, fmt::format("largest entry {:.3g}", gradient_norm),
                       std::move(progress));
        }
    }
    // Below rounding no comparison of losses tells anything, so a rejected trial may end it too.
    const double tolerance = std::max(options.loss_tolerance, std::numeric_limits<double>::epsilon());
    if (!failed && std::max(std::abs(actual), predicted) <= tolerance * std::abs(loss_before)) {
        return end(state, Ending::loss, fmt::format("by {:.3g} to {:.6g}", actual, number_of(state, "accepted_loss")),
                   std::move(progress));
    }
    return propose(options, state, std::move(progress));
}

} // namespace rondo::optimise
