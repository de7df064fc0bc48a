#include "job/sample.hpp"

#include <rondo/base/text.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ReadModel, every_key_lands_in_its_field) {
    const Job job = job_of(R"(
[model]
states = ["depot", "central"]
parameters = ["ka", "ke"]
initial_time = -1.5
[model.expressions]
rate = "ka*depot"
[model.rates]
central = "rate - ke*central"
depot = "-rate"
[model.initial]
depot = 0
central = "index"
[model.observables]
seen = "central/2"
also = 1.5
[[model.events]]
state = "central"
action = "replace"
times = [24.0, "24*index"]
amount = "dose*ka"
[[model.events]]
state = "depot"
times = [1]
amount = 3
[data]
file = "d.csv"
[parameters]
ke = 1
ka = 2
)");

    EXPECT_THAT(job.model.states, ElementsAre("depot", "central"));
    EXPECT_THAT(job.model.parameters, ElementsAre("ka", "ke"));
    EXPECT_EQ(job.initial_time, -1.5);
    EXPECT_EQ(job.data.initial_time, -1.5);
    EXPECT_EQ(job.model.expressions.at(0).text, "ka*depot");
    EXPECT_EQ(job.model.rates.at(0).name, "central");
    EXPECT_EQ(job.model.rates.at(0).text, "rate - ke*central");
    EXPECT_EQ(job.model.rates.at(0).where, "jobs/decay.toml:9: [model.rates] central");
    EXPECT_EQ(job.model.initial.at(0).text, "0");
    EXPECT_EQ(job.model.observables.at(0).name, "seen");
    EXPECT_EQ(job.model.observables.at(1).text, "1.5");
    EXPECT_THAT(job.data.columns, ElementsAre("seen", "also"));
    EXPECT_THAT(job.data.states, ElementsAre("depot", "central"));
    EXPECT_EQ(job.data.events.at(0).state, 1);
    EXPECT_EQ(job.data.events.at(0).action, ensemble::Action::replace);
    EXPECT_EQ(job.data.events.at(0).times.at(0).text, "24");
    EXPECT_EQ(job.data.events.at(0).times.at(1).text, "24*index");
    EXPECT_EQ(job.data.events.at(0).amount, 0);
    EXPECT_EQ(job.data.events.at(1).state, 0);
    EXPECT_EQ(job.data.events.at(1).action, ensemble::Action::add);
    EXPECT_EQ(job.data.events.at(1).amount, 1);
    EXPECT_EQ(job.model.amounts.at(0).text, "dose*ka");
    EXPECT_EQ(job.model.amounts.at(0).where, "jobs/decay.toml:21: [model.events.1] amount");
    EXPECT_EQ(job.model.amounts.at(1).text, "3");
    EXPECT_EQ(job.parameters.at(0).name, "ka");
    EXPECT_EQ(job.parameters.at(1).name, "ke");
}

TEST(ReadModel, without_observables_each_state_is_one) {
    const Job job = job_of(fitted);
    EXPECT_THAT(job.model.observables, IsEmpty());
    EXPECT_THAT(job.data.columns, ElementsAre("u", "v"));
}

TEST(ReadModel, an_observable_may_be_called_like_the_state_that_it_is) {
    EXPECT_EQ(refusal(with_line(fitted, 12, "[model.observables]\nu = \"u\"")), "");
}

