#pragma once

#include <rondo/comm/comm.hpp>
#include <rondo/train/run.hpp>

#include "support.hpp"

#include <utility>
#include <vector>

namespace rondo::test {

/// Options of a short run: adam, all trajectories an update, nothing written.
inline train::Options short_run(std::int64_t epochs, optimise::Rule rule = optimise::Rule::adam, double rate = 0.05) {
    train::Options options;
    options.optimiser.rule = rule;
    options.schedule.initial = rate;
    options.epochs = epochs;
    options.checkpoint.every = 0;
    return options;
}

/// A run that has come to its end, and how.
struct Run {
    train::State state;
    train::Summary summary;
};

inline ensemble::Split all_train(const gradient::Problem& problem) {
    return {first_positions(problem.ensemble->size()), {}};
}

inline Run go_on(const comm::Comm& comm, const gradient::Problem& problem, const train::Options& options,
                 const ensemble::Split& split, train::State state, const train::Hooks& hooks = {}) {
    gradient::Evaluator evaluator{comm, problem};
    Run run{.state = std::move(state)};
    run.summary = train::run(comm, evaluator, options, split, run.state, hooks);
    return run;
}

inline Run run(const comm::Comm& comm, const gradient::Problem& problem, const train::Options& options,
               const ensemble::Split& split, const train::Hooks& hooks = {}) {
    return go_on(comm, problem, options, split, train::start(options, problem), hooks);
}

inline std::vector<double> natural(const gradient::Problem& problem, const train::State& state) {
    return gradient::natural_values(problem.parameters, optimise::best_point(state.optimiser));
}

} // namespace rondo::test
