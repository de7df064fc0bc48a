#include "job/sample.hpp"

#include <rondo/job/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace rondo::job {
namespace {

using testing::HasSubstr;

/// `n` trajectories with two times and one column each; one value is missing.
ensemble::Ensemble ensemble_of(std::int64_t n) {
    ensemble::Ensemble ensemble;
    ensemble.covariate_names = {"index"};
    ensemble.columns = {"u"};
    ensemble.offset = {0};
    ensemble.event_offset = {0};
    for (std::int64_t i = 0; i < n; ++i) {
        ensemble.labels.push_back(std::to_string(i + 1));
        ensemble.covariates.push_back(static_cast<double>(i + 1));
        ensemble.time.insert(ensemble.time.end(), {0.0, 1.0});
        ensemble.value.insert(ensemble.value.end(), {1.0, 1.0});
        ensemble.offset.push_back(2 * (i + 1));
        ensemble.event_offset.push_back(0);
    }
    if (n > 0) {
        ensemble.value[0] = std::nan("");
    }
    return ensemble;
}

TEST(Plan, divides_the_job_s_batch_among_ranks_under_strong_scaling) {
    const Job job =
        job_of(fitted, {"train.batch_size=10", "train.epochs=3", "train.learning_rate=0.5", "parallel.threads=2"});
    const auto ensemble = ensemble_of(25);
    for (int ranks = 1; ranks <= 8; ++ranks) {
        const Plan plan = make_plan(job, ensemble, ranks);
        EXPECT_EQ(plan.n_ranks, ranks);
        EXPECT_EQ(plan.threads, 2);
        EXPECT_EQ(plan.n_trajectories, 25);
        EXPECT_EQ(plan.n_points, 49);
        EXPECT_EQ(plan.n_training, 25);
        EXPECT_EQ(plan.n_validation, 0);
        EXPECT_EQ(plan.batch_size, 10);
        EXPECT_EQ(plan.updates_per_epoch, 3);
        EXPECT_EQ(plan.n_updates, 9);
        EXPECT_EQ(plan.learning_rate, 0.5);
        EXPECT_EQ(plan.largest_shard, (10 + ranks - 1) / ranks);
        EXPECT_EQ(plan.smallest_shard, 10 / ranks);
    }
}

TEST(Plan, takes_all_training_trajectories_where_no_batch_size_is_given) {
    const Plan plan = make_plan(job_of(fitted, {"data.validation_fraction=0.2"}), ensemble_of(25), 3);
    EXPECT_EQ(plan.n_training, 20);
    EXPECT_EQ(plan.n_validation, 5);
    EXPECT_EQ(plan.batch_size, 20);
    EXPECT_EQ(plan.updates_per_epoch, 1);
}

TEST(Plan, grows_batch_and_learning_rate_with_the_ranks_under_weak_scaling) {
    const std::vector<std::string> weak{"train.batch_size=3", "parallel.scaling=weak", "train.learning_rate=0.1"};
    std::vector<std::string> root = weak, none = weak;
    root.emplace_back("parallel.learning_rate_rule=square_root");
    none.emplace_back("parallel.learning_rate_rule=none");
    const auto ensemble = ensemble_of(100);
    for (int ranks = 1; ranks <= 8; ++ranks) {
        const Plan plan = make_plan(job_of(fitted, weak), ensemble, ranks);
        EXPECT_EQ(plan.batch_size, 3 * ranks);
        EXPECT_DOUBLE_EQ(plan.learning_rate, 0.1 * ranks);
        EXPECT_EQ(plan.largest_shard, 3);
        EXPECT_EQ(plan.smallest_shard, 3);
        EXPECT_EQ(plan.updates_per_epoch, (100 + 3 * ranks - 1) / (3 * ranks));
        EXPECT_DOUBLE_EQ(make_plan(job_of(fitted, root), ensemble, ranks).learning_rate, 0.1 * std::sqrt(ranks));
        EXPECT_DOUBLE_EQ(make_plan(job_of(fitted, none), ensemble, ranks).learning_rate, 0.1);
    }
}

TEST(Plan, a_weak_batch_is_at_most_everything) {
    const Job job = job_of(fitted, {"train.batch_size=3", "parallel.scaling=weak"});
    EXPECT_EQ(make_plan(job, ensemble_of(10), 8).batch_size, 10);
}

TEST(Plan, more_ranks_than_trajectories_leave_some_without_work) {
    const Job job = job_of(fitted);
    const Plan plan = make_plan(job, ensemble_of(3), 8);
    EXPECT_EQ(plan.batch_size, 3);
    EXPECT_EQ(plan.largest_shard, 1);
    EXPECT_EQ(plan.smallest_shard, 0);
    EXPECT_THAT(describe(plan, job), HasSubstr("0 to 1 trajectories a rank (some ranks have nothing to do"));
}

TEST(Plan, counts_the_bytes_of_an_update) {
    // Exact sums take 18 bytes an entry: loss, one gradient entry, three counts; with the Gauss-Newton matrix one more.
    EXPECT_EQ(make_plan(job_of(fitted), ensemble_of(4), 1).reduced_bytes, 5 * 18);
    EXPECT_EQ(make_plan(job_of(fitted, {"parallel.sum=plain"}), ensemble_of(4), 1).reduced_bytes, 5 * 8);
    EXPECT_EQ(make_plan(job_of(fitted, {"train.optimizer=levenberg_marquardt"}), ensemble_of(4), 1).reduced_bytes,
              6 * 18);
}

TEST(Plan, of_an_empty_ensemble_has_no_updates) {
    const Plan plan = make_plan(job_of(fitted), ensemble_of(0), 2);
    EXPECT_EQ(plan.n_updates, 0);
    EXPECT_EQ(plan.largest_shard, 0);
}

TEST(Describe, is_a_few_aligned_lines) {
    const Job job = job_of(fitted, {"train.batch_size=4", "train.epochs=2", "train.learning_rate=0.5"});
    EXPECT_EQ(describe(make_plan(job, ensemble_of(10), 2), job), R"(title         decay
ranks         2, each with 1 thread
trajectories  10: 10 for training, 0 for validation
points        19
parameters    1 estimated, 1 fixed
solver        engine auto, method auto, sensitivity auto, rtol 1e-06, atol 1e-08
optimizer     adam, learning rate 0.5
batch         4 trajectories of one update
shards        2 trajectories on every rank
updates       6: 3 in each of 2 epochs
all-reduce    90 bytes an update
output        decay.run
)");
}

} // namespace
} // namespace rondo::job
