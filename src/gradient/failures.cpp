#include <rondo/gradient/evaluate.hpp>

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace rondo::gradient {
namespace {

/// A failure as one line of text; `unpack` reads it back bit for bit.
std::string pack(const Failure& failure) {
    const solve::Outcome& o = failure.outcome;
    return fmt::format("{} {} {} {} {} {} {:a} {:a} {}\n", failure.trajectory, failure.update, o.attempts,
                       static_cast<int>(o.method), o.n_steps, o.n_rhs, o.time_reached, o.wall_s, o.reason);
}

Failure unpack(const std::string& line) {
    std::istringstream in{line};
    Failure failure;
    solve::Outcome& o = failure.outcome;
    int method = 0;
    std::string time, wall;
    in >> failure.trajectory >> failure.update >> o.attempts >> method >> o.n_steps >> o.n_rhs >> time >> wall;
    expects(static_cast<bool>(in), "a packed failure is whole");
    in.get();
    std::getline(in, o.reason);
    o.method = static_cast<solve::Method>(method);
    o.time_reached = std::strtod(time.c_str(), nullptr);
    o.wall_s = std::strtod(wall.c_str(), nullptr);
    return failure;
}

/// Why the job's policy does not let the run go on, as the end of a sentence.
std::string reason_to_end(const Options& options, const Evaluation& evaluation) {
    if (options.on_failure == OnFailure::stop) {
        return " (write [solver] on_failure = \"drop\" to go on without them)";
    }
    if (evaluation.n_solved == 0) {
        return ", none is left to go on with";
    }
    return fmt::format(", more than [solver] max_failed_fraction = {} allows",
                       number_text(options.max_failed_fraction));
}

} // namespace

std::vector<Failure> failures_of(const Shard& shard) {
    std::vector<Failure> failures;
    for (std::size_t i = 0; i < shard.outcomes.size(); ++i) {
        if (!shard.outcomes[i].solved) {
            failures.push_back({shard.trajectories[i], shard.outcomes[i]});
        }
    }
    return failures;
}

std::string describe(const ensemble::Ensemble& ensemble, const Failure& failure) {
    return fmt::format("trajectory \"{}\" (number {}) stopped at time {} after {} attempt{}: {}",
                       ensemble.labels[static_cast<std::size_t>(failure.trajectory)], failure.trajectory + 1,
                       number_text(failure.outcome.time_reached), failure.outcome.attempts,
                       failure.outcome.attempts == 1 ? "" : "s", failure.outcome.reason);
}

std::vector<Failure> gather_failures(const comm::Comm& comm, std::span<const Failure> mine) {
    std::string packed;
    for (const Failure& failure : mine) {
        packed += pack(failure);
    }
    std::map<std::int64_t, Failure> by_trajectory;
    for (const std::string& text : comm::gather_text(comm, packed)) {
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);) {
            Failure failure = unpack(line);
            const auto [known, is_new] = by_trajectory.try_emplace(failure.trajectory, failure);
            if (!is_new && known->second.update < failure.update) {
                known->second = std::move(failure);
            }
        }
    }
    std::vector<Failure> all;
    for (const auto& [trajectory, failure] : by_trajectory) {
        all.push_back(failure);
    }
    return all;
}

bool breaks_policy(const Options& options, std::int64_t n_asked, std::int64_t n_solved) {
    const double limit =
        options.on_failure == OnFailure::stop ? 0.0 : options.max_failed_fraction * static_cast<double>(n_asked);
    return static_cast<double>(n_asked - n_solved) > limit || (n_solved == 0 && n_asked > 0);
}

void require_solved(const comm::Comm& comm, const Problem& problem, const Evaluation& evaluation) {
    if (!evaluation.too_many_failed) {
        return;
    }
    // The first failed trajectory of all ranks speaks for the rest.
    const auto failures = failures_of(evaluation.shard);
    std::string mine;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Failure& failure : failures) {
        if (failure.trajectory < first) {
            first = failure.trajectory;
            mine = describe(*problem.ensemble, failure);
        }
    }
    const auto firsts = comm::all_gather(comm, std::span<const std::int64_t>{&first, 1});
    int speaker = 0;
    for (int rank = 1; rank < comm.size(); ++rank) {
        if (firsts[static_cast<std::size_t>(rank)][0] < firsts[static_cast<std::size_t>(speaker)][0]) {
            speaker = rank;
        }
    }
    const std::string text = comm::broadcast(comm, mine, speaker);
    throw comm::OnAllRanks<SolveError>{fmt::format("{}; {} of {} trajectories failed{}", text, evaluation.n_failed,
                                                   evaluation.n_asked, reason_to_end(problem.options, evaluation))};
}

} // namespace rondo::gradient
