#include "commands.hpp"
#include "json.hpp"
#include "prepare.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/exact_sum.hpp>
#include <rondo/comm/reduce.hpp>
#include <rondo/gradient/compare.hpp>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rondo::app {
namespace {

using gradient::Way;

constexpr int exit_disagree = 1;

/// Loss and gradient of the whole, and what they cost.
struct Answer {
    gradient::Evaluation evaluation;
    Way way = Way::forward;
    std::int64_t n_steps = 0, n_rhs = 0;
    double solve_us_per_trajectory = 0;
};

Way way_of(const Arguments& arguments, const gradient::Problem& problem) {
    for (const Way way : {Way::forward, Way::adjoint, Way::differences}) {
        if (arguments.method == name_of(way)) {
            return way;
        }
    }
    return problem.solver.sensitivity == solve::Sensitivity::adjoint ? Way::adjoint : Way::forward;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

void count(const comm::Comm& comm, std::span<const solve::Outcome> outcomes, Answer& answer) {
    std::array<std::int64_t, 2> counts{};
    for (const solve::Outcome& outcome : outcomes) {
        counts[0] += outcome.n_steps;
        counts[1] += outcome.n_rhs;
    }
    comm::allreduce_sum(comm, std::span<std::int64_t>{counts});
    answer.n_steps = counts[0];
    answer.n_rhs = counts[1];
}

double slowest_us(const comm::Comm& comm, const Prepared& prepared, double solve_s) {
    comm::allreduce_max(comm, std::span<double>{&solve_s, 1});
    return 1e6 * solve_s * comm.size() * prepared.problem.options.threads /
           static_cast<double>(prepared.split.training.size());
}

/// Differences have no Evaluator row: their per-trajectory gradients are added here, by the same exact sum and
/// reduction.
gradient::Evaluation reduce(const comm::Comm& comm, const Prepared& prepared, const gradient::PerTrajectory& each,
                            std::span<const double> natural) {
    const std::size_t m = prepared.model.n_active();
    std::vector<double> rows;
    for (std::size_t i = 0; i < each.trajectories.size(); ++i) {
        if (each.outcomes[i].solved) {
            rows.insert(rows.end(), {1.0, each.loss[i]});
            rows.insert(rows.end(), each.gradient.begin() + static_cast<std::ptrdiff_t>(i * m),
                        each.gradient.begin() + static_cast<std::ptrdiff_t>((i + 1) * m));
        }
    }
    const auto sums = comm::exact_sum(comm, rows, m + 2, prepared.problem.options.reduce);
    gradient::Evaluation evaluation{.n_asked = static_cast<std::int64_t>(prepared.split.training.size()),
                                    .n_solved = std::llround(sums[0])};
    evaluation.n_failed = evaluation.n_asked - evaluation.n_solved;
    evaluation.too_many_failed =
        gradient::breaks_policy(prepared.problem.options, evaluation.n_asked, evaluation.n_solved);
    evaluation.shard.trajectories = each.trajectories;
    evaluation.shard.outcomes = each.outcomes;
    gradient::require_solved(comm, prepared.problem, evaluation);
    const bool is_mean = prepared.problem.options.reduction == gradient::Reduction::mean;
    const double factor =
        (is_mean ? 1.0 : static_cast<double>(evaluation.n_asked)) / static_cast<double>(evaluation.n_solved);
    evaluation.loss = factor * sums[1];
    for (std::size_t k = 0; k < m; ++k) {
        evaluation.gradient.push_back(factor * sums[2 + k]);
    }
    evaluation.loss += gradient::add_priors(prepared.problem.parameters, natural, evaluation.gradient);
    return evaluation;
}

Answer answer_of(const comm::Comm& comm, const Prepared& prepared, const Arguments& arguments,
                 std::span<const double> natural) {
    Answer answer{.way = way_of(arguments, prepared.problem)};
    std::vector<double> times;
    if (answer.way == Way::differences) {
        gradient::PerTrajectory each;
        for (int i = 0; i < arguments.repeat; ++i) {
            each = gradient::per_trajectory(comm, prepared.problem, prepared.split.training, natural, Way::differences);
            times.push_back(slowest_us(comm, prepared, each.solve_s));
        }
        answer.evaluation = reduce(comm, prepared, each, natural);
        count(comm, each.outcomes, answer);
    } else {
        gradient::Problem problem = prepared.problem;
        problem.solver.sensitivity =
            answer.way == Way::forward ? solve::Sensitivity::forward : solve::Sensitivity::adjoint;
        gradient::Evaluator evaluator{comm, problem};
        for (int i = 0; i < arguments.repeat; ++i) {
            answer.evaluation = evaluator.evaluate({.trajectories = prepared.split.training, .natural = natural});
            times.push_back(slowest_us(comm, prepared, answer.evaluation.solve_s));
        }
        gradient::require_solved(comm, problem, answer.evaluation);
        count(comm, answer.evaluation.shard.outcomes, answer);
    }
    answer.solve_us_per_trajectory = median(times);
    return answer;
}

/// Derivative by the scaled value (log or log10 of the parameter, where the job says so).
std::vector<double> scaled(const Prepared& prepared, std::span<const double> natural,
                           std::span<const double> gradient) {
    std::vector<double> result;
    std::size_t k = 0;
    for (const std::size_t i : gradient::estimated(prepared.problem.parameters)) {
        result.push_back(gradient[k++] *
                         optimise::scale_slope(prepared.problem.parameters[i].transform.scale, natural[i]));
    }
    return result;
}

std::string by_name(const Prepared& prepared, std::span<const double> values) {
    Json object;
    std::size_t k = 0;
    for (const std::size_t i : gradient::estimated(prepared.problem.parameters)) {
        object.add(prepared.problem.parameters[i].name, values[k++]);
    }
    return object.text();
}

Json json_of(const comm::Comm& comm, const Prepared& prepared, const Answer& answer, std::span<const double> natural) {
    Json parameters;
    for (std::size_t i = 0; i < natural.size(); ++i) {
        parameters.add(prepared.problem.parameters[i].name, natural[i]);
    }
    const auto& evaluation = answer.evaluation;
    Json json;
    json.add("loss", evaluation.loss)
        .add_raw("gradient", by_name(prepared, evaluation.gradient))
        .add_raw("gradient_transformed", by_name(prepared, scaled(prepared, natural, evaluation.gradient)))
        .add_raw("parameters", parameters.text())
        .add("n_trajectories", evaluation.n_asked)
        .add("n_solved", evaluation.n_solved)
        .add("n_failed", evaluation.n_failed)
        .add("engine", name_of(prepared.problem.solver.engine))
        .add("method", name_of(prepared.problem.solver.method))
        .add("sensitivity", name_of(answer.way))
        .add("kernels", prepared.model.backend)
        .add("ranks", std::int64_t{comm.size()})
        .add("threads", std::int64_t{prepared.problem.options.threads})
        .add("n_steps", answer.n_steps)
        .add("n_rhs", answer.n_rhs)
        .add("solve_us_per_trajectory", answer.solve_us_per_trajectory);
    return json;
}

void print_table(const Prepared& prepared, const Answer& answer, std::span<const double> natural) {
    const auto& evaluation = answer.evaluation;
    fmt::print("loss {:.17g} over {} trajectories ({} failed), gradient by {}, {:.3g} us a trajectory\n",
               evaluation.loss, evaluation.n_asked, evaluation.n_failed, name_of(answer.way),
               answer.solve_us_per_trajectory);
    const auto transformed = scaled(prepared, natural, evaluation.gradient);
    fmt::print("{:<24} {:>24} {:>24} {:>24}\n", "parameter", "value", "d loss/d value", "d loss/d scaled value");
    std::size_t k = 0;
    for (const std::size_t i : gradient::estimated(prepared.problem.parameters)) {
        fmt::print("{:<24} {:>24.17g} {:>24.17g} {:>24.17g}\n", prepared.problem.parameters[i].name, natural[i],
                   evaluation.gradient[k], transformed[k]);
        ++k;
    }
}

/// What the comparison of the three ways found.
struct Agreement {
    bool agree = true;
    std::vector<gradient::Comparison> pairs;
};

/// Compare the three ways pairwise. A trajectory that one of them could not solve counts against them where the job
/// says that failures stop it. **Collective.**
Agreement compare_all(const comm::Comm& comm, const Prepared& prepared, std::span<const double> natural) {
    const std::array<Way, 3> ways{Way::forward, Way::adjoint, Way::differences};
    const auto& trajectories = prepared.split.training;
    std::array<gradient::PerTrajectory, 3> each;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        each[i] = gradient::per_trajectory(comm, prepared.problem, trajectories, natural, ways[i]);
    }
    Agreement result;
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
        auto pair = gradient::compare(comm, prepared.problem, natural, ways[a], each[a], ways[b], each[b]);
        const bool complete = !gradient::breaks_policy(prepared.problem.options,
                                                       static_cast<std::int64_t>(trajectories.size()), pair.n_compared);
        result.agree = result.agree && pair.n_disagree == 0 && complete;
        result.pairs.push_back(std::move(pair));
    }
    return result;
}

