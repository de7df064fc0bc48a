#include <rondo/gradient/differences.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace rondo::gradient {
namespace {

constexpr std::size_t n_rungs = 8;
constexpr double first_step = 0.02; ///< relative to the parameter's magnitude

/// The best value of Ridders' table for central quotients at steps h, h/2, h/4, ...; rungs that failed are NaN.
struct Extrapolated {
    double value = std::numeric_limits<double>::quiet_NaN();
    double error = std::numeric_limits<double>::infinity();
};

Extrapolated extrapolate(const std::array<double, n_rungs>& quotients) {
    Extrapolated best;
    std::array<double, n_rungs> row{}, above{};
    std::size_t length = 0; // of the row above: how many quotients came before without a gap
    for (const double quotient : quotients) {
        if (!std::isfinite(quotient)) {
            length = 0;
            continue;
        }
        row[0] = quotient;
        double factor = 4.0;
        for (std::size_t j = 1; j <= length; ++j, factor *= 4.0) {
            row[j] = (factor * row[j - 1] - above[j - 1]) / (factor - 1.0);
            const double error = std::max(std::abs(row[j] - row[j - 1]), std::abs(row[j] - above[j - 1]));
            if (error < best.error) {
                best = {row[j], error};
            }
        }
        above = row;
        ++length;
    }
    return best;
}

double step_of(const Parameter& parameter, double value) {
    double h = first_step * (value != 0.0 ? std::abs(value) : 1.0);
    const double room = std::min(value - parameter.transform.lower, parameter.transform.upper - value);
    return room > 0.0 ? std::min(h, 0.5 * room) : h;
}

} // namespace

Differences differences(const comm::Comm& comm, const Problem& problem, std::span<const std::int64_t> trajectories,
                        std::span<const double> natural) {
    Problem tight = problem;
    const double shrink = std::min(1.0, std::clamp(problem.solver.rtol * 1e-3, 1e-12, 1e-9) / problem.solver.rtol);
    tight.solver.rtol *= shrink;
    tight.solver.atol *= shrink;
    Evaluator evaluator{comm, tight};
    const auto active = estimated(problem.parameters);
    const std::size_t m = active.size();

    Differences result;
    const auto losses_at = [&](std::span<const double> at) {
        Evaluation evaluation =
            evaluator.evaluate({.trajectories = trajectories, .natural = at, .want = solve::Want::loss});
        for (std::size_t i = 0; i < result.outcomes.size(); ++i) {
            result.outcomes[i].n_rhs += evaluation.shard.outcomes[i].n_rhs;
            result.outcomes[i].n_steps += evaluation.shard.outcomes[i].n_steps;
        }
        result.solve_s += evaluation.solve_s;
        return std::move(evaluation.shard);
    };

    const Shard here = losses_at(natural);
    const std::size_t n = here.trajectories.size();
    result.trajectories = here.trajectories;
    result.loss = here.rows;
    result.outcomes = here.outcomes;
    result.gradient.resize(n * m);
    result.error.resize(n * m);
    for (std::size_t k = 0; k < m; ++k) {
        std::vector<std::array<double, n_rungs>> quotients(n);
        double h = step_of(problem.parameters[active[k]], natural[active[k]]);
        for (std::size_t rung = 0; rung < n_rungs; ++rung, h *= 0.5) {
            std::vector<double> at(natural.begin(), natural.end());
            at[active[k]] = natural[active[k]] + h;
            const Shard above = losses_at(at);
            const double up = at[active[k]];
            at[active[k]] = natural[active[k]] - h;
            const Shard below = losses_at(at);
            for (std::size_t i = 0; i < n; ++i) {
                const bool both = above.outcomes[i].solved && below.outcomes[i].solved;
                quotients[i][rung] = both ? (above.rows[i] - below.rows[i]) / (up - at[active[k]])
                                          : std::numeric_limits<double>::quiet_NaN();
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Extrapolated best = extrapolate(quotients[i]);
            result.gradient[i * m + k] = best.value;
            result.error[i * m + k] = best.error;
        }
    }
    return result;
}

} // namespace rondo::gradient
