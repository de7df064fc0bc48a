#include <rondo/gradient/compare.hpp>

#include <rondo/base/contract.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/reduce.hpp>
#include <rondo/gradient/differences.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <utility>

namespace rondo::gradient {
namespace {

constexpr std::size_t most_lines = 10;

/// A trajectory on which two ways disagree.
struct Disagreement {
    double size = 0;
    std::string line;
};

struct WorstParameter {
    double size = 0;
    std::size_t k = 0;
};

WorstParameter worst_parameter(const Problem& problem, std::span<const double> natural, const PerTrajectory& one,
                               const PerTrajectory& other, std::size_t i) {
    const auto active = estimated(problem.parameters);
    const std::size_t m = active.size();
    const auto weight = [&](std::size_t k) { return natural[active[k]] != 0.0 ? std::abs(natural[active[k]]) : 1.0; };
    double scale = std::abs(one.loss[i]);
    double largest = 0;
    for (std::size_t k = 0; k < m; ++k) {
        largest = std::max(
            {largest, weight(k) * std::abs(one.gradient[i * m + k]), weight(k) * std::abs(other.gradient[i * m + k])});
    }
    scale += largest;
    WorstParameter worst;
    for (std::size_t k = 0; k < m; ++k) {
        const double error = one.error[i * m + k] + other.error[i * m + k];
        const double apart = std::abs(one.gradient[i * m + k] - other.gradient[i * m + k]);
        const double size = apart == 0.0 ? 0.0 : weight(k) * std::max(apart - error, 0.0) / scale;
        if (!(size <= worst.size)) { // also for NaN
            worst = {std::isnan(size) ? HUGE_VAL : size, k};
        }
    }
    return worst;
}

std::string encode(const std::vector<Disagreement>& disagreements) {
    std::string text;
    for (const Disagreement& d : disagreements) {
        text += fmt::format("{:a} {}\n", d.size, d.line);
    }
    return text;
}

std::vector<Disagreement> decode(const std::vector<std::string>& texts) {
    std::vector<Disagreement> all;
    for (const std::string& text : texts) {
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);) {
            const auto space = line.find(' ');
            all.push_back({std::strtod(line.substr(0, space).c_str(), nullptr), line.substr(space + 1)});
        }
    }
    return all;
}

void keep_worst(std::vector<Disagreement>& all) {
    std::ranges::stable_sort(all, [](const Disagreement& a, const Disagreement& b) { return a.size > b.size; });
    all.resize(std::min(all.size(), most_lines));
}

} // namespace

std::string_view name_of(Way way) {
    constexpr std::array<std::string_view, 3> names{"forward", "adjoint", "differences"};
    return names[static_cast<std::size_t>(way)];
}

PerTrajectory per_trajectory(const comm::Comm& comm, const Problem& problem, std::span<const std::int64_t> trajectories,
                             std::span<const double> natural, Way way) {
    Problem one_way = problem;
    one_way.options.balance = ensemble::Balance::block;
    const std::size_t m = problem.model->n_active();
    if (way == Way::differences) {
        Differences made = differences(comm, one_way, trajectories, natural);
        return {.trajectories = std::move(made.trajectories),
                .outcomes = std::move(made.outcomes),
                .loss = std::move(made.loss),
                .gradient = std::move(made.gradient),
                .error = std::move(made.error),
                .solve_s = made.solve_s};
    }
    one_way.solver.sensitivity = way == Way::forward ? solve::Sensitivity::forward : solve::Sensitivity::adjoint;
    Evaluator evaluator{comm, one_way};
    Evaluation evaluation = evaluator.evaluate({.trajectories = trajectories, .natural = natural});
    PerTrajectory result{.trajectories = std::move(evaluation.shard.trajectories),
                         .outcomes = std::move(evaluation.shard.outcomes),
                         .solve_s = evaluation.solve_s};
    const std::size_t n = result.trajectories.size();
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = evaluation.shard.rows.begin() + static_cast<std::ptrdiff_t>(i * (1 + m));
        result.loss.push_back(*row);
        result.gradient.insert(result.gradient.end(), row + 1, row + 1 + static_cast<std::ptrdiff_t>(m));
    }
    result.error.assign(n * m, 0.0);
    return result;
}

Comparison compare(const comm::Comm& comm, const Problem& problem, std::span<const double> natural, Way way_one,
                   const PerTrajectory& one, Way way_other, const PerTrajectory& other) {
    expects(one.trajectories == other.trajectories, "both ways share the trajectories out alike");
    Comparison result{.one = way_one, .other = way_other, .tolerance = 1000.0 * problem.solver.rtol};
    const auto active = estimated(problem.parameters);
    const std::size_t m = active.size();
    std::vector<Disagreement> disagreements;
    std::array<std::int64_t, 2> counts{};
    for (std::size_t i = 0; i < one.trajectories.size(); ++i) {
        if (!one.outcomes[i].solved || !other.outcomes[i].solved) {
            continue; // a failure is told as a failure
        }
        ++counts[0];
        const WorstParameter worst = worst_parameter(problem, natural, one, other, i);
        result.worst = std::max(result.worst, worst.size);
        if (worst.size > result.tolerance) {
            ++counts[1];
            const auto& parameter = problem.parameters[active[worst.k]];
            disagreements.push_back(
                {worst.size, fmt::format("trajectory \"{}\": d loss/d {} is {:.9g} by {}, {:.9g} by {}",
                                         problem.ensemble->labels[static_cast<std::size_t>(one.trajectories[i])],
                                         parameter.name, one.gradient[i * m + worst.k], name_of(way_one),
                                         other.gradient[i * m + worst.k], name_of(way_other))});
        }
    }
    keep_worst(disagreements);
    auto all = decode(comm::gather_text(comm, encode(disagreements)));
    keep_worst(all);
    for (Disagreement& d : all) {
        result.worst_trajectories.push_back(std::move(d.line));
    }
    comm::allreduce_sum(comm, std::span<std::int64_t>{counts});
    comm::allreduce_max(comm, std::span<double>{&result.worst, 1});
    result.n_compared = counts[0];
    result.n_disagree = counts[1];
    return result;
}

} // namespace rondo::gradient
