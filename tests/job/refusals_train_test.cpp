#include "job/refusal.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::job {
namespace {

// Mistakes in [train], [parallel], [checkpoint] and [output].
const std::vector<Refusal> train_refusals{
    {fitted, 28, "optimizer = \"adamm\"",
     ":28: [train] optimizer = \"adamm\" is unknown (known: adagrad, adam, adamw, lbfgs, levenberg_marquardt, "
     "momentum, nesterov, rmsprop, sgd); did you mean \"adam\"?"},
    {fitted, 28, "optimizer = \"sgd\"\nbeta1 = 0.9",
     ":29: [train] beta1 has no effect (optimizer = \"sgd\" does not use it; these do: adam, adamw); leave it out or "
     "choose one of these"},
    {fitted, 28, "optimizer = \"adam\"\nmomentum = 0.9",
     ":29: [train] momentum has no effect (optimizer = \"adam\" does not use it; these do: momentum, nesterov); leave "
     "it out or choose one of these"},
    {fitted, 28, "optimizer = \"adam\"\nmemory = 5",
     ":29: [train] memory has no effect (optimizer = \"adam\" does not use it; these do: lbfgs); leave it out or "
     "choose one of these"},
    {fitted, 28, "optimizer = \"adam\"\nbeta2 = 1",
     ":29: [train] beta2 = 1 is out of range (a number of at least 0 and below 1 is wanted)"},
    {fitted, 28, "optimizer = \"adam\"\nepsilon = 0",
     ":29: [train] epsilon = 0 is out of range (a number above 0 is wanted)"},
    {fitted, 28, "optimizer = \"lbfgs\"\nbatch_size = 8",
     ":29: [train] batch_size has no effect (optimizer = \"lbfgs\" compares losses and so takes all trajectories in "
     "every update; these take batches: sgd, momentum, nesterov, adagrad, rmsprop, adam, adamw); leave it out or "
     "choose one of these"},
    {fitted, 28, "optimizer = \"levenberg_marquardt\"\nbatch_size = 8",
     ":29: [train] batch_size has no effect (optimizer = \"levenberg_marquardt\" compares losses and so takes all "
     "trajectories in every update; these take batches: sgd, momentum, nesterov, adagrad, rmsprop, adam, adamw); leave "
     "it out or choose one of these"},
    {fitted, 28, "optimizer = \"levenberg_marquardt\"\nlearning_rate = 0.1",
     ":29: [train] learning_rate has no effect (optimizer = \"levenberg_marquardt\" does not use it; these do: sgd, "
     "momentum, nesterov, adagrad, rmsprop, adam, adamw, lbfgs); leave it out or choose one of these"},
    {fitted, 28, "optimizer = \"lbfgs\"\nclip_norm = 1",
     ":29: [train] clip_norm has no effect (optimizer = \"lbfgs\" does not use it; these do: sgd, momentum, nesterov, "
     "adagrad, rmsprop, adam, adamw); leave it out or choose one of these"},
    {fitted, 28, "learning_rate = 0",
     ":28: [train] learning_rate = 0 is out of range (a number above 0 is wanted, or a table with a schedule)"},
    {fitted, 28, "learning_rate = \"fast\"",
     ":28: [train] learning_rate = \"fast\" is a string (a number above 0, or a table with a schedule is wanted)"},
    {fitted, 28, "learning_rate = inf",
     ":28: [train] learning_rate = inf is not finite (a number above 0 is wanted, or a table with a schedule)"},
    {fitted, 28, "learning_rate = { initial = -1 }",
     ":28: [train.learning_rate] initial = -1 is out of range (a number above 0 is wanted)"},
    {fitted, 28, "learning_rate = { schedule = \"cosin\" }",
     ":28: [train.learning_rate] schedule = \"cosin\" is unknown (known: constant, cosine, exponential, inverse_time, "
     "step); did you mean \"cosine\"?"},
    {fitted, 28, "learning_rate = { schedule = \"cosine\" }",
     ":28: [train.learning_rate] key \"total\" is missing (a whole number of at least 1, the updates over which the "
     "rate falls, is wanted)"},
    {fitted, 28, "learning_rate = { schedule = \"cosine\", total = 10, decay = 0.5 }",
     ":28: [train.learning_rate] decay has no effect (schedule = \"cosine\" does not use it; used by: step, "
     "exponential, inverse_time); leave it out or choose another schedule"},
    {fitted, 28, "learning_rate = { decay = 0.5 }",
     ":28: [train.learning_rate] decay has no effect (schedule = \"constant\" does not use it; used by: step, "
     "exponential, inverse_time); leave it out or choose another schedule"},
    {fitted, 28, "learning_rate = { schedule = \"step\", total = 10 }",
     ":28: [train.learning_rate] total has no effect (schedule = \"step\" does not use it; used by: cosine); leave it "
     "out or choose another schedule"},
    {fitted, 28, "learning_rate = { schedule = \"step\", decay = 2 }",
     ":28: [train.learning_rate]: decay = 2 is out of range (allowed: 0 < decay <= 1); give the factor of one decay "
     "step, for instance 0.5"},
    {fitted, 28, "learning_rate = { rate = 2 }",
     ":28: [train.learning_rate] key \"rate\" is unknown (known: decay, every, final_fraction, initial, schedule, "
     "total, warmup)"},
    {fitted, 28, "epochs = 0",
     ":28: [train] epochs = 0 is out of range (a whole number from 1 to 1000000000 is wanted)"},
    {fitted, 28, "epochs = 100.0",
     ":28: [train] epochs = 100.0 is a number with a decimal point (a whole number from 1 to 1000000000 is wanted)"},
    {fitted, 28, "batch_size = 0",
     ":28: [train] batch_size = 0 is out of range (a whole number of at least 1 is wanted)"},
    {fitted, 28, "batch_size = \"all\"",
     ":28: [train] batch_size = \"all\" is a string (a whole number of at least 1 is wanted)"},
    {fitted, 28, "shuffle = 1", ":28: [train] shuffle = 1 is a whole number (true or false is wanted)"},
    {fitted, 28, "seed = -1", ":28: [train] seed = -1 is out of range (a whole number of at least 0 is wanted)"},
    {fitted, 28, "early_stopping = 20", ":28: [train] early_stopping = 20 is a whole number (a table is wanted)"},
    {fitted, 28, "early_stopping = { patience = 0 }",
     ":28: [train.early_stopping] patience = 0 is out of range (a whole number of at least 1 is wanted)"},
    {fitted, 28, "early_stopping = { patiance = 3 }",
     ":28: [train.early_stopping] key \"patiance\" is unknown (known: min_delta, patience); did you mean "
     "\"patience\"?"},
    {fitted, 28, "validate_every = 0",
     ":28: [train] validate_every = 0 is out of range (a whole number of at least 1 is wanted)"},
    {fitted, 29, "[parallel]\nscaling = \"week\"",
     ":30: [parallel] scaling = \"week\" is unknown (known: strong, weak); did you mean \"weak\"?"},
    {fitted, 29, "[parallel]\nscaling = \"weak\"",
     ":30: [parallel] scaling = \"weak\" needs [train] batch_size (the trajectories of one rank in an update); give it "
     "or choose strong"},
    {fitted, 29, "[parallel]\nlearning_rate_rule = \"linear\"",
     ":30: [parallel] learning_rate_rule has no effect (with scaling = \"strong\" the batch does not grow with the "
     "ranks); leave it out, or write scaling = \"weak\""},
    {fitted, 29, "[parallel]\nallreduce = \"tree\"",
     ":30: [parallel] allreduce = \"tree\" is unknown (known: mpi, ring)"},
    {fitted, 29, "[parallel]\nsegment_bytes = 1",
     ":30: [parallel] segment_bytes = 1 is out of range (a whole number from 8 to 1073741824 is wanted)"},
    {fitted, 29, "[parallel]\nsum = \"fast\"", ":30: [parallel] sum = \"fast\" is unknown (known: exact, plain)"},
    {fitted, 29, "[parallel]\nthreads = 0",
     ":30: [parallel] threads = 0 is out of range (a whole number from 1 to 1024 is wanted)"},
    {fitted, 29, "[parallel]\nthreads = 2000",
     ":30: [parallel] threads = 2000 is out of range (a whole number from 1 to 1024 is wanted)"},
    {fitted, 29, "[parallel]\nbalance = \"costs\"",
     ":30: [parallel] balance = \"costs\" is unknown (known: block, cost, cyclic); did you mean \"cost\"?"},
    {fitted, 29, "[checkpoint]\nevery = -1",
     ":30: [checkpoint] every = -1 is out of range (a whole number of at least 0 is wanted)"},
    {fitted, 29, "[checkpoint]\nminutes = -1",
     ":30: [checkpoint] minutes = -1 is out of range (a number of at least 0 is wanted)"},
    {fitted, 29, "[checkpoint]\nkeep = 0",
     ":30: [checkpoint] keep = 0 is out of range (a whole number from 1 to 1000 is wanted)"},
    {fitted, 29, "[checkpoint]\nkept = 0",
     ":30: [checkpoint] key \"kept\" is unknown (known: every, keep, minutes); did you mean \"keep\"?"},
    {fitted, 29, "[output]\ndirectory = 3",
     ":30: [output] directory = 3 is a whole number (a string with a path is wanted)"},
    {fitted, 29, "[output]\ndirectroy = \"x\"",
     ":30: [output] key \"directroy\" is unknown (known: directory); did you mean \"directory\"?"},
};

TEST(Refusals, broken_training_is_refused_with_its_place_and_reason) { expect_refusals(train_refusals); }

} // namespace
} // namespace rondo::job
