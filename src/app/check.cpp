#include "commands.hpp"
#include "json.hpp"
#include "prepare.hpp"

#include <rondo/job/plan.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace rondo::app {

int check(const comm::Comm& comm, const Arguments& arguments) {
    const auto prepared = read_all(comm, arguments, Demand::nothing);
    if (comm.rank() != 0) {
        return 0;
    }
    const auto plan =
        job::make_plan(prepared->job, prepared->ensemble, arguments.ranks > 0 ? arguments.ranks : comm.size());
    if (!arguments.json) {
        fmt::print("{}: the job is well-formed\n{}", arguments.job, job::describe(plan, prepared->job));
        return 0;
    }
    Json json;
    json.add("job", arguments.job)
        .add("n_ranks", std::int64_t{plan.n_ranks})
        .add("threads", std::int64_t{plan.threads})
        .add("n_trajectories", plan.n_trajectories)
        .add("n_points", plan.n_points)
        .add("n_training", plan.n_training)
        .add("n_validation", plan.n_validation)
        .add("batch_size", plan.batch_size)
        .add("updates_per_epoch", plan.updates_per_epoch)
        .add("n_updates", plan.n_updates)
        .add("learning_rate", plan.learning_rate)
        .add("largest_shard", plan.largest_shard)
        .add("smallest_shard", plan.smallest_shard)
        .add("reduced_bytes", plan.reduced_bytes);
    fmt::print("{}\n", json.text());
    return 0;
}

} // namespace rondo::app
