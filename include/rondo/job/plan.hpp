#pragma once

#include <rondo/ensemble/ensemble.hpp>
#include <rondo/job/job.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace rondo::job {

/// What a job means on a number of ranks: plain numbers, nothing done yet.
struct Plan {
    int n_ranks = 1;
    int threads = 1;
    std::int64_t n_trajectories = 0, n_points = 0;
    std::int64_t n_training = 0, n_validation = 0;
    std::int64_t batch_size = 0;         ///< of one update, all ranks together
    std::int64_t updates_per_epoch = 0, n_updates = 0;
    double learning_rate = 0;            ///< after the weak-scaling rule
    std::int64_t largest_shard = 0, smallest_shard = 0; ///< trajectories of the first batch a rank
    std::int64_t reduced_bytes = 0;      ///< of one update's all-reduce
};

/// A pure function: the same on every rank and machine.
/// Weak scaling multiplies the job's batch size by the ranks (at most all training trajectories) and the learning rate
/// by the stated rule.
[[nodiscard]] Plan make_plan(const Job& job, const ensemble::Ensemble& ensemble, int n_ranks);

/// The plan for people, a few aligned lines.
[[nodiscard]] std::string describe(const Plan& plan, const Job& job);

} // namespace rondo::job