TEST(ReadData, every_key_lands_in_its_field) {
    const Job job = job_of(with_line(fitted, 14, R"(file = "../data/decay.csv"
trajectories = "/tmp/subjects.csv"
events = "doses.csv"
validation_fraction = 0.25)"));

    EXPECT_EQ(job.data.data_file, "data/decay.csv");
    EXPECT_EQ(job.data.trajectories_file, "/tmp/subjects.csv");
    EXPECT_EQ(job.data.events_file, "jobs/doses.csv");
    EXPECT_EQ(job.train.validation_fraction, 0.25);
    EXPECT_TRUE(job.has_data);
}

TEST(ReadEnsemble, every_key_lands_in_its_field) {
    const Job job = job_of(with_line(generated, 17, "seed = 7\ncovariates = { w = \"normal(70, 5)\", d = \"2*w\" }"));

    EXPECT_EQ(job.data.n_trajectories, 10);
    EXPECT_EQ(job.data.times.size(), 11U);
    EXPECT_EQ(job.data.targets.at(0).name, "");
    EXPECT_EQ(job.data.targets.at(0).text, "1.0");
    EXPECT_EQ(job.data.seed, 7U);
    EXPECT_EQ(job.data.covariates.at(0).name, "w");
    EXPECT_EQ(job.data.covariates.at(1).name, "d");
    EXPECT_EQ(job.data.covariates.at(1).text, "2*w");
    EXPECT_TRUE(job.has_data);
}

TEST(ReadEnsemble, targets_may_be_given_by_observable) {
    const Job job = job_of(with_line(generated, 16, "targets = { v = \"t\", u = 2 }"));
    ASSERT_EQ(job.data.targets.size(), 2U);
    EXPECT_EQ(job.data.targets[0].name, "v");
    EXPECT_EQ(job.data.targets[1].text, "2");
}

TEST(ReadEnsemble, without_a_target_there_is_nothing_to_fit) {
    const Job job = job_of(with_line(generated, 16, ""));
    EXPECT_FALSE(job.has_data);
    EXPECT_THROW(require_trainable(job), InputError);
}

TEST(ReadEnsemble, the_rows_of_a_trajectories_table_may_give_the_number) {
    const std::string text = with_line(with_line(generated, 14, ""), 12, "[data]\ntrajectories = \"subjects.csv\"");
    const Job job = job_of(text);
    EXPECT_EQ(job.data.n_trajectories, 0);
    EXPECT_EQ(job.data.trajectories_file, "jobs/subjects.csv");
}

TEST(ReadParameters, a_number_is_fixed_and_a_table_is_estimated) {
    const Job job = job_of(with_line(
        fitted, 17, "k = { initial = 2, lower = 1, upper = 4.5, scale = \"log10\", prior = \"normal(0, 1)\" }"));

    const gradient::Parameter& k = job.parameters.at(0);
    EXPECT_TRUE(k.estimated);
    EXPECT_EQ(k.initial, 2.0);
    EXPECT_EQ(k.transform.lower, 1.0);
    EXPECT_EQ(k.transform.upper, 4.5);
    EXPECT_EQ(k.transform.scale, optimise::Scale::log10);
    EXPECT_EQ(k.prior, (optimise::Prior{optimise::PriorKind::normal, {0.0, 1.0}}));
    EXPECT_FALSE(job.parameters.at(1).estimated);
    EXPECT_EQ(job.parameters.at(1).initial, 0.1);
}

TEST(ReadParameters, a_table_may_be_fixed) {
    const Job job = job_of(with_line(fitted, 17, "k = { initial = 2, prior = \"normal(0, 1)\", fixed = true }"));
    EXPECT_FALSE(job.parameters.at(0).estimated);
    EXPECT_EQ(job.parameters.at(0).prior, std::nullopt);
    EXPECT_EQ(job.parameters.at(0).initial, 2.0);
}

TEST(ReadLoss, every_key_lands_in_its_field) {
    const Job huber = job_of(with_line(generated, 20, "kind = \"huber\"\ndelta = 2\nreduction = \"sum\""));
    const Job gaussian = job_of(fitted);
    const Job by_observable = job_of(with_line(fitted, 22, "sigma = { u = 0.5, v = \"s*v\" }"));

    EXPECT_EQ(huber.model.loss.kind, model::LossKind::huber);
    EXPECT_EQ(huber.model.loss.delta, 2.0);
    EXPECT_EQ(huber.gradient.reduction, gradient::Reduction::sum);
    EXPECT_EQ(gaussian.model.loss.sigma, "s");
    EXPECT_FALSE(gaussian.data.needs_sigma);
    EXPECT_EQ(by_observable.model.loss.sigma, "");
    EXPECT_EQ(by_observable.model.loss.sigma_of.at("u"), "0.5");
    EXPECT_EQ(by_observable.model.loss.sigma_of.at("v"), "s*v");
}

TEST(ReadLoss, tells_the_ensemble_what_it_needs) {
    const Job column = job_of(with_line(fitted, 22, ""));
    const Job lognormal = job_of(with_line(fitted, 21, "kind = \"lognormal\""));
    const Job labels = job_of(with_line(generated, 20, "kind = \"cross_entropy\""));

    EXPECT_TRUE(column.data.needs_sigma);
    EXPECT_FALSE(column.data.needs_positive);
    EXPECT_TRUE(lognormal.data.needs_positive);
    EXPECT_THAT(labels.data.columns, ElementsAre("label"));
    EXPECT_EQ(labels.data.n_classes, 2U);
}

TEST(ReadSolver, every_key_lands_in_its_field) {
    const Job job = job_of(with_line(fitted, 25, R"(engine = "single"
method = "bdf"
sensitivity = "adjoint"
rtol = 1e-4
atol = 1
max_steps = 7
max_attempts = 2
on_failure = "drop"
max_failed_fraction = 0.25
kernels = "interpreted")"));

    EXPECT_EQ(job.solver.engine, solve::EngineKind::single);
    EXPECT_EQ(job.solver.method, solve::Method::bdf);
    EXPECT_EQ(job.solver.sensitivity, solve::Sensitivity::adjoint);
    EXPECT_EQ(job.solver.rtol, 1e-4);
    EXPECT_EQ(job.solver.atol, 1.0);
    EXPECT_EQ(job.solver.max_steps, 7);
    EXPECT_EQ(job.solver.max_attempts, 2);
    EXPECT_EQ(job.gradient.on_failure, gradient::OnFailure::drop);
    EXPECT_EQ(job.gradient.max_failed_fraction, 0.25);
    EXPECT_EQ(job.kernels, "interpreted");
}

TEST(ReadSolver, knows_the_words_that_the_engines_know) {
    for (const std::string& name : solve::engine_names()) {
        EXPECT_EQ(job_of(with_line(fitted, 25, "engine = \"" + name + "\"")).solver.engine, solve::engine_from(name));
    }
    for (const std::string& name : solve::method_names()) {
        EXPECT_EQ(job_of(with_line(fitted, 25, "method = \"" + name + "\"")).solver.method, solve::method_from(name));
    }
    for (const std::string& name : solve::sensitivity_names()) {
        EXPECT_EQ(job_of(with_line(fitted, 25, "sensitivity = \"" + name + "\"")).solver.sensitivity,
                  solve::sensitivity_from(name));
    }
}

TEST(ReadSolver, an_unknown_engine_names_those_there_are) {
    EXPECT_EQ(refusal(with_line(fitted, 25, "engine = \"singel\"")),
              "jobs/decay.toml:25: [solver] engine = \"singel\" is unknown" +
                  known_words_hint("singel", solve::engine_names()));
    EXPECT_EQ(refusal(with_line(fitted, 25, "method = \"bdff\"")),
              "jobs/decay.toml:25: [solver] method = \"bdff\" is unknown" +
                  known_words_hint("bdff", solve::method_names()));
    EXPECT_EQ(refusal(with_line(fitted, 25, "sensitivity = \"adjoints\"")),
              "jobs/decay.toml:25: [solver] sensitivity = \"adjoints\" is unknown" +
                  known_words_hint("adjoints", solve::sensitivity_names()));
}

TEST(ReadCheckpoint, every_key_lands_in_its_field) {
    const Job job = job_of(with_line(fitted, 29, "[checkpoint]\nevery = 0\nminutes = 2.5\nkeep = 1"));
    EXPECT_EQ(job.train.checkpoint.every, 0);
    EXPECT_EQ(job.train.checkpoint.minutes, 2.5);
    EXPECT_EQ(job.train.checkpoint.keep, 1);
}

TEST(ReadOutput, the_directory_is_relative_to_the_file_and_by_default_beside_the_caller) {
    EXPECT_EQ(job_of(with_line(fitted, 29, "[output]\ndirectory = \"runs/a\"")).output_directory, "jobs/runs/a");
    EXPECT_EQ(job_of(with_line(fitted, 29, "[output]\ndirectory = \"/runs/a\"")).output_directory, "/runs/a");
    EXPECT_EQ(job_of(fitted).output_directory, "decay.run");
}

TEST(ReadTop, title_name_and_text_are_kept) {
    const Job job = job_of(fitted);
    EXPECT_EQ(job.title, "decay");
    EXPECT_EQ(job.name, "decay");
    EXPECT_EQ(job.file, "jobs/decay.toml");
    EXPECT_EQ(job.text, fitted);
}

TEST(ReadTop, what_is_absent_has_the_defaults_of_the_options) {
    const Job job = job_of(with_line(with_line(generated, 20, ""), 1, ""));
    const train::Options train;
    const gradient::Options gradient;
    const solve::Options solver;

    EXPECT_EQ(job.model.loss.kind, model::LossKind::squared);
    EXPECT_EQ(job.title, "");
    EXPECT_EQ(job.initial_time, 0.0);
    EXPECT_EQ(job.solver.rtol, solver.rtol);
    EXPECT_EQ(job.solver.atol, solver.atol);
    EXPECT_EQ(job.solver.max_steps, solver.max_steps);
    EXPECT_EQ(job.solver.max_attempts, solver.max_attempts);
    EXPECT_EQ(job.solver.engine, solver.engine);
    EXPECT_EQ(job.solver.method, solver.method);
    EXPECT_EQ(job.solver.sensitivity, solver.sensitivity);
    EXPECT_EQ(job.train.epochs, train.epochs);
    EXPECT_EQ(job.train.batch_size, 0);
    EXPECT_EQ(job.train.seed, train.seed);
    EXPECT_EQ(job.train.shuffle, train.shuffle);
    EXPECT_EQ(job.train.early_stopping.has_value(), false);
    EXPECT_EQ(job.train.schedule.initial, train.schedule.initial);
    EXPECT_EQ(job.train.optimiser.rule, optimise::Rule::adam);
    EXPECT_EQ(job.train.checkpoint.every, train.checkpoint.every);
    EXPECT_EQ(job.gradient.sum, gradient.sum);
    EXPECT_EQ(job.gradient.threads, gradient.threads);
    EXPECT_EQ(job.gradient.balance, gradient.balance);
    EXPECT_EQ(job.gradient.reduce.segment_bytes, gradient.reduce.segment_bytes);
    EXPECT_EQ(job.gradient.max_failed_fraction, gradient.max_failed_fraction);
    EXPECT_EQ(job.kernels, "auto");
}

} // namespace
} // namespace rondo::job
