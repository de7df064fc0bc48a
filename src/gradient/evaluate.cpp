#include <rondo/gradient/evaluate.hpp>

#include "shard.hpp"

#include <rondo/comm/exact_sum.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace rondo::gradient {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<std::int64_t> my_part(const comm::Comm& comm, const Problem& problem, const Question& question) {
    const std::vector<std::int64_t> no_costs(
        question.costs.empty() ? static_cast<std::size_t>(problem.ensemble->size()) : 0, 0);
    const auto assignment = ensemble::assign(question.trajectories, question.costs.empty() ? no_costs : question.costs,
                                             comm.size(), question.balance.value_or(problem.options.balance));
    std::vector<std::int64_t> mine;
    for (const std::size_t position : assignment[static_cast<std::size_t>(comm.rank())]) {
        mine.push_back(question.trajectories[position]);
    }
    return mine;
}

/// What is summed over ranks: a row a trajectory, [row of the engine, 1 if solved, 0, 0], and a last row [0 ...,
/// flags].
std::vector<double> contributions(const Shard& shard, std::size_t row_size, const std::array<bool, 2>& flags) {
    const std::size_t width = row_size + 3;
    std::vector<double> all((shard.trajectories.size() + 1) * width, 0.0);
    for (std::size_t i = 0; i < shard.trajectories.size(); ++i) {
        if (shard.outcomes[i].solved) {
            std::copy_n(shard.rows.begin() + static_cast<std::ptrdiff_t>(i * row_size), row_size,
                        all.begin() + static_cast<std::ptrdiff_t>(i * width));
            all[i * width + row_size] = 1.0;
        }
    }
    all[all.size() - 2] = flags[0] ? 1.0 : 0.0;
    all[all.size() - 1] = flags[1] ? 1.0 : 0.0;
    return all;
}

/// The full symmetric matrix of an upper triangle by rows, times `factor`.
std::vector<double> full_matrix(std::span<const double> triangle, std::size_t m, double factor) {
    std::vector<double> full(m * m);
    std::size_t next = 0;
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = i; j < m; ++j) {
            full[i * m + j] = full[j * m + i] = factor * triangle[next++];
        }
    }
    return full;
}

/// Priors enter the curvature by the difference quotient of their exact slope, kept non-negative.
void add_prior_curvature(std::span<const Parameter> parameters, std::span<const double> natural,
                         std::vector<double>& curvature) {
    const auto active = estimated(parameters);
    const std::size_t m = active.size();
    for (std::size_t k = 0; k < m; ++k) {
        const Parameter& parameter = parameters[active[k]];
        if (!parameter.prior) {
            continue;
        }
        const double value = natural[active[k]];
        const double scaled = optimise::to_scaled(parameter.transform.scale, value);
        const double h = 1e-5 * std::max(1.0, std::abs(scaled));
        const double second = (optimise::negative_log_slope(*parameter.prior, scaled + h) -
                               optimise::negative_log_slope(*parameter.prior, scaled - h)) /
                              (2.0 * h);
        const double slope = optimise::scale_slope(parameter.transform.scale, value);
        curvature[k * m + k] += std::isfinite(second) ? std::max(second, 0.0) / (slope * slope) : 0.0;
    }
}

} // namespace

Evaluator::Evaluator(const comm::Comm& comm, const Problem& problem) : comm_{comm}, problem_{problem} {
    for (int i = 0; i < std::max(problem.options.threads, 1); ++i) {
        engines_.push_back(solve::make_engine(problem.solver, *problem.model));
    }
}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

Evaluation Evaluator::evaluate(const Question& question) {
    const std::size_t m = problem_.model->n_active();
    const std::size_t row_size = solve::row_size(question.want, m);
    Evaluation result;
    result.n_asked = static_cast<std::int64_t>(question.trajectories.size());

    const auto start = Clock::now();
    result.shard = solve_shard(problem_, question, my_part(comm_, problem_, question), engines_);
    result.solve_s = seconds_since(start);

    const auto solved = Clock::now();
    const auto rows = contributions(result.shard, row_size, question.flags);
    const auto sums = problem_.options.sum == Sum::exact
                          ? comm::exact_sum(comm_, rows, row_size + 3, problem_.options.reduce)
                          : comm::plain_sum(comm_, rows, row_size + 3, problem_.options.reduce);
    result.reduce_s = seconds_since(solved);

    result.n_solved = std::llround(sums[row_size]);
    result.n_flags = {std::llround(sums[row_size + 1]), std::llround(sums[row_size + 2])};
    result.n_failed = result.n_asked - result.n_solved;
    result.too_many_failed = breaks_policy(problem_.options, result.n_asked, result.n_solved);

    const bool is_mean = problem_.options.reduction == Reduction::mean;
    const double factor = (is_mean ? 1.0 : static_cast<double>(result.n_asked)) / static_cast<double>(result.n_solved);
    if (result.n_solved == 0) {
        result.loss = std::numeric_limits<double>::quiet_NaN();
        result.gradient.assign(question.want >= solve::Want::gradient ? m : 0, result.loss);
        return result;
    }
    result.loss = sums[0] * factor;
    if (question.want >= solve::Want::gradient) {
        for (std::size_t k = 0; k < m; ++k) {
            result.gradient.push_back(sums[1 + k] * factor);
        }
    }
    result.loss += add_priors(problem_.parameters, question.natural, result.gradient);
    if (question.want == solve::Want::curvature) {
        result.curvature = full_matrix({sums.data() + 1 + m, m * (m + 1) / 2}, m, factor);
        add_prior_curvature(problem_.parameters, question.natural, result.curvature);
    }
    return result;
}

} // namespace rondo::gradient
