#include "model/kernels.hpp"
#include "model/specs.hpp"

#include <rondo/model/system.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rondo::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// What is said about `spec` after `damage`.
template <class Damage>
std::string message(Spec spec, const Damage& damage) {
    damage(spec);
    return refusal([&] { return build_system(spec); });
}

TEST(System, has_the_names_and_sizes_of_the_model) {
    const System system = build_system(absorption());
    EXPECT_THAT(system.states, ElementsAre("gut", "plasma"));
    EXPECT_THAT(system.parameters, ElementsAre("ka", "cl", "v", "f", "vm", "sd"));
    EXPECT_THAT(system.covariates, ElementsAre("index", "weight", "dose"));
    EXPECT_THAT(system.observables, ElementsAre("level", "effect"));
    EXPECT_EQ(system.rates.size(), 2U);
    EXPECT_EQ(system.initial.size(), 2U);
    EXPECT_EQ(system.outputs.size(), 4U);
    EXPECT_EQ(system.amounts.size(), 2U);
}

TEST(System, observes_states_where_nothing_else_is_said) {
    const System system = build_system(lotka_volterra());
    EXPECT_THAT(system.observables, ElementsAre("hare", "lynx"));
    EXPECT_TRUE(system.graph.is_constant(system.outputs[2], 1.0));
}

TEST(System, may_observe_a_state_under_its_own_name) {
    Spec spec = lotka_volterra();
    spec.observables = {{"lynx", "lynx", "job.toml: [model.observables] lynx"}};
    EXPECT_THAT(build_system(spec).observables, ElementsAre("lynx"));
}

TEST(Helpers, may_stand_in_any_order) {
    Spec forward = absorption();
    Spec backward = absorption();
    std::reverse(backward.expressions.begin(), backward.expressions.end());
    const Point at = absorption_point(true);
    EXPECT_EQ(evaluate(interpreted_model(forward, {}), KernelKind::rates, at),
              evaluate(interpreted_model(backward, {}), KernelKind::rates, at));
}

TEST(Helpers, that_define_each_other_are_refused) {
    const auto circle = [](Spec& spec) {
        spec.expressions = {{"a", "b + 1", "job.toml: [model.expressions] a"},
                            {"b", "2*c", "job.toml: [model.expressions] b"},
                            {"c", "hare*b", "job.toml: [model.expressions] c"}};
    };
    EXPECT_EQ(message(lotka_volterra(), circle),
              "job.toml: [model.expressions] b: the expressions define each other in a circle: "
              "b -> c -> b (none could be evaluated first); break it");
    const auto itself = [](Spec& spec) { spec.expressions = {{"a", "a + 1", "job.toml: [model.expressions] a"}}; };
    EXPECT_THAT(message(lotka_volterra(), itself), HasSubstr("in a circle: a -> a "));
}

TEST(Names, of_one_kind_given_twice_are_refused) {
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.states.push_back("hare"); }),
              "job.toml: [model] the state \"hare\" is named twice; remove one");
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.parameters.push_back("alpha"); }),
              "job.toml: [model] the parameter \"alpha\" is named twice; remove one");
}

TEST(Names, of_two_kinds_that_are_the_same_are_refused) {
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.parameters.push_back("hare"); }),
              "job.toml: [model] \"hare\" is the name of two things, state and parameter (expressions could not tell "
              "them apart); rename one");
    EXPECT_EQ(message(absorption(), [](Spec& s) { s.covariates.push_back("volume"); }),
              "job.toml: [model] \"volume\" is the name of two things, covariate and expression (expressions could not "
              "tell them apart); rename one");
    EXPECT_EQ(message(lotka_volterra(),
                      [](Spec& s) {
                          s.observables = {{"hare", "2*hare", "here"}};
                      }),
              "job.toml: [model] \"hare\" is the name of two things, state and observable (expressions could not tell "
              "them apart); rename one");
}

TEST(Names, that_are_reserved_are_refused) {
    for (const std::string name : {"t", "index", "exp", "and"}) {
        EXPECT_EQ(message(lotka_volterra(), [&](Spec& s) { s.parameters.push_back(name); }),
                  "job.toml: [model] the parameter \"" + name +
                      "\" has a reserved name (t, index, functions and and, or, not mean "
                      "something else in expressions); rename it");
    }
}

TEST(Names, that_are_no_names_are_refused) {
    for (const std::string name : {"2nd", "my state", "", "a-b"}) {
        EXPECT_EQ(message(lotka_volterra(), [&](Spec& s) { s.states[0] = name; }),
                  "job.toml: [model] the state \"" + name +
                      "\" is not a name (a name has letters, digits and underscores and does "
                      "not start with a digit); rename it");
    }
}

TEST(Rates, that_are_missing_or_of_no_state_are_refused) {
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.rates.pop_back(); }),
              "job.toml: [model.rates] has no entry for the state \"lynx\"; write lynx = \"...\" there");
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.rates[1].name = "lynxx"; }),
              "job.toml: [model.rates] \"lynxx\" is not a state (known: hare, lynx); did you mean \"lynx\"?");
}

