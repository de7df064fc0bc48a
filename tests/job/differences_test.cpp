#include "job/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differences(const std::vector<std::string>& overrides) {
    return mathematical_differences(job_of(fitted), job_of(fitted, overrides));
}

TEST(Settings, hold_given_values_and_defaults_by_table_and_key) {
    const Job job = job_of(fitted);
    EXPECT_EQ(job.settings.at("title"), "decay");
    EXPECT_EQ(job.settings.at("model.states"), "[\"u\", \"v\"]");
    EXPECT_EQ(job.settings.at("model.rates.u"), "-k*u");
    EXPECT_EQ(job.settings.at("parameters.k.initial"), "0.5");
    EXPECT_EQ(job.settings.at("parameters.k.scale"), "log");
    EXPECT_EQ(job.settings.at("parameters.s.fixed"), "true");
    EXPECT_EQ(job.settings.at("solver.rtol"), "1e-06");
    EXPECT_EQ(job.settings.at("solver.max_steps"), "100000");
    EXPECT_EQ(job.settings.at("train.shuffle"), "true");
    EXPECT_EQ(job.settings.at("train.learning_rate.initial"), "0.01");
    EXPECT_EQ(job.settings.at("train.batch_size"), "all");
    EXPECT_EQ(job.settings.at("train.clip_norm"), "");
    EXPECT_EQ(job.settings.at("parallel.learning_rate_rule"), "none");
}

TEST(Differences, none_where_nothing_changed) {
    EXPECT_THAT(differences({}), IsEmpty());
    EXPECT_THAT(differences({"solver.rtol=0.000001", "train.optimizer=adam"}), IsEmpty());
}

TEST(Differences, the_length_of_the_run_and_who_does_the_work_are_no_mathematics) {
    EXPECT_THAT(
        differences({"title=other", "train.epochs=9", "train.early_stopping.patience=3", "parallel.threads=4",
                     "parallel.allreduce=mpi", "parallel.segment_bytes=64", "parallel.balance=cyclic",
                     "checkpoint.every=1", "checkpoint.keep=1", "output.directory=x", "data.file=elsewhere.csv"}),
        IsEmpty());
}

TEST(Differences, name_every_key_that_changes_the_mathematics) {
    EXPECT_THAT(differences({"solver.rtol=1e-7", "train.optimizer=sgd", "parameters.k.initial=0.6",
                             "model.rates.u=-k*u*u", "train.learning_rate=0.5", "parallel.sum=plain"}),
                ElementsAre("model.rates.u", "parallel.sum", "parameters.k.initial", "solver.rtol",
                            "train.learning_rate.initial", "train.optimizer"));
}

TEST(Differences, a_key_that_only_one_job_has_is_one) {
    EXPECT_THAT(differences({"model.observables.x=u"}), ElementsAre("model.observables.x"));
}

TEST(Differences, fixing_a_parameter_is_one_however_it_is_written) {
    EXPECT_THAT(differences({"parameters.s={ initial = 0.1 }"}), ElementsAre("parameters.s.fixed"));
    EXPECT_THAT(differences({"parameters.s={ initial = 0.1, fixed = true }"}), IsEmpty());
}

} // namespace
} // namespace rondo::job
