#include <rondo/job/plan.hpp>

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/ensemble/batches.hpp>
#include <rondo/optimise/options.hpp>
#include <rondo/solve/engine.hpp>
#include <rondo/train/run.hpp>

#include <algorithm>
#include <cstddef>

namespace rondo::job {
namespace {

/// Bytes of one update's sums: 18 an entry where they are exact (its exponent and a 128-bit integer), else 8.
std::int64_t reduced_bytes(const Job& job) {
    const std::size_t n_estimated = gradient::estimated(job.parameters).size();
    const bool needs_matrix = optimise::needs(job.train.optimiser.rule) == optimise::Needs::gauss_newton;
    const solve::Want want = needs_matrix ? solve::Want::curvature : solve::Want::gradient;
    constexpr std::size_t n_counts = 3; // solved trajectories and two flags ride with loss and gradient
    const std::size_t entry_bytes = job.gradient.sum == gradient::Sum::exact ? 18 : 8;
    return narrow<std::int64_t>((solve::row_size(want, n_estimated) + n_counts) * entry_bytes);
}

} // namespace

Plan make_plan(const Job& job, const ensemble::Ensemble& ensemble, int n_ranks) {
    expects(n_ranks >= 1, "a plan is for at least one rank");
    const train::Options& options = job.train;
    const ensemble::Split split = ensemble::split(ensemble.size(), options.validation_fraction, options.seed);
    Plan plan;
    plan.n_ranks = n_ranks;
    plan.threads = job.gradient.threads;
    plan.n_trajectories = ensemble.size();
    plan.n_points = ensemble.n_points();
    plan.n_training = narrow<std::int64_t>(split.training.size());
    plan.n_validation = narrow<std::int64_t>(split.validation.size());
    plan.batch_size = train::effective_batch_size(options, plan.n_training, n_ranks);
    plan.updates_per_epoch = plan.n_training > 0 ? ensemble::n_batches(plan.n_training, plan.batch_size) : 0;
    plan.n_updates = plan.updates_per_epoch * options.epochs;
    plan.learning_rate = train::effective_schedule(options, n_ranks).initial;
    plan.reduced_bytes = reduced_bytes(job);
    if (plan.n_training > 0) {
        const auto order = ensemble::epoch_order(split.training, options.shuffle, options.seed, 0);
        const auto batch = ensemble::batch_of(order, plan.batch_size, 0);
        const std::vector<std::int64_t> costs(static_cast<std::size_t>(plan.n_trajectories), 0);
        const auto shards = ensemble::assign(batch, costs, n_ranks, job.gradient.balance);
        const auto [smallest, largest] = std::ranges::minmax_element(shards, {}, &std::vector<std::size_t>::size);
        plan.smallest_shard = narrow<std::int64_t>(smallest->size());
        plan.largest_shard = narrow<std::int64_t>(largest->size());
    }
    return plan;
}

} // namespace rondo::job
