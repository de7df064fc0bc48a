#include "job/refusal.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::job {
namespace {

// Mistakes in [data], [ensemble] and [parameters].
const std::vector<Refusal> data_refusals{
    {fitted, 14, "",
     ": [data] key \"file\" is missing and there is no table [ensemble] (nothing says at which times to solve); give "
     "the one or the other"},
    {fitted, 14, "flie = \"data/decay.csv\"",
     ":14: [data] key \"flie\" is unknown (known: events, file, trajectories, validation_fraction); did you mean "
     "\"file\"?"},
    {fitted, 14, "file = 3", ":14: [data] file = 3 is a whole number (a string with a path is wanted)"},
    {fitted, 14, "file = \"d.csv\"\nvalidation_fraction = 1",
     ":15: [data] validation_fraction = 1 is out of range (a number of at least 0 and below 1 is wanted)"},
    {fitted, 14, "file = \"d.csv\"\nvalidation_fraction = -0.1",
     ":15: [data] validation_fraction = -0.1 is out of range (a number of at least 0 and below 1 is wanted)"},
    {fitted, 15, "[ensemble]\ntrajectories = 3\ntimes = [1]",
     ":15: [ensemble] stands beside [data] file (both say at which times to solve); keep one"},
    {generated, 14, "",
     ":13: [ensemble] key \"trajectories\" is missing (a whole number from 1 to 100000000, or a [data] trajectories "
     "table, is wanted)"},
    {generated, 14, "trajectories = 0",
     ":14: [ensemble] trajectories = 0 is out of range (a whole number from 1 to 100000000 is wanted)"},
    {generated, 14, "trajectories = 10.0",
     ":14: [ensemble] trajectories = 10.0 is a number with a decimal point (a whole number from 1 to 100000000 is "
     "wanted)"},
    {generated, 15, "",
     ":13: [ensemble] key \"times\" is missing (a list of increasing numbers, or a table with start, stop, and step or "
     "count is wanted)"},
    {generated, 15, "times = 3",
     ":15: [ensemble] times = 3 is a whole number (a list of increasing numbers, or a table with start, stop, and step "
     "or count is wanted)"},
    {generated, 15, "times = []", ":15: [ensemble] times is empty (at least one time is wanted)"},
    {generated, 15, "times = [0, \"1\"]",
     ":15: [ensemble] times: \"1\" is a string (a list of increasing finite numbers is wanted)"},
    {generated, 15, "times = [0, 1, 1]",
     ":15: [ensemble] times: 1 comes after 1 (times increase strictly); sort them and leave out doubles"},
    {generated, 15, "times = [-1, 1]", ":15: [ensemble] times: -1 is before model.initial_time = 0; start later"},
    {generated, 15, "times = { start = 0, stop = 1 }",
     ":15: [ensemble.times] has neither step and count (each says how many times there are); give one of them"},
    {generated, 15, "times = { start = 0, stop = 1, step = 0.1, count = 3 }",
     ":15: [ensemble.times] has both step and count (each says how many times there are); give one of them"},
    {generated, 15, "times = { stop = 1, step = 0.1 }",
     ":15: [ensemble.times] key \"start\" is missing (a number is wanted)"},
    {generated, 15, "times = { start = 1, stop = 1, step = 0.1 }",
     ":15: [ensemble.times] stop = 1 is not after start = 1 (times increase)"},
    {generated, 15, "times = { start = 0, stop = 1, step = 0 }",
     ":15: [ensemble.times] step = 0 is out of range (a number above 0 is wanted)"},
    {generated, 15, "times = { start = 0, stop = 1, step = 1e-9 }",
     ":15: [ensemble.times] step = 1e-09 makes more than 100000000 times between 0 and 1; take a longer step"},
    {generated, 15, "times = { start = 0, stop = 1, count = 1 }",
     ":15: [ensemble.times] count = 1 is out of range (a whole number from 2 to 100000000 is wanted)"},
    {generated, 15, "times = { start = 0, stop = 1, count = 3, spacing = \"log\" }",
     ":15: [ensemble.times] start = 0 is out of range (with spacing = \"log\" a number above 0 is wanted)"},
    {generated, 15, "times = { start = 0, stop = 1, count = 3, spacing = \"cubic\" }",
     ":15: [ensemble.times] spacing = \"cubic\" is unknown (known: linear, log)"},
    {generated, 15, "times = { start = 0, stop = 1, step = 0.1, spacing = \"linear\" }",
     ":15: [ensemble.times] spacing has no effect (with step the distances are equal); give count instead of step"},
    {generated, 15, "times = { start = 1, stop = 1.0000000000000004, count = 100 }",
     ":15: [ensemble.times] makes times that do not increase (number 1 is 1, number 2 is 1: they are too close for "
     "double precision); take fewer"},
    {generated, 15, "times = { start = 0, stop = 1, steps = 0.1 }",
     ":15: [ensemble.times] key \"steps\" is unknown (known: count, spacing, start, step, stop); did you mean "
     "\"step\"?"},
    {generated, 16, "target = []",
     ":16: [ensemble] target = [] is a list (an expression in t, index and covariates, or a number is wanted)"},
    {generated, 16, "target = \" \"", ":16: [ensemble] target = \" \" is empty (an expression is wanted)"},
    {generated, 16, "target = 1\ntargets = { u = 1 }",
     ":16: [ensemble] target stands beside targets (both say what the observables should be); keep one"},
    {generated, 16, "targets = { w = 1 }", ":16: [ensemble.targets] \"w\" is not an observable (known: u, v)"},
    {generated, 17, "covariates = { u = \"index\" }",
     ":17: [ensemble.covariates] \"u\" is already the name of a state (expressions could not tell them apart); rename "
     "one"},
    {generated, 17, "covariates = 3", ":17: [ensemble] covariates = 3 is a whole number (a table is wanted)"},
    {generated, 17, "seed = -1", ":17: [ensemble] seed = -1 is out of range (a whole number of at least 0 is wanted)"},
    {fitted, 17, "", ":16: [parameters] has no entry for \"k\", a parameter of the model; add it"},
    {fitted, 17, "kk = 1",
     ":17: [parameters] \"kk\" is not a parameter of the model (known: k, s); did you mean \"k\"?"},
    {fitted, 18, "s = \"small\"",
     ":18: [parameters] s = \"small\" is a string (a finite number is wanted for a fixed parameter, or a table such as "
     "{ initial = 1.0 } for an estimated one)"},
    {fitted, 18, "s = nan",
     ":18: [parameters] s = nan is not finite (a finite number is wanted for a fixed parameter, or a table such as { "
     "initial = 1.0 } for an estimated one)"},
    {fitted, 17, "k = { initial = 2.5, prior = \"uniform(0, 1)\" }",
     ":17: [parameters.k] prior = \"uniform(0, 1)\" excludes the initial value 2.5 (on the parameter's scale 2.5; the loss "
     "would be infinite there); change one of them"},
    {fitted, 17, "k = { initial = 0.5, lowr = 1 }",
     ":17: [parameters.k] key \"lowr\" is unknown (known: fixed, initial, lower, prior, scale, upper); did you mean "
     "\"lower\"?"},
    {fitted, 17, "k = { lower = 1 }", ":17: [parameters.k] key \"initial\" is missing (a number is wanted)"},
    {fitted, 17, "k = { initial = inf }", ":17: [parameters.k] initial = inf is not finite (a number is wanted)"},
    {fitted, 17, "k = { initial = 0.5, lower = 0.5 }",
     ":17: [parameters.k] initial = 0.5 is not strictly inside its bounds (lower = 0.5, upper = inf)"},
    {fitted, 17, "k = { initial = 0.5, lower = 2, upper = 1 }",
     ":17: [parameters.k] lower = 2 is not below upper = 1; swap them or widen the bounds"},
    {fitted, 17, "k = { initial = 0, scale = \"log\" }",
     ":17: [parameters.k] initial = 0 is out of range (on the scale log a number above 0 is wanted)"},
    {fitted, 17, "k = { initial = 1, lower = -1, scale = \"log10\" }",
     ":17: [parameters.k] lower = -1 is out of range (on the scale log10 a number of at least 0 is wanted; 0 is no "
     "bound)"},
    {fitted, 17, "k = { initial = 1, scale = \"logarithmic\" }",
     ":17: [parameters.k] scale = \"logarithmic\" is unknown (known: linear, log, log10)"},
    {fitted, 17, "k = { initial = 1, prior = \"norml(0, 1)\" }",
     ":17: [parameters.k]: prior \"norml(0, 1)\" names an unknown distribution \"norml\" (known: cauchy, gamma, "
     "laplace, lognormal, normal, student_t, uniform); did you mean \"normal\"?"},
    {fitted, 17, "k = { initial = 1, prior = \"normal(0, -1)\" }",
     ":17: [parameters.k]: prior \"normal(0, -1)\" has sigma = -1, which is not positive; write normal(mean, sigma) "
     "with sigma > 0"},
    {fitted, 17, "k = { initial = 1, prior = 3 }",
     ":17: [parameters.k] prior = 3 is a whole number (a string is wanted)"},
    {fitted, 17, "k = { initial = 1, fixed = 1 }",
     ":17: [parameters.k] fixed = 1 is a whole number (true or false is wanted)"},
};

TEST(Refusals, broken_data_and_parameters_are_refused_with_their_place_and_reason) { expect_refusals(data_refusals); }

} // namespace
} // namespace rondo::job
