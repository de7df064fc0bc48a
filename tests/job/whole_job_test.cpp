#include "job/sample.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rondo::job {
namespace {

const std::string hudson_bay = R"job(title = "Hudson Bay hare and lynx, 1900-1920"

[model]
states     = ["hare", "lynx"]
parameters = ["alpha", "beta", "gamma", "delta", "hare0", "lynx0", "sigma"]
[model.rates]
hare = "alpha*hare - beta*hare*lynx"
lynx = "delta*hare*lynx - gamma*lynx"
[model.initial]
hare = "hare0"
lynx = "lynx0"
[model.observables]
hare_pelts = "hare"
lynx_pelts = "lynx"

[data]
file  = "../data/hudson_bay.csv"

[parameters]
alpha = { initial = 0.5, lower = 1e-3, upper = 10.0, scale = "log" }
beta  = { initial = 0.03, lower = 1e-4, upper = 1.0, scale = "log" }
gamma = { initial = 0.8, lower = 1e-3, upper = 10.0, scale = "log", prior = "normal(0, 0.5)" }
delta = { initial = 0.03, lower = 1e-4, upper = 1.0, scale = "log" }
hare0 = { initial = 30, scale = "log" }
lynx0 = 4
sigma = { initial = 0.3, scale = "log" }

[loss]
kind  = "lognormal"
sigma = "sigma"
reduction = "mean"

[solver]
engine = "auto"
method = "auto"
sensitivity = "auto"
rtol = 1e-6
atol = 1e-8
max_steps = 100000
on_failure = "stop"

[train]
optimizer = "adam"
learning_rate = 0.1
epochs = 100
batch_size = 32
shuffle = true
seed = 1
early_stopping = { patience = 20 }

[parallel]
scaling = "strong"
allreduce = "ring"
sum = "exact"
threads = 1
balance = "cost"

[checkpoint]
every = 10
keep = 3
)job";

TEST(Read, a_whole_job) {
    const Job job = job_of(hudson_bay);

    EXPECT_EQ(job.parameters.size(), 7U);
    EXPECT_EQ(gradient::estimated(job.parameters).size(), 6U);
    EXPECT_TRUE(job.parameters.at(2).prior.has_value());
    EXPECT_EQ(job.data.data_file, "data/hudson_bay.csv");
    EXPECT_TRUE(job.data.needs_positive);
    EXPECT_FALSE(job.data.needs_sigma);
    EXPECT_EQ(job.train.schedule.initial, 0.1);
    EXPECT_EQ(job.train.batch_size, 32);
    EXPECT_EQ(job.train.early_stopping.value().patience, 20);
}

} // namespace
} // namespace rondo::job
