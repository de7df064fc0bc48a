#include "job/refusal.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::job {
namespace {

// Mistakes in syntax, the top of the file and [model].
const std::vector<Refusal> model_refusals{
    {fitted, 4, "states = [\"u\", \"v\"",
     ":5:1: this is no TOML (Error while parsing array: expected comma or closing ']', saw 'p')"},
    {fitted, 4, "states = [\"u\"]\nstates = [\"v\"]",
     ":5:10: this is no TOML (Error while parsing key-value pair: cannot redefine existing array 'states')"},
    {fitted, 1, "titel = \"decay\"",
     ":1: key \"titel\" is unknown (known: checkpoint, data, ensemble, loss, model, output, parallel, parameters, "
     "solver, title, train); did you mean \"title\"?"},
    {fitted, 1, "title = 3", ":1: title = 3 is a whole number (a string is wanted)"},
    {fitted, 24, "[solvers]",
     ":24: key \"solvers\" is unknown (known: checkpoint, data, ensemble, loss, model, output, parallel, parameters, "
     "solver, title, train); did you mean \"solver\"?"},
    {fitted, 1, "model = 3",
     ":3:1: this is no TOML (Error while parsing table header: cannot redefine existing integer 'model' as table)"},
    {fitted, 1, "solver = \"auto\"",
     ":24:1: this is no TOML (Error while parsing table header: cannot redefine existing string 'solver' as table)"},
    {fitted, 1, "[[loss]]",
     ":20:1: this is no TOML (Error while parsing table header: cannot redefine existing array 'loss' as table)"},
    {fitted, 4, "state = [\"u\", \"v\"]",
     ":4: [model] key \"state\" is unknown (known: events, expressions, initial, initial_time, library, observables, "
     "parameters, rates, states); did you mean \"states\"?"},
    {fitted, 4, "",
     ":3: [model] key \"states\" is missing (a list of names, or library = \"...\" for a model in C++, is wanted)"},
    {fitted, 4, "states = \"u\"", ":4: [model] states = \"u\" is a string (a list of names is wanted)"},
    {fitted, 4, "states = [\"u\", 3]", ":4: [model] states: 3 is a whole number (a list of names is wanted)"},
    {fitted, 4, "states = []", ":4: [model] states is empty (a model has at least one state)"},
    {fitted, 4, "states = [\"u\", \"u\"]", ":4: [model] states: \"u\" is named twice; remove one"},
    {fitted, 4, "states = [\"u\", \"2v\"]",
     ":4: [model] states: \"2v\" is not a name (a name has letters, digits and underscores and does not start with a "
     "digit); rename it"},
    {fitted, 4, "states = [\"u\", \"exp\"]",
     ":4: [model] states: \"exp\" is reserved (expressions give it a meaning of its own); rename it"},
    {fitted, 5, "parameters = [\"k\", \"u\"]",
     ":5: [model] parameters: \"u\" is already the name of a state (expressions could not tell them apart); rename "
     "one"},
    {fitted, 5, "parameters = [\"k\", \"s\"]\ninitial_time = \"now\"",
     ":6: [model] initial_time = \"now\" is a string (a number is wanted)"},
    {fitted, 5, "parameters = [\"k\", \"s\"]\ninitial_time = nan",
     ":6: [model] initial_time = nan is not finite (a number is wanted)"},
    {fitted, 8, "", ":6: [model.rates] has no entry for \"v\", a state; add it"},
    {fitted, 7, "w = \"-k*u\"", ":7: [model.rates] \"w\" is not a state (known: u, v)"},
    {fitted, 7, "u = true",
     ":7: [model.rates] u = true is a boolean (an expression is wanted: a string or a finite number)"},
    {fitted, 7, "u = \"\"", ":7: [model.rates] u = \"\" is empty (an expression is wanted)"},
    {fitted, 7, "u = inf",
     ":7: [model.rates] u = inf is not finite (an expression is wanted: a string or a finite number)"},
    {fitted, 7, "\"u v\" = \"1\"",
     ":7: [model.rates] \"u v\" is not a name (a name has letters, digits and underscores and does not start with a "
     "digit); rename it"},
    {fitted, 6, "rates = 3\n[model.ratings]",
     ":7: [model] key \"ratings\" is unknown (known: events, expressions, initial, initial_time, library, observables, "
     "parameters, rates, states)"},
    {fitted, 6, "[model.rats]",
     ":6: [model] key \"rats\" is unknown (known: events, expressions, initial, initial_time, library, observables, "
     "parameters, rates, states); did you mean \"rates\"?"},
    {fitted, 11, "", ":9: [model.initial] has no entry for \"v\", a state; add it"},
    {fitted, 11, "vv = 0", ":11: [model.initial] \"vv\" is not a state (known: u, v); did you mean \"v\"?"},
    {fitted, 3, "[model]\nlibrary = \"libdecay.so\"",
     ":7: [model] rates has no effect (the library gives the model's equations); leave out the key, or library"},
    {fitted, 3, "[model]\nlibrary = 3", ":4: [model] library = 3 is a whole number (a string with a path is wanted)"},
    {fitted, 3, "[model]\nlibrary = \"\"",
     ":4: [model] library is empty (a string with a path is wanted); leave the key out if there is none"},
    {fitted, 12, "[model.observables]\nu = \"2*u\"",
     ":13: [model.observables] \"u\" is already the name of a state (expressions could not tell them apart); rename "
     "one"},
    {fitted, 12, "[model.observables]\nk = \"u\"",
     ":13: [model.observables] \"k\" is already the name of a parameter (expressions could not tell them apart); "
     "rename one"},
    {fitted, 12, "[model.expressions]\nk = \"u\"",
     ":13: [model.expressions] \"k\" is already the name of a parameter (expressions could not tell them apart); "
     "rename one"},
    {fitted, 12, "[model.observables]\nu = 2020-01-01",
     ":13: [model.observables] u = 2020-01-01 is a date or time (an expression is wanted: a string or a finite "
     "number)"},
    {fitted, 5, "parameters = [\"k\", \"s\"]\nevents = 3",
     ":6: [model] events = 3 is a whole number (a list of [[model.events]] tables is wanted)"},
    {fitted, 5, "parameters = [\"k\", \"s\"]\nevents = [3]",
     ":6: [model] events: 3 is a whole number (a table is wanted, written as [[model.events]])"},
    {fitted, 12, "[[model.events]]\nstate = \"w\"\ntimes = [1]\namount = 1",
     ":13: [model.events.1] state = \"w\" is not a state (known: u, v)"},
    {fitted, 12, "[[model.events]]\nstate = 1\ntimes = [1]\namount = 1",
     ":13: [model.events.1] state = 1 is a whole number (the name of a state is wanted)"},
    {fitted, 12, "[[model.events]]\ntimes = [1]\namount = 1",
     ":12: [model.events.1] key \"state\" is missing (the name of a state is wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = [1]",
     ":12: [model.events.1] key \"amount\" is missing (a number or an expression in t, parameters and covariates is "
     "wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\namount = 1",
     ":12: [model.events.1] key \"times\" is missing (a list of numbers and expressions in covariates and index is "
     "wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = 1\namount = 1",
     ":14: [model.events.1] times = 1 is a whole number (a list of numbers and expressions in covariates and index is "
     "wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = []\namount = 1",
     ":14: [model.events.1] times is empty (an event happens at least once); give its times or leave it out"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = [1, true]\namount = 1",
     ":14: [model.events.1] times: true is a boolean (a finite number or an expression in covariates and index is "
     "wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = [1]\namount = []",
     ":15: [model.events.1] amount = [] is a list (a number or an expression in t, parameters and covariates is "
     "wanted)"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = [1]\namount = 1\naction = \"ad\"",
     ":16: [model.events.1] action = \"ad\" is unknown (known: add, multiply, replace); did you mean \"add\"?"},
    {fitted, 12, "[[model.events]]\nstate = \"u\"\ntimes = [1]\namount = 1\nduration = 2",
     ":16: [model.events.1] key \"duration\" is unknown (known: action, amount, state, times)"},
};

TEST(Refusals, a_broken_model_is_refused_with_its_place_and_reason) { expect_refusals(model_refusals); }

} // namespace
} // namespace rondo::job