std::string json_of(const gradient::Comparison& comparison) {
    Json pair;
    pair.add("one", name_of(comparison.one)).add("other", name_of(comparison.other));
    pair.add("n_compared", comparison.n_compared).add("n_disagree", comparison.n_disagree);
    pair.add("worst", comparison.worst).add("tolerance", comparison.tolerance);
    return pair.add("disagreements", std::span<const std::string>{comparison.worst_trajectories}).text();
}

void print(const Agreement& agreement, std::size_t n_asked) {
    for (const auto& comparison : agreement.pairs) {
        fmt::print("{:<11} and {:<11}: {} of {} trajectories disagree; largest difference {:.2e}, allowed {:.2e}\n",
                   name_of(comparison.one), name_of(comparison.other), comparison.n_disagree, comparison.n_compared,
                   comparison.worst, comparison.tolerance);
        for (const std::string& line : comparison.worst_trajectories) {
            fmt::print("  {}\n", line);
        }
        if (const auto unsolved = static_cast<std::int64_t>(n_asked) - comparison.n_compared; unsolved > 0) {
            fmt::print("  {} trajectories were not solved both ways\n", unsolved);
        }
    }
    fmt::print("{}\n", agreement.agree ? "all ways agree" : "the ways do not agree");
}

} // namespace

int gradient(const comm::Comm& comm, const Arguments& arguments) {
    const auto prepared = read_all(comm, arguments, Demand::derivatives);
    make_kernels(comm, *prepared);
    std::vector<double> natural;
    for (const auto& parameter : prepared->problem.parameters) {
        natural.push_back(parameter.initial);
    }
    const Answer answer = answer_of(comm, *prepared, arguments, natural);
    Agreement agreement;
    if (arguments.check) {
        agreement = compare_all(comm, *prepared, natural);
    }
    if (comm.rank() == 0 && arguments.json) {
        Json json = json_of(comm, *prepared, answer, natural);
        if (arguments.check) {
            std::string pairs;
            for (const auto& comparison : agreement.pairs) {
                pairs += (pairs.empty() ? "" : ", ") + json_of(comparison);
            }
            json.add("agree", agreement.agree).add_raw("pairs", "[" + pairs + "]");
        }
        fmt::print("{}\n", json.text());
    } else if (comm.rank() == 0) {
        print_table(*prepared, answer, natural);
        if (arguments.check) {
            print(agreement, prepared->split.training.size());
        }
    }
    return agreement.agree ? 0 : exit_disagree;
}

} // namespace rondo::app
