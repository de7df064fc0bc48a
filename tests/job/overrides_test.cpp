#include "job/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Overrides, replace_values_and_add_keys_and_tables) {
    const Job job = job_of(fitted, {"solver.rtol=1e-4", "train.epochs=3", "checkpoint.keep=9", "title=again"});
    EXPECT_EQ(job.solver.rtol, 1e-4);
    EXPECT_EQ(job.train.epochs, 3);
    EXPECT_EQ(job.train.checkpoint.keep, 9);
    EXPECT_EQ(job.title, "again");
}

TEST(Overrides, reach_into_inner_tables) {
    const Job job = job_of(fitted, {"parameters.k.initial=0.3", "train.learning_rate.initial=0.7",
                                    "train.early_stopping.patience=2", "model.rates.u=-2*k*u"});
    EXPECT_EQ(job.parameters.at(0).initial, 0.3);
    EXPECT_EQ(job.parameters.at(0).transform.upper, 10.0);
    EXPECT_EQ(job.train.schedule.initial, 0.7);
    EXPECT_EQ(job.train.early_stopping.value().patience, 2);
    EXPECT_EQ(job.model.rates.at(0).text, "-2*k*u");
}

TEST(Overrides, are_toml_where_they_can_be_else_strings) {
    const Job job = job_of(fitted, {"parameters.k={ initial = 2.0 }", "solver.method=bdf", "solver.engine=\"single\"",
                                    "model.states=[\"u\", \"v\"]", "train.shuffle=false"});
    EXPECT_EQ(job.parameters.at(0).initial, 2.0);
    EXPECT_EQ(job.solver.method, solve::Method::bdf);
    EXPECT_EQ(job.solver.engine, solve::EngineKind::single);
    EXPECT_FALSE(job.train.shuffle);
}

TEST(Overrides, the_last_one_holds) {
    EXPECT_EQ(job_of(fitted, {"solver.rtol=1e-4", "solver.rtol=1e-5"}).solver.rtol, 1e-5);
}

TEST(Overrides, may_have_equal_signs_and_quotes_in_the_value) {
    const Job job = job_of(fitted, {"model.rates.u=if(u>=1, -k, 0)", "title=a \"b\" \\ c"});
    EXPECT_EQ(job.model.rates.at(0).text, "if(u>=1, -k, 0)");
    EXPECT_EQ(job.title, "a \"b\" \\ c");
}

TEST(Overrides, mistakes_name_the_override) {
    EXPECT_EQ(refusal(fitted, {"output.dir=x"}),
              "--set output.dir=x: [output] key \"dir\" is unknown (known: directory)");
    EXPECT_EQ(refusal(fitted, {"checkpoint.kep=1"}), "--set checkpoint.kep=1: [checkpoint] key \"kep\" is unknown "
                                                     "(known: every, keep, minutes); did you mean \"keep\"?");
    EXPECT_EQ(refusal(fitted, {"checkpoints.keep=1"}),
              "--set checkpoints.keep=1: key \"checkpoints\" is unknown (known: checkpoint, data, ensemble, loss, "
              "model, output, "
              "parallel, parameters, solver, title, train); did you mean \"checkpoint\"?");
    EXPECT_EQ(refusal(fitted, {"solver.rtol=small"}),
              "--set solver.rtol=small: [solver] rtol = \"small\" is a string (a number above "
              "0 and below 1 is wanted)");
    EXPECT_EQ(refusal(fitted, {"solver.rtol=2"}),
              "--set solver.rtol=2: [solver] rtol = 2 is out of range (a number above 0 and below 1 is wanted)");
    EXPECT_EQ(refusal(fitted, {"parameters.x=2"}),
              "--set parameters.x=2: [parameters] \"x\" is not a parameter of the model (known: k, s)");
}

TEST(Overrides, without_a_key_or_a_value_are_refused) {
    const std::string advice = "write it as table.key=value, for instance solver.rtol=1e-8";
    EXPECT_EQ(refusal(fitted, {"solver.rtol"}), "--set solver.rtol: there is no = in it; " + advice);
    EXPECT_EQ(refusal(fitted, {"solver..rtol=1"}), "--set solver..rtol=1: \"solver..rtol\" names no key; " + advice);
    EXPECT_EQ(refusal(fitted, {"=1"}), "--set =1: \"\" names no key; " + advice);
    EXPECT_EQ(refusal(fitted, {"parameters.s.initial=1"}),
              "--set parameters.s.initial=1: parameters.s = 0.1 is a number with a "
              "decimal point, so there is nothing to set inside it; set parameters.s itself");
    EXPECT_THAT(refusal(fitted, {"title=\xFF"}), HasSubstr("the value is not UTF-8"));
}

TEST(Overrides, the_text_with_them_reads_as_the_same_job) {
    const std::vector<std::string> overrides{"solver.rtol=1e-4", "parameters.k.prior=normal(0, 1)",
                                             "train.learning_rate.warmup=5", "output.directory=out", "title=tab\there"};
    const std::string text =
        with_line(fitted, 12,
                  "[model.observables]\nzz = \"u\"\naa = \"v*1.0\"\n[[model.events]]\nstate = \"u\"\n"
                  "times = [1, 2.0]\namount = 1\n[[model.events]]\nstate = \"v\"\ntimes = [3]\n"
                  "amount = \"k\"");
    const Job job = job_of(text, overrides);

    const Job again = job_of(job.text);

    EXPECT_EQ(again.settings, job.settings);
    EXPECT_THAT(again.data.columns, ElementsAre("zz", "aa"));
    EXPECT_EQ(again.data.events.size(), 2U);
    EXPECT_EQ(again.train.schedule.warmup, 5);
    EXPECT_EQ(again.title, "tab\there");
    EXPECT_EQ(job_of(again.text).text, again.text);
}

TEST(Overrides, keep_the_order_of_covariates) {
    const std::string text = with_line(generated, 17, "[ensemble.covariates]\nz = \"index\"\na = \"z\"");
    const Job job = job_of(text, {"ensemble.covariates.b=a*2", "ensemble.covariates.aa=b"});
    std::vector<std::string> names;
    for (const ensemble::Formula& one : job_of(job.text).data.covariates) {
        names.push_back(one.name);
    }
    EXPECT_THAT(names, ElementsAre("z", "a", "b", "aa"));
}

} // namespace
} // namespace rondo::job