TEST(Rates, that_use_an_unknown_name_are_refused) {
    EXPECT_THAT(message(lotka_volterra(), [](Spec& s) { s.rates[0].text = "alhpa*hare"; }),
                StartsWith("job.toml: [model.rates] hare: the name \"alhpa\" is unknown (known: alpha, beta, delta, "
                           "gamma, hare, hare0, "
                           "lynx, t); did you mean \"alpha\"?"));
}

TEST(Rates, that_do_not_parse_are_refused) {
    EXPECT_THAT(
        message(lotka_volterra(), [](Spec& s) { s.rates[0].text = "alpha*"; }),
        StartsWith(
            "job.toml: [model.rates] hare: the expression ends where a value is expected; write what is missing"));
}

TEST(Initial, that_is_missing_is_refused) {
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.initial = {s.initial[0]}; }),
              "job.toml: [model.initial] has no entry for the state \"lynx\"; write lynx = \"...\" there");
}

TEST(Initial, that_uses_a_state_or_time_is_refused) {
    EXPECT_EQ(message(lotka_volterra(), [](Spec& s) { s.initial[1].text = "2*hare"; }),
              "job.toml: [model.initial] lynx: \"2*hare\" uses a state (there is none before the start); write it with "
              "parameters and "
              "covariates");
    EXPECT_EQ(
        message(lotka_volterra(), [](Spec& s) { s.initial[1].text = "1 + t"; }),
        "job.toml: [model.initial] lynx: \"1 + t\" uses t (the start is at model.initial_time); write that number");
    EXPECT_EQ(message(absorption(), [](Spec& s) { s.initial[0].text = "concentration"; }),
              "job.toml: [model.initial] gut: \"concentration\" uses a state (there is none before the start); write "
              "it with parameters "
              "and covariates");
}

TEST(Amounts, that_use_a_state_are_refused) {
    EXPECT_EQ(
        message(absorption(), [](Spec& s) { s.amounts[1].text = "dose + gut"; }),
        "job.toml: [[model.events]] amount: \"dose + gut\" uses a state (an event's amount may use t, parameters and "
        "covariates); for a multiple of the state write action = \"multiply\"");
}

TEST(Sigma, comes_from_the_data_only_where_a_loss_needs_it_and_no_expression_gives_it) {
    Spec spec = lotka_volterra();
    EXPECT_FALSE(build_system(spec).sigma_from_data);
    spec.loss.kind = LossKind::laplace;
    EXPECT_TRUE(build_system(spec).sigma_from_data);
    spec.loss.sigma = "0.1";
    EXPECT_FALSE(build_system(spec).sigma_from_data);
    spec.loss.sigma.clear();
    spec.loss.sigma_of = {{"hare", "0.1"}, {"lynx", "0.2"}};
    EXPECT_FALSE(build_system(spec).sigma_from_data);
}

TEST(Sigma, of_one_expression_holds_for_every_observable) {
    Spec spec = lotka_volterra();
    spec.loss = {.kind = LossKind::gaussian, .sigma = "0.1*hare", .sigma_of = {}};
    const Point at{.t = 0, .x = {10, 4}, .p = std::vector<double>(5, 1.0), .c = {}, .seed = {}};
    EXPECT_THAT(evaluate(interpreted_model(spec, {}), KernelKind::outputs, at), ElementsAre(10, 4, 1, 1));
}

TEST(Sigma, of_a_table_is_each_observables_own_and_may_use_observables) {
    Spec spec = lotka_volterra();
    spec.observables = {{"pelts", "3*hare", "here"}, {"both", "hare + lynx", "here"}};
    spec.loss = {.kind = LossKind::gaussian, .sigma = "", .sigma_of = {{"both", "pelts/4"}, {"pelts", "lynx"}}};
    const Point at{.t = 0, .x = {8, 5}, .p = std::vector<double>(5, 1.0), .c = {}, .seed = {}};
    EXPECT_THAT(evaluate(interpreted_model(spec, {}), KernelKind::outputs, at), ElementsAre(24, 13, 5, 6));
}

TEST(Sigma, of_a_table_with_a_wrong_or_missing_name_is_refused) {
    EXPECT_EQ(message(absorption(),
                      [](Spec& s) {
                          s.loss.sigma_of = {{"level", "sd"}, {"efect", "sd"}};
                      }),
              "job.toml: [loss] sigma names \"efect\", which is not an observable (known: effect, level); did you mean "
              "\"effect\"?");
    EXPECT_EQ(message(absorption(),
                      [](Spec& s) {
                          s.loss.sigma_of = {{"level", "sd"}};
                      }),
              "job.toml: [loss] sigma has no entry for the observable \"effect\"; write effect = \"...\" there");
}

TEST(Sigma, with_an_unknown_name_is_refused) {
    EXPECT_THAT(message(absorption(), [](Spec& s) { s.loss.sigma_of["level"] = "sdd"; }),
                StartsWith("job.toml: [loss] sigma: the name \"sdd\" is unknown (known: "));
}

} // namespace
} // namespace rondo::model
