#include "job/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A job whose model is a library.
const std::string of_library = R"([model]
library = "libdecay.so"
[[model.events]]
state = "v"
times = [1]
amount = 2
[data]
file = "decay.csv"
[parameters]
b = 2.0
a = { initial = 1.0 }
[loss]
kind = "gaussian"
)";

std::string refused(Job job, const std::vector<std::string>& states, const std::vector<std::string>& parameters) {
    try {
        complete(job, states, parameters);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(Complete, a_library_leaves_the_names_open_and_the_parameters_as_written) {
    const Job job = job_of(of_library);
    EXPECT_EQ(job.model.library, "jobs/libdecay.so");
    EXPECT_THAT(job.model.states, IsEmpty());
    EXPECT_THAT(job.model.rates, IsEmpty());
    EXPECT_EQ(job.parameters.at(0).name, "b");
    EXPECT_EQ(job.parameters.at(1).name, "a");
}

TEST(Complete, brings_the_library_s_order) {
    Job job = job_of(of_library);

    complete(job, {"u", "v"}, {"a", "b"});

    EXPECT_EQ(job.parameters.at(0).name, "a");
    EXPECT_TRUE(job.parameters.at(0).estimated);
    EXPECT_EQ(job.parameters.at(1).name, "b");
    EXPECT_EQ(job.data.events.at(0).state, 1);
    EXPECT_THAT(job.data.columns, ElementsAre("u", "v"));
    EXPECT_THAT(job.data.states, ElementsAre("u", "v"));
    EXPECT_TRUE(job.data.needs_sigma);
}

TEST(Complete, takes_the_library_s_observables_where_the_job_names_none) {
    Job job = job_of(of_library);
    complete(job, {"u", "v"}, {"a", "b"}, {"seen"});
    EXPECT_THAT(job.data.columns, ElementsAre("seen"));
}

TEST(Complete, refuses_what_the_library_does_not_know) {
    const Job job = job_of(of_library);
    EXPECT_EQ(refused(job, {"u", "v"}, {"a", "b", "c"}),
              "jobs/decay.toml:9: [parameters] has no entry for \"c\", a parameter of the model; add it");
    EXPECT_EQ(refused(job, {"u", "v"}, {"a"}),
              "jobs/decay.toml:10: [parameters] \"b\" is not a parameter of the model (known: a)");
    EXPECT_EQ(refused(job, {"u"}, {"a", "b"}),
              "jobs/decay.toml:4: [model.events.1] state = \"v\" is not a state (known: u)");
    const Job listed = job_of(with_line(of_library, 2, "library = \"libdecay.so\"\nstates = [\"x\"]"));
    EXPECT_EQ(refused(listed, {"u", "v"}, {"a", "b"}),
              "jobs/decay.toml:3: [model] states = [x] are not those of the library (it has: u, v); leave states out");
}

TEST(RequireTrainable, wants_an_estimated_parameter_and_something_to_fit) {
    EXPECT_NO_THROW(require_trainable(job_of(fitted)));
    const auto sentence = [](const std::string& text) {
        try {
            require_trainable(job_of(text));
        } catch (const InputError& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_EQ(sentence(with_line(fitted, 17, "k = 1")),
              "jobs/decay.toml: [parameters] has no estimated parameter (every one is "
              "fixed); write one as a table, for instance name = { initial = 1.0 }");
    EXPECT_EQ(sentence(with_line(generated, 16, "")),
              "jobs/decay.toml: there is nothing to fit ([ensemble] has neither target nor "
              "targets); give one, or [data] file instead of [ensemble]");
}

} // namespace
} // namespace rondo::job
