#include "job/refusal.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::job {
namespace {

// Mistakes in [loss] and [solver].
const std::vector<Refusal> loss_refusals{
    {generated, 20, "kind = \"gaussian\"",
     ":20: [loss] kind = \"gaussian\" needs sigma (generated targets have no sigma column); give it as a number or an "
     "expression"},
    {fitted, 21, "kind = \"guassian\"",
     ":21: [loss] kind = \"guassian\" is unknown (known: cross_entropy, gaussian, huber, laplace, lognormal, squared); "
     "did you mean \"gaussian\"?"},
    {fitted, 21, "kind = 2",
     ":21: [loss] kind = 2 is a whole number (one of \"squared\", \"gaussian\", \"lognormal\", \"laplace\", \"huber\", "
     "\"cross_entropy\" is wanted)"},
    {fitted, 21, "kind = \"squared\"",
     ":22: [loss] sigma has no effect (kind = \"squared\" has no noise scale; these have: gaussian, lognormal, "
     "laplace); leave it out or choose one of these"},
    {fitted, 22, "sigma = { u = 1 }", ":22: [loss.sigma] has no entry for \"v\", an observable; add it"},
    {fitted, 22, "sigma = { u = 1, v = 1, w = 1 }", ":22: [loss.sigma] \"w\" is not an observable (known: u, v)"},
    {fitted, 22, "sigma = {}", ":22: [loss] sigma is an empty table (an entry for every observable is wanted)"},
    {fitted, 22, "sigma = false",
     ":22: [loss] sigma = false is a boolean (an expression, a number, or a table of them by observable is wanted)"},
    {fitted, 22, "sigma = \"s\"\ndelta = 2",
     ":23: [loss] delta has no effect (kind = \"gaussian\" has no delta, only huber has); leave it out"},
    {fitted, 22, "sigma = \"s\"\nreduction = \"median\"",
     ":23: [loss] reduction = \"median\" is unknown (known: mean, sum); did you mean \"mean\"?"},
    {generated, 20, "kind = \"huber\"\ndelta = 0",
     ":21: [loss] delta = 0 is out of range (a number above 0 is wanted)"},
    {generated, 20, "kind = \"cross_entropy\"\n[model.observables]\nu = \"u\"",
     ":20: [loss] kind = \"cross_entropy\" needs at least two observables (one a class), the model has 1"},
    {fitted, 25, "rtoll = 1e-6",
     ":25: [solver] key \"rtoll\" is unknown (known: atol, engine, kernels, max_attempts, max_failed_fraction, "
     "max_steps, method, on_failure, rtol, sensitivity); did you mean \"rtol\"?"},
    {fitted, 25, "rtol = \"small\"",
     ":25: [solver] rtol = \"small\" is a string (a number above 0 and below 1 is wanted)"},
    {fitted, 25, "rtol = 1", ":25: [solver] rtol = 1 is out of range (a number above 0 and below 1 is wanted)"},
    {fitted, 25, "rtol = 0", ":25: [solver] rtol = 0 is out of range (a number above 0 and below 1 is wanted)"},
    {fitted, 25, "atol = -1e-8", ":25: [solver] atol = -1e-08 is out of range (a number above 0 is wanted)"},
    {fitted, 25, "atol = inf", ":25: [solver] atol = inf is not finite (a number above 0 is wanted)"},
    {fitted, 25, "max_steps = 0",
     ":25: [solver] max_steps = 0 is out of range (a whole number of at least 1 is wanted)"},
    {fitted, 25, "max_steps = 1000.0",
     ":25: [solver] max_steps = 1000.0 is a number with a decimal point (a whole number of at least 1 is wanted)"},
    {fitted, 25, "max_attempts = 4",
     ":25: [solver] max_attempts = 4 is out of range (a whole number from 1 to 3 is wanted)"},
    {fitted, 25, "on_failure = \"ignore\"", ":25: [solver] on_failure = \"ignore\" is unknown (known: drop, stop)"},
    {fitted, 25, "max_failed_fraction = 0.1",
     ":25: [solver] max_failed_fraction has no effect (with on_failure = \"stop\" the first failure ends the run); "
     "leave it out, or write on_failure = \"drop\""},
    {fitted, 25, "on_failure = \"drop\"\nmax_failed_fraction = 1.5",
     ":26: [solver] max_failed_fraction = 1.5 is out of range (a number from 0 to 1 is wanted)"},
    {fitted, 25, "kernels = \"jit\"",
     ":25: [solver] kernels = \"jit\" is unknown (known: auto, compiled, interpreted)"},
};

TEST(Refusals, a_broken_loss_or_solver_is_refused_with_its_place_and_reason) { expect_refusals(loss_refusals); }

} // namespace
} // namespace rondo::job
