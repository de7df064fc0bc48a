#include "job/sample.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rondo::job {
namespace {

Job with_train(const std::string& lines) { return job_of(with_line(fitted, 28, lines)); }

TEST(ReadTrain, the_keys_of_a_run_land_in_their_fields) {
    const Job job = with_train(R"(epochs = 7
batch_size = 3
shuffle = false
seed = 12
validate_every = 4
early_stopping = { patience = 5, min_delta = 1e-3 })");

    EXPECT_EQ(job.train.epochs, 7);
    EXPECT_EQ(job.train.batch_size, 3);
    EXPECT_FALSE(job.train.shuffle);
    EXPECT_EQ(job.train.seed, 12U);
    EXPECT_EQ(job.train.validate_every, 4);
    EXPECT_EQ(job.train.early_stopping.value().patience, 5);
    EXPECT_EQ(job.train.early_stopping.value().min_delta, 1e-3);
}

TEST(ReadTrain, every_optimizer_is_accepted) {
    for (const std::string& name : optimise::rule_names()) {
        EXPECT_EQ(with_train("optimizer = \"" + name + "\"").train.optimiser.rule, optimise::rule_from(name)) << name;
    }
}

TEST(ReadTrain, the_constants_of_the_rules_land_in_their_fields) {
    const auto adam = with_train("optimizer = \"adamw\"\nbeta1 = 0.5\nbeta2 = 0.6\nepsilon = 1e-3\nweight_decay = 0.1\n"
                                 "clip_norm = 2\nclip_value = 3")
                          .train.optimiser;
    const auto momentum = with_train("optimizer = \"nesterov\"\nmomentum = 0.5").train.optimiser;
    const auto rmsprop = with_train("optimizer = \"rmsprop\"\nrho = 0.5").train.optimiser;
    const auto lbfgs =
        with_train("optimizer = \"lbfgs\"\nmemory = 4\ngradient_tolerance = 1e-3\nstep_tolerance = 1e-4\n"
                   "loss_tolerance = 1e-5")
            .train.optimiser;
    const auto marquardt = with_train("optimizer = \"levenberg_marquardt\"\ninitial_damping = 1").train.optimiser;

    EXPECT_EQ(adam.beta1, 0.5);
    EXPECT_EQ(adam.beta2, 0.6);
    EXPECT_EQ(adam.epsilon, 1e-3);
    EXPECT_EQ(adam.weight_decay, 0.1);
    EXPECT_EQ(adam.clip_norm, 2.0);
    EXPECT_EQ(adam.clip_value, 3.0);
    EXPECT_EQ(momentum.momentum, 0.5);
    EXPECT_EQ(momentum.clip_norm, std::nullopt);
    EXPECT_EQ(rmsprop.rho, 0.5);
    EXPECT_EQ(lbfgs.memory, 4U);
    EXPECT_EQ(lbfgs.gradient_tolerance, 1e-3);
    EXPECT_EQ(lbfgs.step_tolerance, 1e-4);
    EXPECT_EQ(lbfgs.loss_tolerance, 1e-5);
    EXPECT_EQ(marquardt.initial_damping, 1.0);
}

TEST(ReadTrain, a_learning_rate_is_a_number_or_a_schedule) {
    const auto number = with_train("learning_rate = 1").train.schedule;
    const auto cosine =
        with_train(
            "learning_rate = { initial = 0.2, schedule = \"cosine\", total = 50, final_fraction = 0.1, warmup = 3 }")
            .train.schedule;
    const auto step = with_train("[train.learning_rate]\nschedule = \"step\"\ndecay = 0.25\nevery = 8").train.schedule;

    EXPECT_EQ(number.kind, optimise::ScheduleKind::constant);
    EXPECT_EQ(number.initial, 1.0);
    EXPECT_EQ(cosine.kind, optimise::ScheduleKind::cosine);
    EXPECT_EQ(cosine.initial, 0.2);
    EXPECT_EQ(cosine.total, 50);
    EXPECT_EQ(cosine.final_fraction, 0.1);
    EXPECT_EQ(cosine.warmup, 3);
    EXPECT_EQ(step.kind, optimise::ScheduleKind::step);
    EXPECT_EQ(step.decay, 0.25);
    EXPECT_EQ(step.every, 8);
    EXPECT_EQ(step.initial, optimise::Schedule{}.initial);
}

TEST(ReadTrain, levenberg_marquardt_does_not_go_with_labels) {
    const std::string text =
        with_line(generated, 20, "kind = \"cross_entropy\"\n[train]\noptimizer = \"levenberg_marquardt\"");
    EXPECT_EQ(refusal(text),
              "jobs/decay.toml:22: [train] optimizer = \"levenberg_marquardt\" does not go with [loss] kind = "
              "\"cross_entropy\" (it needs a loss made of residuals); choose another optimizer, for instance lbfgs");
}

TEST(ReadParallel, every_key_lands_in_its_field) {
    const Job job = job_of(with_line(fitted, 28, R"(batch_size = 4
[parallel]
scaling = "weak"
learning_rate_rule = "square_root"
allreduce = "mpi"
segment_bytes = 1024
sum = "plain"
threads = 3
balance = "block")"));

    EXPECT_EQ(job.train.scaling, train::Scaling::weak);
    EXPECT_EQ(job.train.learning_rate_rule, train::LearningRateRule::square_root);
    EXPECT_EQ(job.gradient.reduce.algorithm, comm::Algorithm::mpi);
    EXPECT_EQ(job.gradient.reduce.segment_bytes, 1024U);
    EXPECT_EQ(job.gradient.sum, gradient::Sum::plain);
    EXPECT_EQ(job.gradient.threads, 3);
    EXPECT_EQ(job.gradient.balance, ensemble::Balance::block);
}

TEST(ReadParallel, the_learning_rate_rule_is_linear_under_weak_scaling_and_none_under_strong) {
    const Job weak = job_of(with_line(fitted, 28, "batch_size = 4\n[parallel]\nscaling = \"weak\""));
    EXPECT_EQ(weak.train.learning_rate_rule, train::LearningRateRule::linear);
    EXPECT_EQ(job_of(fitted).train.learning_rate_rule, train::LearningRateRule::none);
}

} // namespace
} // namespace rondo::job
